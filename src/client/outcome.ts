import type { DeclineCode, Declined, NoEffect, Unknown } from '../core/outcome.ts';
import { InvalidCall, PlatformFault, PlatformRefusal } from './errors.ts';

/** What a call that threw this came to. An error that is none of the client's leaves the outcome unknown. */
export function outcomeOf(error: unknown): Declined | NoEffect | Unknown {
  if (error instanceof InvalidCall) return { kind: 'noEffect', because: 'incomplete', paths: error.paths };
  if (error instanceof PlatformRefusal) return error.effect === 'none' ? declined(error) : failed;
  if (!(error instanceof PlatformFault)) return { ...failed, thrown: error };
  const { kind } = error;
  return kind === 'misaddressed' || kind === 'unreachable'
    ? { kind: 'noEffect', because: 'unreachable' }
    : { kind: 'unknown', because: kind };
}

const failed: Unknown = { kind: 'unknown', because: 'failed' };

const declined = ({ status, reason, field, untrustedMessage, retryAfterSeconds }: PlatformRefusal): Declined => ({
  kind: 'declined',
  code: codes[status] ?? 'DECLINED',
  ...{ reason, field, untrustedMessage, retryAfterSeconds },
});

const codes: Readonly<Record<number, DeclineCode>> = {
  401: 'UNAUTHORIZED',
  403: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
};
