import { type RuleId, rules } from '../core/rules.ts';
import type { Facts } from './facts.ts';

/** A rule about conversation or money: a sentence, a predicate and a way out. */
export interface Guard {
  readonly id: RuleId;
  readonly rule: string;
  readonly on: readonly string[];
  /** Which of two statements of its rule it keeps, where there are two. */
  readonly reading?: 'document' | 'published';
  readonly holds: (facts: Facts) => boolean;
  /** What is wrong with the value or state that was seen. It repeats no text that somebody else may have written. */
  readonly sees: (facts: Facts) => string;
  /** Such text, where it has to be told: the answer keeps it apart. */
  readonly quotes?: (facts: Facts) => readonly string[];
  /** The argument it is about, where it is about one. */
  readonly field?: string;
  /** When it will hold again by itself, in epoch milliseconds. */
  readonly opens?: (facts: Facts) => number | undefined;
  /** Given where somebody else must act before the very same call can be made. */
  readonly retry?: 'same_call';
  /** The tools that lead out. */
  readonly instead: readonly string[];
}

/** Builds a domain's guards: its operations are `Name`, and the sentence of a guard is its rule's own. */
export const guardOn =
  <Name extends string>() =>
  (id: RuleId, spec: Omit<Guard, 'id' | 'rule'> & { readonly on: readonly Name[] }): Guard => ({
    id,
    rule: rules[id].says,
    ...spec,
  });
