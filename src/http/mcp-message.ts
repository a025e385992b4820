import { isUtf8 } from 'node:buffer';
import { hasDuplicateKeys } from '../core/duplicate-keys.ts';
import { limits } from '../core/limits.ts';
import { jsonIn } from '../listener/read.ts';
import { json } from '../listener/reply.ts';
import { faultOf } from '../mcp/error-redaction.ts';
import { createMessageScanner, type ScannedMessage } from '../mcp/message-scanner.ts';

/** A request whose body has been read. */
export interface Message {
  /** The request itself if `body` is known, and its own must not be read again; otherwise a copy whose body is in memory. */
  readonly request: Request;
  /** What the body of a POST says; undefined for other methods, and if it isn't JSON, which the SDK refuses. */
  readonly body: unknown;
  /** It has a property twice: an answer to a question of approval could be read in two ways. */
  readonly isAmbiguous: boolean;
}

/** Parses a body once, for all that want to know what it says. */
export function messageOf(request: Request, bytes: Uint8Array<ArrayBuffer>): Message {
  const { url, method, headers, signal } = request;
  const text = method === 'POST' ? new TextDecoder().decode(bytes) : '';
  const body = jsonIn(text);
  if (body !== undefined) return { request, body, isAmbiguous: hasDuplicateKeys(text) };
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return {
    request: new Request(url, { method, headers: [...headers], signal, ...(hasBody ? { body: bytes } : {}) }),
    body,
    isAmbiguous: false,
  };
}

/** Refuses a message that is nested too deeply, before anything walks through it; undefined for any other. */
export function refuseDeep(bytes: Uint8Array): Response | undefined {
  return scan(bytes).levels > limits.messageLevels ? unreadable(bytes) : undefined;
}

/** Refuses bytes that aren't UTF-8: with other characters in the place of some, the message would say what nobody has sent. */
export const refuseGarbled = (bytes: Uint8Array): Response | undefined =>
  isUtf8(bytes) ? undefined : json(400, { jsonrpc: '2.0', id: null, error: faultOf(-32700) });

/** The answer to a message that isn't read. */
export const unreadable = (bytes: Uint8Array): Response =>
  json(400, { jsonrpc: '2.0', id: scan(bytes).id ?? null, error: faultOf(-32600) });

function scan(bytes: Uint8Array): ScannedMessage {
  const scanner = createMessageScanner();
  scanner.read(bytes);
  return scanner.scanned();
}
