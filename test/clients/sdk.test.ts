import { contractOf, type Kind } from './contract.ts';
import { load, type Target } from './support.ts';

// Both SDKs of the protocol: the present one, which begins with the 2026 revision, and the one before it.

const info = { name: 'a client', version: '1.0.0' };
const capabilities = (says: boolean | undefined) => (says === undefined ? {} : { elicitation: { form: {} } });
const reaction = (says: boolean | undefined) => async () => ({ action: 'accept', content: { approve: says } });

interface Connected {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: object) => Promise<{
    readonly content: readonly [{ readonly text: string }];
    readonly isError?: boolean;
  }>;
  readonly close: () => Promise<void>;
}

const clientOf = (client: Connected) => ({
  names: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name: string, args: object) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    return { text: content[0].text, isError };
  },
  close: () => client.close(),
});

const transportOf = (target: Target, Http: new (...given: never[]) => unknown, Stdio: new (given: never) => unknown) =>
  target.kind === 'http'
    ? Reflect.construct(Http, [new URL(target.url), { requestInit: { headers: target.headers } }])
    : Reflect.construct(Stdio, [target]);

const present: Kind = {
  name: 'the present SDK',
  asks: true,
  open: async (target, says) => {
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
    const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');
    const versionNegotiation = { mode: 'auto' };
    const client = new Client(info, { capabilities: capabilities(says), versionNegotiation });
    if (says !== undefined) client.setRequestHandler('elicitation/create', reaction(says));
    await client.connect(transportOf(target, StreamableHTTPClientTransport, StdioClientTransport));
    return clientOf(client);
  },
};

const older: Kind = {
  name: 'the SDK before it',
  asks: true,
  open: async (target, says) => {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');
    const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
    const client = new Client(info, { capabilities: capabilities(says) });
    if (says !== undefined) client.setRequestHandler(ElicitRequestSchema, reaction(says));
    await client.connect(transportOf(target, StreamableHTTPClientTransport, StdioClientTransport));
    return clientOf(client);
  },
};

contractOf(present);
contractOf(older);
