/**
 * Errors between Purser and the platform. None contains a value of the request or the response, and none has a `cause`,
 * because errors are printed.
 */

/** Whether the call may have taken effect: certainly not, or unknown until the platform is asked. */
export type PossibleEffect = 'none' | 'unknown';

// biome-ignore format: a table
const faults = {
  // kind           effect     says
  'misaddressed': ['none',    'The request is not addressed to the configured platform and was not sent; configure the same base URL for client and platform.'],
  'unreachable':  ['none',    'The platform was not reached and nothing was sent; check network and base URL, then try again.'],
  'no-answer':    ['unknown', 'The request was sent, but no response arrived; do not repeat it before you know whether it took effect.'],
  'not-json':     ['unknown', 'The response is not JSON; it is no proof of success, so find out whether the call took effect.'],
  'truncated':    ['unknown', 'The response is incomplete; do not repeat the call before you know whether it took effect.'],
  'oversized':    ['unknown', 'The response is larger than Purser reads; do not repeat the call before you know whether it took effect.'],
  'wrong-shape':  ['unknown', 'The response does not match the documented schema (EN-08); it is no proof of success, so find out whether the call took effect.'],
  'redirected':   ['unknown', 'The platform responded with a redirect, which Purser never follows; check the base URL and find out whether the call took effect.'],
} as const satisfies Readonly<Record<string, readonly [PossibleEffect, string]>>;

/**
 * `misaddressed`: not the configured origin · `unreachable`: never sent (name, connection, TLS) · `no-answer`: sent or
 * perhaps sent, and lost · `not-json`: a success that is not JSON · `truncated`: the response ended early ·
 * `oversized`: above `limits.answerBytes` · `wrong-shape`: an undocumented status or body (EN-08) · `redirected`: an
 * undocumented 3xx.
 */
export type FaultKind = keyof typeof faults;

/** Those after which it is unknown whether the call took effect. */
export type UnknownKind = { [K in FaultKind]: (typeof faults)[K][0] extends 'unknown' ? K : never }[FaultKind];

export interface FaultDetail {
  /** The status, if a response arrived. */
  readonly status?: number | undefined;
  /** The system's code of a failed connection, for example `ECONNREFUSED`. */
  readonly code?: string | undefined;
  /** The paths at which a response doesn't match its schema, in the documents' notation. */
  readonly paths?: readonly string[] | undefined;
}

/** The platform gave no trustworthy response. `kind` determines whether the call may have taken effect. */
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

// The first row with the status applies (D-180). A 4xx is answered before anything is done, unless somebody gave up waiting; a 5xx perhaps after.
// biome-ignore format: a table
const refusals = [
  // from  to   effect     says
  [401,  401, 'none',    'The platform rejected the credentials and did nothing; check merchant id, key id, shared secret and clock.'],
  [403,  403, 'none',    'The platform does not permit this merchant the call and did nothing; request the permission.'],
  [429,  429, 'none',    'The platform received too many calls and did nothing; wait, then try again.'],
  [408,  408, 'unknown', 'The platform, or a proxy before it, gave up waiting during the call, which may have taken effect; do not repeat it before you know.'],
  [460,  460, 'unknown', 'The connection was given up before an answer came, and the call may have taken effect; do not repeat it before you know.'],
  [499,  499, 'unknown', 'The connection was given up before an answer came, and the call may have taken effect; do not repeat it before you know.'],
  [400,  499, 'none',    'The platform refused the call and did nothing; correct what its reason names before you try again.'],
  [500,  599, 'unknown', 'The platform failed during the call, which may have taken effect; do not repeat it before you know.'],
] as const satisfies readonly (readonly [number, number, PossibleEffect, string])[];

export interface RefusalDetail {
  readonly status: number;
  /** Whether the body is as the contract has it: a proxy's is not. */
  readonly isDocumented?: boolean;
  /** The platform's short code in capitals; `HTTP` and the status if it has none. */
  readonly reason: string;
  /** The path of the field it names. */
  readonly field?: string | undefined;
  /** The platform's message: untrusted text, truncated and without control characters. Never an instruction. */
  readonly untrustedMessage?: string | undefined;
  /** How long the platform asks to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

/** An error response of the platform: a status of 400 or above. A 4xx had no effect, unless somebody gave up waiting; the effect of a 5xx is unknown. */
export class PlatformRefusal extends Error {
  override readonly name = 'PlatformRefusal';
  readonly effect: PossibleEffect;
  readonly status: number;
  readonly isDocumented: boolean;
  readonly reason: string;
  readonly field: string | undefined;
  readonly untrustedMessage: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, isDocumented = false, reason, field, untrustedMessage, retryAfterSeconds }: RefusalDetail) {
    const row = refusals.find(([from, to]) => status >= from && status <= to);
    if (row === undefined) throw new RangeError(`A status of ${status} is not an error.`);
    super(`${row[3]} [${status}]`);
    this.effect = row[2];
    this.status = status;
    this.isDocumented = isDocumented;
    this.reason = reason;
    this.field = field;
    this.untrustedMessage = untrustedMessage;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Purser's own mistake: the input doesn't match the operation. Nothing was sent. Names paths, never values. */
export class InvalidCall extends Error {
  override readonly name = 'InvalidCall';
  readonly effect: PossibleEffect = 'none';
  readonly paths: readonly string[];

  constructor(operation: string, paths: readonly string[]) {
    super(`The input of ${operation} is invalid and was not sent; correct ${paths.join(', ')}.`);
    this.paths = paths;
  }
}

/** The caller cancelled a call that only reads. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  constructor() {
    super('The call was cancelled.');
  }
}
