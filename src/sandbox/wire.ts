import { STATUS_CODES } from 'node:http';
import { gatewayError } from '../core/error-format.ts';
import type { FileType } from '../core/file-answer.ts';

/** A file as the platform sends it. */
export interface SentFile {
  readonly type: FileType;
  /** Its size, where it is known before; otherwise it goes out in chunks. */
  readonly bytes?: number;
  readonly pieces: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** A response as it goes over the wire. An injected fault may declare a wrong length. */
export interface Wire {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  /** What is sent instead of the text. */
  readonly file?: SentFile | undefined;
}

/** A JSON response; without a body where there is nothing to say. */
export const wire = (status: number, body: unknown, headers: Wire['headers'] = {}): Wire => ({
  status,
  headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  text: body === undefined ? '' : JSON.stringify(body),
});

export const jose = 'application/jose';

/** A response that is a signed body. */
export const signedWire = (status: number, text: string): Wire => ({ status, headers: { 'content-type': jose }, text });

/** A response that is a file. */
export const fileWire = (status: number, file: SentFile): Wire => ({
  status,
  headers: {
    'content-type': file.type,
    ...(file.bytes === undefined ? {} : { 'content-length': String(file.bytes) }),
  },
  text: '',
  file,
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
