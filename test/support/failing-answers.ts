// What a server answers that has two tools and nothing else.

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
  'tools/list': { tools: ['add', 'read'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
  'tools/call': { content: [{ type: 'text', text: '{"count":0}' }] },
};

export const answerTo = (id: unknown, method: string): object => ({
  ...{ jsonrpc: '2.0', id },
  ...(results[method] === undefined
    ? { error: { code: -32601, message: 'Unknown method' } }
    : { result: results[method] }),
});
