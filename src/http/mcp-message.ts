import { limits } from '../core/limits.ts';
import { json } from '../listener/reply.ts';
import { faultOf } from '../mcp/error-redaction.ts';
import { createSkimmer } from '../mcp/message-scanner.ts';

/** A request whose body has been read. */
export interface Message {
  /** Without its body, if that is JSON; otherwise a copy with the body, because the server has read the original's. */
  readonly request: Request;
  /** The body of a POST; undefined if it isn't JSON, which the SDK refuses. */
  readonly body: unknown;
}

/** Parses a body once, for all that want to know what it says. */
export function messageOf(request: Request, bytes: Uint8Array<ArrayBuffer>): Message {
  const { url, method, headers, signal } = request;
  const body = method === 'POST' ? parsed(bytes) : undefined;
  if (body !== undefined) return { request, body };
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return {
    request: new Request(url, { method, headers: [...headers], signal, ...(hasBody ? { body: bytes } : {}) }),
    body,
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
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
