import type { RuleId } from '../../../src/core/rules.ts';
import type { Alter } from '../world/world.ts';

/** A Purser in which one rule is wrong in one way. */
export interface Mutant {
  /** `<rule>/<where>/<how>`. */
  readonly id: string;
  readonly rule: RuleId;
  readonly kind: MutationKind;
  readonly alter: Alter;
  /** Whether a scenario can notice: a guard was asked, a tool was called, a limit was set. */
  readonly touches: (seen: Seen) => boolean;
}

export const mutationKinds = ['drop', 'negate', 'boundary +1', 'boundary -1', 'ignore state', 'ignore time'] as const;
export type MutationKind = (typeof mutationKinds)[number];

/** What a scenario touched when nothing was wrong. */
export interface Seen {
  /** Places of guards that were asked, and what each read of the facts. */
  readonly guards: ReadonlyMap<number, ReadonlySet<string>>;
  readonly tools: ReadonlySet<string>;
  /** The terms of limits and mandates that are set, such as `limits count`. */
  readonly terms: ReadonlySet<string>;
}
