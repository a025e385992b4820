import { type RuleId, rules } from '../core/rules.ts';
import type { Facts } from './facts.ts';

/** A rule about conversation or money: a sentence, a predicate and next actions. */
export interface Guard {
  readonly id: RuleId;
  readonly rule: string;
  readonly on: readonly string[];
  /** Which variant of its rule it enforces, if there are two. */
  readonly reading?: 'document' | 'published';
  /** It only warns. */
  readonly warns?: true;
  readonly holds: (facts: Facts) => boolean;
  /** What is wrong, without text that somebody else may have written. */
  readonly sees: (facts: Facts) => string;
  /** Such text, if it is needed: the answer marks it as untrusted. */
  readonly quotes?: (facts: Facts) => readonly string[];
  /** The argument it concerns, if it concerns one. */
  readonly field?: string;
  /** When it will hold again without a change, in epoch milliseconds. */
  readonly opens?: (facts: Facts) => number | undefined;
  /** Set if the same call can succeed later, at a time that nobody knows: once somebody else has acted, or something has ended. */
  readonly retry?: 'same_call';
  /** The next actions. */
  readonly instead: readonly string[];
}

/** Builds a domain's guards for its operations. A guard's sentence is that of its rule. */
export const guardOn =
  <Name extends string>() =>
  (id: RuleId, spec: Omit<Guard, 'id' | 'rule'> & { readonly on: readonly Name[] }): Guard => ({
    id,
    rule: rules[id].says,
    ...spec,
  });
