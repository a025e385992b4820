import { tokens, type World } from './support.ts';

// MCP as bytes: what no well-behaved client would send.

/** What came back for one JSON-RPC message. */
export interface Wire {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: results are compared whole, not typed
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Members of a 2026 call besides name and arguments. */
export interface Extra {
  readonly capabilities?: object;
  readonly inputResponses?: object;
  readonly requestState?: string;
}

/** Calls a tool as a client of the 2026 revision. */
export function call2026({ face }: Pick<World, 'face'>, name: string, args: unknown, extra: Extra = {}): Promise<Wire> {
  const { capabilities = { elicitation: { form: {} } }, ...more } = extra;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const params = { name, arguments: args, ...more, _meta };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return send(face, JSON.stringify(message), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  });
}

/** Calls a tool as a client of 2025, with the arguments as text, so that they may be anything. */
export const call2025 = ({ face }: Pick<World, 'face'>, name: string, args: string): Promise<Wire> =>
  send(
    face,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`,
    { 'mcp-protocol-version': '2025-11-25' },
  );

/** Posts a message and reads the one answer, whether it comes as JSON or as an event. */
async function send(face: World['face'], body: string, headers: Record<string, string>): Promise<Wire> {
  const response = await face.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.agent}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    }),
  );
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}');
  const { result, error } = JSON.parse(json);
  return {
    status: response.status,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}
