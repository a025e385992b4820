import { limits } from '../core/limits.ts';
import { json } from '../listener/reply.ts';
import { faultOf } from '../mcp/error-redaction.ts';
import { createSkimmer } from '../mcp/message-scanner.ts';

/** A copy of a request with its body in memory, because the server owns the original. */
export function withBody({ url, method, headers, signal }: Request, bytes: Uint8Array<ArrayBuffer>): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers: [...headers], signal, ...(hasBody ? { body: bytes } : {}) });
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
