import type { Operation } from '../core/operation.ts';
import type { PlatformError } from './answer.ts';
import { isoTime } from './clock.ts';
import { type Wire, wire } from './wire.ts';

/** The error response of an operation, at a moment of the platform's clock. Its contract says what the body looks like. */
export function refusal(operation: Operation, error: PlatformError, at: number): Wire {
  const { reason, message, source: field, details, retryAfterSeconds } = error;
  const status = operation.error.statuses?.[reason] ?? error.status;
  return wire(
    status,
    operation.error.toBody({ status, reason, message, field, details, at: isoTime(at) }),
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
}
