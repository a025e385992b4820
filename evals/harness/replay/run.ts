import type { Answer } from '../../../src/engine/answer.ts';
import type { EngineSettings } from '../../../src/engine/settings.ts';
import type { Anchor, Verdict as LedgerVerdict } from '../../../src/ledger/verification.ts';
import type { Transition } from '../coverage/transition.ts';
import type { Scenario, Values } from '../scenario/schema.ts';
import type { Evidence, State } from '../world/state.ts';
import type { Canary, Sent } from '../world/wire.ts';

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
      /** What Purser answered, where somebody besides the agent called a tool. */
      readonly answer?: Answer | undefined;
      /** What somebody read on a page of Purser before, line by line. */
      readonly page?: readonly string[] | undefined;
      /** What stood on a page of Purser that tells the same in every story: its title, then the rest line by line. */
      readonly shown?: readonly string[] | undefined;
      /** What becomes of what the merchant's systems register, with one field missing or wrong. */
      readonly varied?: readonly Varied[] | undefined;
    };

export interface CallEntry {
  readonly kind: 'call';
  /** Index of its step; -1 for a call that is in no script. */
  readonly step: number;
  readonly tool: string;
  readonly args: Values;
  /** The server's answer; an `Answer` from Purser. */
  readonly answer: unknown;
  readonly text: string;
  readonly isError: boolean;
  /** When it was made and how long it took; absent without a stopwatch. */
  readonly took?: Took | undefined;
  /** The declared rule that an external server refused it by, recognized by its error text. */
  readonly refusedBy?: string | undefined;
  /** What the platform says to its requests with one field missing or wrong. */
  readonly varied?: readonly Varied[] | undefined;
  /** What Purser says to the call as it is, and then with one argument missing or wrong. */
  readonly argued?: readonly Argued[] | undefined;
  /** What Purser says to a call with a reference once it was made: to the same one, and with one argument missing or wrong. */
  readonly repeated?: readonly Argued[] | undefined;
  /** What Purser makes of the call where the platform answers a request of it otherwise. */
  readonly answered?: readonly Answered[] | undefined;
  /** The same list in one page and in many, where it has more than one row. */
  readonly paged?: Paged | undefined;
  /** States of the observed things before and after the call, by handle, or of operations where a call changes only those; empty for reads. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** A request that was sent with one field missing or wrong, and what came back: the status, and the answer's codes and fields. */
export interface Varied {
  readonly line: string;
  readonly what: string;
  readonly status: number;
  readonly says: readonly string[];
}

/** What a preview says of a call: with which argument it differs from the one that was made, the verdict, and what would be asked and sent. */
export interface Argued {
  readonly what: string;
  readonly verdict: Partial<Answer>;
  /** The lines of the question to a person, the values of the request, and what counts against a limit. */
  readonly shows: readonly string[];
  /** What was asked of the platform for that. */
  readonly sent: readonly string[];
}

/** A request of a call, and what comes of the call: as it is, and then with each other answer to that request. */
export interface Answered {
  readonly line: string;
  readonly others: readonly Argued[];
}

/** A list that was read in one page, and in pages of one row and of two. */
export interface Paged {
  readonly whole: Page;
  readonly readings: readonly Reading[];
}

export interface Reading {
  /** Rows of a page. */
  readonly size: number;
  readonly pages: readonly Page[];
}

export interface Page {
  readonly outcome: Answer['outcome'];
  readonly items?: readonly unknown[];
  readonly total?: number;
  readonly more?: string | undefined;
}

/** What the ledger says of itself after a story, and the anchor that was kept outside of it. */
export interface Proven {
  readonly verdict: LedgerVerdict;
  readonly anchor: Anchor | undefined;
  /** A row of each table that was edited or deleted one after another, and whether the ledger noticed. */
  readonly edits: readonly { readonly what: string; readonly isNoticed: boolean }[];
}

/** A stretch of time, in milliseconds. */
export interface Took {
  readonly began: number;
  readonly milliseconds: number;
}

/** One failed expectation or invariant. */
export interface Failure {
  readonly grader: Grader;
  /** Which step or path. */
  readonly at: string;
  readonly because: string;
  /** What was expected and what was found, where both can be shown side by side. */
  readonly sides?: { readonly expected: string; readonly found: string } | undefined;
}

export const graders = [
  'script',
  'state',
  'refused',
  'calls',
  'invariant',
  'speech',
  'warrant',
  'reply',
  'facts',
  'golden',
  'rubric',
  'server',
] as const;
export type Grader = (typeof graders)[number];

/** `judge error`: the judge's verdict couldn't be parsed, or the server under test gave no answer; neither a pass nor a fail. */
export type Verdict = 'pass' | 'fail' | 'judge error';

/** The result of playing a scenario. */
export interface Run {
  readonly scenario: Scenario;
  readonly entries: readonly Entry[];
  readonly captures: ReadonlyMap<string, unknown>;
  /** The evidence before the first step and after the last; absent for an external server. */
  readonly before: Evidence | undefined;
  readonly after: Evidence | undefined;
  /** The observed state of an external server, before the first step and after the last. */
  readonly observed?: { readonly before: Values; readonly after: Values } | undefined;
  /** The state after every completed call was repeated. */
  readonly retried: State | undefined;
  /** The requests that reached the platform during each entry, in the order of the entries; empty for an external server. */
  readonly requests: readonly (readonly Sent[])[];
  /** What the platform says to each change when it is sent again after the story, if a step of it was varied. */
  readonly again?: readonly Varied[] | undefined;
  /** What the ledger says of itself after the story; absent for an external server. */
  readonly proven?: Proven | undefined;
  readonly canaries: readonly Canary[];
  /** The operator's settings from the scenario and its fixture; absent for an external server. */
  readonly configured: EngineSettings | undefined;
  /** Secrets of an external server, to be redacted; no invariant checks them. */
  readonly secrets?: readonly Canary[] | undefined;
  /** The same story played as it is written, where this is another way to play it. */
  readonly reference?: Run | undefined;
  /** Steps that failed. */
  readonly failures: readonly Failure[];
}

export const callsOf = ({ entries }: Pick<Run, 'entries'>): readonly CallEntry[] =>
  entries.filter((entry) => entry.kind === 'call');

/** Purser's answer; every field is optional for external servers. */
export const answerOf = (entry: CallEntry): Partial<Answer> =>
  typeof entry.answer === 'object' && entry.answer !== null ? (entry.answer as Partial<Answer>) : {};
