import { STATUS_CODES } from 'node:http';
import { gatewayError } from '../core/error-format.ts';

/** A response as it goes over the wire. An injected fault may declare a wrong length. */
export interface Wire {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

/** A JSON response. */
export const wire = (status: number, body: unknown, headers: Wire['headers'] = {}): Wire => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});

/** An error response that belongs to no operation. */
export const gatewayRefusal = (status: number, headers: Wire['headers'] = {}, message = STATUS_CODES[status]): Wire =>
  wire(status, gatewayError(message), headers);

/** A response with the date at which it was made. */
export const dated = (response: Wire, at: number): Wire => ({
  ...response,
  headers: { date: new Date(at).toUTCString(), ...response.headers },
});

/** The response to a path that does not exist, or does not take this method. */
export function unmatched(
  found: { readonly kind: 'otherMethod'; readonly allow: readonly string[] } | { readonly kind: 'nothing' },
  method: string,
): Wire {
  if (found.kind === 'nothing') return gatewayRefusal(404);
  const allow = { allow: found.allow.join(', ') };
  return method === 'OPTIONS' ? { status: 204, headers: allow, text: '' } : gatewayRefusal(405, allow);
}
