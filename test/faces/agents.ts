import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import {
  Client,
  type ElicitResult,
  type RequestOptions,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { sharedValidator } from '../../evals/harness/world/validators.ts';
import { listed } from '../../src/cli/listed.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { channels } from '../../src/engine/approval-channels.ts';
import { listen } from '../../src/http/listen.ts';
import { serveStdioEarly } from '../../src/mcp/lazy-stdio.ts';
import { programOf } from '../support/bundled.ts';
import { agentCaller, type Others, over, tokens, type World, world } from './support.ts';

/** What a tool call came back with. */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: data are compared whole, not typed
  readonly answer: Answer & { readonly data?: any };
  readonly isError: boolean | undefined;
  readonly text: string;
}

/** An agent's host: an MCP client of some era over some transport. */
export interface Agent {
  call(tool: string, args?: object): Promise<Called>;
  tools(): Promise<readonly Listed[]>;
  readonly instructions: string | undefined;
  readonly server: { readonly name: string; readonly version: string } | undefined;
}

export interface Listed {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly outputSchema?: object | undefined;
  readonly annotations?: object | undefined;
}

/** How the user at the client reacts to a question; without one the client has no elicitation. */
export type User = (message: string) => ElicitResult | Promise<ElicitResult>;
export const says = {
  yes: () => ({ action: 'accept', content: { approve: true } }),
  no: () => ({ action: 'accept', content: { approve: false } }),
  decline: () => ({ action: 'decline' }),
  cancel: () => ({ action: 'cancel' }),
} as const satisfies Record<string, (message: string) => ElicitResult>;

const info = { name: 'test', version: '0' };
const asking = (user: User | undefined) => (user === undefined ? {} : { elicitation: { form: {} } });

type AnyTransport = Parameters<Client['connect']>[0];

/** A client of the present SDK, in the era that is named. */
export async function connect(
  transport: AnyTransport,
  mode: VersionNegotiationMode,
  user?: User,
  capabilities: object = asking(user),
): Promise<Agent & { readonly client: Client }> {
  const client = new Client(info, { capabilities, versionNegotiation: { mode }, jsonSchemaValidator: sharedValidator });
  if (user !== undefined) client.setRequestHandler('elicitation/create', async ({ params }) => user(params.message));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, args = {}) => calledOf(await client.callTool({ name, arguments: { ...args } })),
    tools: async () => (await client.listTools()).tools,
    instructions: client.getInstructions(),
    server: client.getServerVersion(),
  };
}

/** A client of the older SDK. */
async function connectOlder(
  transport: Parameters<OlderClient['connect']>[0],
  user?: User,
): Promise<Agent & { readonly client: OlderClient }> {
  const client = new OlderClient(info, { capabilities: asking(user) });
  if (user !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await user(params.message)) }) as never);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name, args = {}) => calledOf(await client.callTool({ name, arguments: { ...args } })),
    tools: async () => (await client.listTools()).tools,
    instructions: client.getInstructions(),
    server: client.getServerVersion(),
  };
}

function calledOf(result: object): Called {
  const { structuredContent, content, isError } = result as {
    structuredContent: Called['answer'];
    content: readonly { text: string }[];
    isError?: boolean;
  };
  return { answer: structuredContent, isError, text: content[0]?.text ?? '' };
}

/** MCP over HTTP without a port: the face itself answers. */
export const inProcess = ({ face }: World, token: string = tokens.agent, path = '/mcp') =>
  new StreamableHTTPClientTransport(new URL(path, 'http://localhost'), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: (url, init) => face.fetch(new Request(url, init)),
  });

/** The face of a world on a real port. */
export async function onPort({ face }: World): Promise<URL> {
  const served = await listen(face, { port: 0 });
  onTestFinished(() => served.close());
  return new URL('/mcp', served.url);
}

/** The command line of a Purser of its own that serves stdio, and says on stderr where the others find it. */
async function child() {
  const { file, env } = await programOf(new URL('./children/serve.ts', import.meta.url));
  return {
    command: process.execPath,
    args: [file],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe' as const,
  };
}

/** An agent together with the others of the same Purser. */
export interface Scene {
  readonly agent: Agent;
  readonly others: Others;
}

