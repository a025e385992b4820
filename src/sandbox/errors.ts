import { createHash } from 'node:crypto';
import type { Operation } from '../core/operation.ts';
import type { PlatformError } from './answer.ts';
import { isoTime } from './clock.ts';
import { type Wire, wire } from './wire.ts';

/** The error response of an operation, at a moment of the platform's clock. Its contract says what the body looks like. */
export function refusal(operation: Operation, error: PlatformError, at: number, requestId = ''): Wire {
  const { reason, message, source: field, details, retryAfterSeconds } = error;
  const status = operation.error.statuses?.[reason] ?? error.status;
  const id = requestId === '' ? createHash('sha256').update(`${at} ${message}`).digest('hex').slice(0, 26) : requestId;
  return wire(
    status,
    operation.error.toBody({ status, reason, message, field, details, at: isoTime(at), id }),
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
}
