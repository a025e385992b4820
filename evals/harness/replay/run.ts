import type { Answer } from '../../../src/engine/answer.ts';
import type { EngineSettings } from '../../../src/engine/settings.ts';
import type { Transition } from '../coverage/transition.ts';
import type { Scenario, Values } from '../scenario/schema.ts';
import type { Evidence, State } from '../world/state.ts';
import type { Canary } from '../world/wire.ts';

/** One thing that happened in a run, in order. */
export type Entry =
  | { readonly kind: 'user' | 'say'; readonly step: number; readonly text: string }
  | CallEntry
  | {
      readonly kind: 'event';
      readonly step: number;
      readonly what: string;
      readonly text: string;
      readonly moved?: readonly Transition[] | undefined;
    };

export interface CallEntry {
  readonly kind: 'call';
  /** Index of its step; -1 for a call that is in no script. */
  readonly step: number;
  readonly tool: string;
  readonly args: Values;
  /** What the server answered: for Purser an `Answer`. */
  readonly answer: unknown;
  readonly text: string;
  readonly isError: boolean;
  /** When it was made and how long it took, on the stopwatch of the run; absent where nobody held one. */
  readonly took?: Took | undefined;
  /** The rule by which a server that is not ours refused it, as the scenario file tells by its words. */
  readonly refusedBy?: string | undefined;
  /** States of the things that the ledger knew before and after the call, by handle; empty where nobody looked. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** A stretch of time, in milliseconds. */
export interface Took {
  readonly began: number;
  readonly milliseconds: number;
}

/** Something that is not as it should be. */
export interface Failure {
  readonly grader: Grader;
  /** Which step or path. */
  readonly at: string;
  readonly because: string;
}

export const graders = ['script', 'state', 'refused', 'calls', 'invariant', 'reply', 'rubric'] as const;
export type Grader = (typeof graders)[number];

/** `judge`: a verdict of the judge could not be read; it is neither a pass nor a fail. */
export type Verdict = 'pass' | 'fail' | 'judge error';

/** What came of a story. */
export interface Run {
  readonly scenario: Scenario;
  readonly entries: readonly Entry[];
  readonly captures: ReadonlyMap<string, unknown>;
  /** Where the world stood before the first step and after the last; absent for a server that is not ours. */
  readonly before: Evidence | undefined;
  readonly after: Evidence | undefined;
  /** What was read of a server that is not ours, before the first step and after the last. */
  readonly observed?: { readonly before: Values; readonly after: Values } | undefined;
  /** Where it stood once everything that must not happen twice was asked for again. */
  readonly retried: State | undefined;
  readonly canaries: readonly Canary[];
  /** What the operator configured, as the scenario and its fixture say; absent for a server that is not ours. */
  readonly configured: EngineSettings | undefined;
  /** What a server that is not ours was given, to be hidden; no invariant asks where it stands. */
  readonly secrets?: readonly Canary[] | undefined;
  /** Steps that could not be done. */
  readonly failures: readonly Failure[];
}

export const callsOf = ({ entries }: Pick<Run, 'entries'>): readonly CallEntry[] =>
  entries.filter((entry) => entry.kind === 'call');

/** An answer of Purser; for another server nothing of it need be there. */
export const answerOf = (entry: CallEntry): Partial<Answer> =>
  typeof entry.answer === 'object' && entry.answer !== null ? (entry.answer as Partial<Answer>) : {};
