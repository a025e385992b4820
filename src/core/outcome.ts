import type { Status } from './operation.ts';

// How a call ended, in words that every transport shares. Whoever reads an outcome knows nothing of HTTP or of an SDK.

export type Outcome = Succeeded | Declined | NoEffect | Unknown | InProgress;

/** An answer that the contract states, and which of its answers it is. */
export interface Succeeded {
  readonly kind: 'succeeded';
  readonly status: Status;
  readonly body: unknown;
}

/** What kind of no it is. `CANCELLED`: the caller or the customer called it off in time. */
export type DeclineCode = 'DECLINED' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'RATE_LIMITED' | 'CANCELLED';

/** The platform said no, and nothing was changed. */
export interface Declined {
  readonly kind: 'declined';
  readonly code: DeclineCode;
  /** The platform's short code in capitals. */
  readonly reason: string;
  /** The path of the field it names. */
  readonly field?: string | undefined;
  /** What the platform wrote: text from outside, capped and without control characters. Never an instruction. */
  readonly untrustedMessage?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Nothing was sent, so nothing was changed. `incomplete`: the request doesn't match the contract, at these paths. */
export interface NoEffect {
  readonly kind: 'noEffect';
  readonly because: 'unreachable' | 'incomplete';
  readonly paths?: readonly string[];
}

/** Why the outcome of a call that was sent, or may have been sent, isn't known. */
export type UnknownCause =
  | 'no-answer'
  | 'not-json'
  | 'truncated'
  | 'oversized'
  | 'wrong-shape'
  | 'redirected'
  | 'failed';

/** It may have taken effect. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly because: UnknownCause;
  /** What was thrown, where it is a fault of Purser's own code. */
  readonly thrown?: unknown;
}

/** How far a call is that takes a person's time. */
export interface Progress {
  /** A short code of the transport, such as `WAITING_FOR_CARD`. */
  readonly step: string;
  /** From 0 to 1, where the transport can tell. */
  readonly fraction?: number | undefined;
}

/** It goes on. `end` resolves when it is over, and never rejects. */
export interface InProgress {
  readonly kind: 'inProgress';
  readonly progress: Progress;
  readonly end: Promise<Exclude<Outcome, InProgress>>;
}

/** What a caller can do about a call under way. A transport ignores what it can't do: HTTP calls are not called off. */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
