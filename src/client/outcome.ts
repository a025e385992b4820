import { FileNotStored } from '../core/file-answer.ts';
import type { DeclineCode, Declined, NoEffect, Unknown } from '../core/outcome.ts';
import { Cancelled, InvalidCall, PlatformFault, PlatformRefusal, type UnknownKind } from './errors.ts';

/** The outcome of a call that threw. An error from outside the client leaves it unknown. */
export function outcomeOf(error: unknown): Declined | NoEffect | Unknown {
  if (error instanceof Cancelled) return { kind: 'noEffect', because: 'cancelled' };
  if (error instanceof FileNotStored) return { kind: 'unknown', because: 'not-stored' };
  if (error instanceof InvalidCall) return { kind: 'noEffect', because: 'incomplete', paths: error.paths };
  if (error instanceof PlatformRefusal) return error.effect === 'none' ? declined(error) : failed;
  if (!(error instanceof PlatformFault)) return { ...failed, thrown: error };
  return error.effect === 'none'
    ? { kind: 'noEffect', because: 'unreachable' }
    : { kind: 'unknown', because: error.kind as UnknownKind }; // the table gives each kind its effect
}

const failed: Unknown = { kind: 'unknown', because: 'failed' };

const declined = ({
  status,
  isDocumented,
  reason,
  field,
  untrustedMessage,
  retryAfterSeconds,
}: PlatformRefusal): Declined => ({
  kind: 'declined',
  code: codes[`${status} ${reason}`] ?? codes[status] ?? 'DECLINED',
  ...{ isDocumented, reason, field, untrustedMessage, retryAfterSeconds },
});

/** By status and reason, or else by status. */
const codes: Readonly<Record<number | string, DeclineCode>> = {
  401: 'UNAUTHORIZED',
  403: 'UNAUTHORIZED',
  // The token service tells with it that a customer or an issuer was declined: the credentials are fine.
  '403 DECLINED': 'DECLINED',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
};
