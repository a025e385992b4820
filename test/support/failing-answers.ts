// What a server answers that has some tools and nothing else.

/** A request, or a notification if it has no id. */
export interface Asked {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
    serverInfo: { name: 'failing', version: '1' },
  },
  'tools/call': { content: [{ type: 'text', text: '{"count":0}' }] },
};

export function answerTo(id: unknown, method: string, tools: readonly string[] = ['add', 'read']): object {
  const result =
    method === 'tools/list'
      ? { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }
      : results[method];
  const error = { code: -32601, message: 'Unknown method' };
  return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
}