/** An agent of the older SDK, over the port of a world. */
async function olderOnPort(here: World, user?: User): ReturnType<typeof connectOlder> {
  const requestInit = { headers: { authorization: `Bearer ${tokens.agent}` } };
  // The two libraries of types differ in how they write an absent session id.
  const transport = new OlderHttp(await onPort(here), { requestInit }) as Parameters<OlderClient['connect']>[0];
  return connectOlder(transport, user);
}

/** A client of an SDK's library, as its host has it. */
export interface HttpClient {
  readonly client: Client | OlderClient;
  readonly call: (tool: string, args: object, options?: RequestOptions) => Promise<object>;
}

const clientOf = (client: Client): HttpClient => ({
  client,
  call: (tool, args, options) => client.callTool({ name: tool, arguments: { ...args } }, options),
});

/** A client of the present SDK over stdio, without a process: Purser is at the other ends of two pipes. */
export async function overPipes(
  { running: { engine } }: World,
  user?: User,
): Promise<HttpClient & { readonly leave: () => Promise<void> }> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveStdioEarly({
    ...{ engine: async () => engine, environment: engine.environment, caller: agentCaller, version: '0' },
    listed: listed.map((tool) => ({ ...tool, isRead: tool.annotations.readOnlyHint })),
    ...{ stdin, stdout },
  });
  const leave = async (): Promise<void> => {
    stdin.end();
    await served.closed;
  };
  onTestFinished(leave);
  const transport: AnyTransport = {
    start: async () => {
      createInterface(stdout).on('line', (line) => transport.onmessage?.(JSON.parse(line)));
    },
    send: async (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => transport.onclose?.(),
  };
  return { ...clientOf((await connect(transport, 'legacy', user)).client), leave };
}

/** Each library over HTTP. */
export const httpClients: readonly {
  readonly name: string;
  readonly open: (here: World, user?: User) => Promise<HttpClient>;
}[] = [
  ...(
    [
      ['2026 over HTTP', { pin: '2026-07-28' }],
      ['2025 over HTTP, in a session', 'legacy'],
    ] as const
  ).map(([name, mode]) => ({
    name,
    open: async (here: World, user?: User) => clientOf((await connect(inProcess(here), mode, user)).client),
  })),
  {
    name: 'the older SDK over a port, in a session',
    open: async (here, user) => {
      const { client } = await olderOnPort(here, user);
      return {
        client,
        call: (tool, args, options) =>
          client.callTool({ name: tool, arguments: { ...args } }, undefined, options as never),
      };
    },
  },
];

/** Every way to a Purser: era, transport, and whether a question can reach a user over it. */
export const ways: readonly {
  readonly name: string;
  readonly asks: boolean;
  readonly open: (user?: User) => Promise<Scene>;
}[] = [
  {
    name: '2026 over HTTP, in process, with forms allowed',
    asks: true,
    open: async (user) => {
      const here = await world({ configuration: { channels } });
      return { agent: await connect(inProcess(here), { pin: '2026-07-28' }, user), others: here };
    },
  },
  {
    name: '2025 over HTTP, in process',
    asks: false,
    open: async (user) => {
      const here = await world();
      return { agent: await connect(inProcess(here), 'legacy', user), others: here };
    },
  },
  {
    name: 'the older SDK over HTTP, on a port',
    asks: false,
    open: async (user) => {
      const here = await world();
      return { agent: await olderOnPort(here, user), others: here };
    },
  },
  { name: '2026 over stdio', asks: true, open: (user) => spawned(user, { pin: '2026-07-28' }) },
  { name: '2025 over stdio', asks: true, open: (user) => spawned(user, 'legacy') },
  {
    name: 'the older SDK over stdio',
    asks: true,
    open: async (user) => {
      const transport = new OlderStdio(await child());
      const told = firstLine(transport.stderr);
      const agent = await connectOlder(transport, user);
      return { agent, others: over(await told, (request) => fetch(request)) };
    },
  },
];

async function spawned(user: User | undefined, mode: VersionNegotiationMode): Promise<Scene> {
  const transport = new StdioClientTransport(await child());
  const told = firstLine(transport.stderr);
  const agent = await connect(transport, mode, user);
  return { agent, others: over(await told, (request) => fetch(request)) };
}

/** The first line that a child writes to stderr. */
function firstLine(stream: unknown): Promise<string> {
  const stderr = stream as NodeJS.ReadableStream; // it was asked for as a pipe
  return new Promise((resolve) => {
    let text = '';
    stderr.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
  });
}
