import { STATUS_CODES } from 'node:http';
import { gatewayError } from '../domains/errors.ts';
import { contract, type OperationName } from '../domains/index.ts';
import type { PlatformError } from './answer.ts';
import { isoTime } from './clock.ts';
import type { Wire } from './faults.ts';
import type { Found } from './routes.ts';

/** The error response of an operation, at a moment of the platform's clock. */
export const refusal = (name: OperationName, error: PlatformError, at: number): Wire =>
  wire(
    error.status,
    contract[name].error.toBody({ ...partsOf(error), at: isoTime(at) }),
    error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) },
  );

/** The answer to a path that does not exist, or not with this method. */
export function astray(found: Exclude<Found<unknown>, { kind: 'route' }>, method: string): Wire {
  if (found.kind === 'nothing') return plainRefusal(404);
  const allow = { allow: found.allow.join(', ') };
  return method === 'OPTIONS' ? { status: 204, headers: allow, text: '' } : plainRefusal(405, allow);
}

/** A no that belongs to no operation, in the shape that connectors of the platform parse. */
export const plainRefusal = (status: number, headers: Wire['headers'] = {}, message = STATUS_CODES[status]): Wire =>
  wire(status, gatewayError(message), headers);

export const wire = (status: number, body: unknown, headers: Wire['headers'] = {}): Wire => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});

const partsOf = ({ status, reason, message, source: field, details }: PlatformError) => ({
  ...{ status, reason, message, field, details },
});
