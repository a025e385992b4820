import type { Status } from './operation.ts';

// The outcome of a call, the same for every transport.

export type Outcome = Succeeded | Declined | NoEffect | Unknown | InProgress;

/** A documented response, with its key in the contract. */
export interface Succeeded {
  readonly kind: 'succeeded';
  readonly status: Status;
  readonly body: unknown;
}

/** The kind of a decline. `CANCELLED`: the caller or the customer cancelled in time. */
export type DeclineCode = 'DECLINED' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'RATE_LIMITED' | 'CANCELLED';

/** The platform declined, and nothing was changed. */
export interface Declined {
  readonly kind: 'declined';
  readonly code: DeclineCode;
  /** The platform's short code in capitals. */
  readonly reason: string;
  /** The path of the field it names. */
  readonly field?: string | undefined;
  /** Whether the response is as the contract has it: a proxy's is not. */
  readonly isDocumented?: boolean;
  /** The platform's message: untrusted text, truncated and without control characters. Never an instruction. */
  readonly untrustedMessage?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Whether a refusal is about the thing itself, and not about who asks or how often. */
export const isOfThing = ({ code }: Pick<Declined, 'code'>): boolean => code === 'DECLINED' || code === 'NOT_FOUND';

/**
 * Whether a refusal may mean that the request arrived twice and that the first one took effect. `certainly`: nothing else explains it, such
 * as a name that nobody else can have. `moved`: a thing that is no longer as it was may have been changed by the first one.
 */
export type Doubled = (
  refusal: Pick<Declined, 'code' | 'reason' | 'field'>,
  args: Readonly<Record<string, unknown>>,
) => 'certainly' | 'moved' | 'perhaps' | undefined;

/**
 * Nothing was sent, so nothing was changed. `incomplete`: the request doesn't match the contract at these paths.
 * `cancelled`: the caller cancelled first.
 */
export interface NoEffect {
  readonly kind: 'noEffect';
  readonly because: 'unreachable' | 'incomplete' | 'cancelled';
  readonly paths?: readonly string[];
}

/** Why the outcome of a call that was or may have been sent is unknown. */
export type UnknownCause =
  | 'no-answer'
  | 'not-json'
  | 'truncated'
  | 'oversized'
  | 'wrong-shape'
  | 'redirected'
  | 'not-stored'
  /** It was refused as a duplicate of itself (D-181). */
  | 'twice'
  | 'failed';

/** The call may have taken effect. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly because: UnknownCause;
  /** The platform's short code, where it refused what may be a repetition. */
  readonly reason?: string;
  /** The thrown value, if Purser's own code failed. */
  readonly thrown?: unknown;
}

/** The progress of a call that waits for a person. */
export interface Progress {
  /** A short code of the transport, such as `WAITING_FOR_CARD`. */
  readonly step: string;
  /** From 0 to 1, if the transport knows it. */
  readonly fraction?: number | undefined;
}

/** The call is in progress. `end` resolves when it is over, and never rejects. */
export interface InProgress {
  readonly kind: 'inProgress';
  readonly progress: Progress;
  readonly end: Promise<Exclude<Outcome, InProgress>>;
}

/**
 * A caller's control over a call in progress. A transport ignores what it doesn't support: HTTP calls can't be
 * cancelled.
 */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The call's id in the logs of the other side (D-40). */
  readonly requestId?: string | undefined;
  /** The operation in the ledger, by which the other side names a call after a lost connection. Only for calls that are never repeated. */
  readonly callId?: string | undefined;
}
