/**
 * What can go wrong between Purser and the platform. No error here carries a value of the request or the answer, and none
 * has a `cause`: errors are printed, and what they hold would be printed with them.
 */

/** Whether the call may have taken effect: surely not, or nobody knows until the platform is asked. */
export type PossibleEffect = 'none' | 'unknown';

// biome-ignore format: a table
const faults = {
  // kind           effect     says
  'misaddressed': ['none',    'The request is not addressed to the configured platform and was not sent; give client and platform the same base URL.'],
  'unreachable':  ['none',    'The platform was not reached and nothing was sent; check network and base URL, then ask again.'],
  'no-answer':    ['unknown', 'The request was sent and no answer came; do not repeat it, find out first whether it took effect.'],
  'not-json':     ['unknown', 'The platform answered something other than JSON; do not take it for success, find out whether the call took effect.'],
  'truncated':    ['unknown', 'The answer broke off before its end; do not repeat the call, find out first whether it took effect.'],
  'oversized':    ['unknown', 'The answer is larger than Purser reads; do not repeat the call, find out first whether it took effect.'],
  'wrong-shape':  ['unknown', 'The answer does not have the shape the documents state (EN-08); do not take it for success, find out whether the call took effect.'],
  'redirected':   ['unknown', 'The platform answered with a redirect, which is never followed; check the base URL and find out whether the call took effect.'],
} as const satisfies Readonly<Record<string, readonly [PossibleEffect, string]>>;

/**
 * `misaddressed`: another origin than the configured one · `unreachable`: never sent (name, connection, TLS) · `no-answer`:
 * sent or perhaps sent, and lost · `not-json`: a success that is no JSON · `truncated`: the answer began and broke off ·
 * `oversized`: above `limits.answerBytes` · `wrong-shape`: another status or body than the contract states (EN-08) ·
 * `redirected`: a 3xx that the contract does not state.
 */
export type FaultKind = keyof typeof faults;

export interface FaultDetail {
  /** The status, where an answer came. */
  readonly status?: number | undefined;
  /** The system's code of a connection that failed, for example `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** Where an answer has the wrong shape, as the documents write paths. */
  readonly paths?: readonly string[] | undefined;
}

/** The platform gave no answer that can be trusted. Whether the call took effect follows from `kind`. */
export class PlatformFault extends Error {
  override readonly name = 'PlatformFault';
  readonly kind: FaultKind;
  readonly effect: PossibleEffect;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly paths: readonly string[];

  constructor(kind: FaultKind, { status, code, paths = [] }: FaultDetail = {}) {
    const [effect, says] = faults[kind];
    const known = [status?.toString(), code, ...paths].filter((it) => it !== undefined);
    super(known.length === 0 ? says : `${says} [${known.join(', ')}]`);
    this.kind = kind;
    this.effect = effect;
    this.status = status;
    this.code = code;
    this.paths = paths;
  }
}

// The first row whose bounds hold the status. Own reading: a 4xx is answered before anything is done, a 5xx perhaps after.
// biome-ignore format: a table
const refusals = [
  // from  to   effect     says
  [401,  401, 'none',    'The platform did not accept the credentials and did nothing; check merchant id, key id, shared secret and clock.'],
  [403,  403, 'none',    'The platform does not allow this merchant the call and did nothing; have the permission granted.'],
  [429,  429, 'none',    'The platform has too many calls and did nothing; wait, then ask again.'],
  [400,  499, 'none',    'The platform refused the call and did nothing; correct what its reason names before asking again.'],
  [500,  599, 'unknown', 'The platform failed over the call, which may have taken effect; do not repeat it, find out first.'],
] as const satisfies readonly (readonly [number, number, PossibleEffect, string])[];

export interface RefusalDetail {
  readonly status: number;
  /** The platform's short code in capitals, or `HTTP` and the status where it gave none. */
  readonly reason: string;
  /** The path of the field it names. */
  readonly field?: string | undefined;
  /** What the platform wrote: text from outside, capped and without control characters. Never an instruction. */
  readonly untrustedMessage?: string | undefined;
  /** How long it asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The platform said no: a status of 400 or above. A 4xx took no effect; after a 5xx nobody knows. */
export class PlatformRefusal extends Error {
  override readonly name = 'PlatformRefusal';
  readonly effect: PossibleEffect;
  readonly status: number;
  readonly reason: string;
  readonly field: string | undefined;
  readonly untrustedMessage: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, reason, field, untrustedMessage, retryAfterSeconds }: RefusalDetail) {
    const row = refusals.find(([from, to]) => status >= from && status <= to);
    if (row === undefined) throw new RangeError(`A status of ${status} is no refusal.`);
    super(`${row[3]} [${status}]`);
    this.effect = row[2];
    this.status = status;
    this.reason = reason;
    this.field = field;
    this.untrustedMessage = untrustedMessage;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A mistake of ours: the input of a call does not fit its operation. Nothing was sent. Names paths, never values. */
export class InvalidCall extends Error {
  override readonly name = 'InvalidCall';
  readonly effect: PossibleEffect = 'none';
  readonly paths: readonly string[];

  constructor(operation: string, paths: readonly string[]) {
    super(`The input of ${operation} has a wrong shape and was not sent; correct ${paths.join(', ')}.`);
    this.paths = paths;
  }
}

/** Whether a call that threw this may have taken effect. What is not one of ours proves nothing. */
export const effectAfter = (error: unknown): PossibleEffect =>
  error instanceof PlatformFault || error instanceof PlatformRefusal || error instanceof InvalidCall
    ? error.effect
    : 'unknown';
