import { limits } from '../core/limits.ts';
import { jsonIn } from '../listener/read.ts';
import { json } from '../listener/reply.ts';
import { faultOf } from '../mcp/error-redaction.ts';
import { createSkimmer } from '../mcp/message-scanner.ts';

/** A request whose body has been read. */
export interface Message {
  /** The request itself if `body` is known, and its own must not be read again; otherwise a copy whose body is in memory. */
  readonly request: Request;
  /** What the body of a POST says; undefined for other methods, and if it isn't JSON, which the SDK refuses. */
  readonly body: unknown;
}

/** Parses a body once, for all that want to know what it says. */
export function messageOf(request: Request, bytes: Uint8Array<ArrayBuffer>): Message {
  const { url, method, headers, signal } = request;
  const body = method === 'POST' ? jsonIn(new TextDecoder().decode(bytes)) : undefined;
  if (body !== undefined) return { request, body };
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return {
    request: new Request(url, { method, headers: [...headers], signal, ...(hasBody ? { body: bytes } : {}) }),
    body,
  };
}

/** Refuses a message that is nested too deeply, before anything walks through it; undefined for any other. */
export function refuseDeep(bytes: Uint8Array): Response | undefined {
  const skimmer = createSkimmer();
  skimmer.read(bytes);
  const { id, levels } = skimmer.skimmed();
  return levels > limits.messageLevels
    ? json(400, { jsonrpc: '2.0', id: id ?? null, error: faultOf(-32600) })
    : undefined;
}
