import { Client, type ElicitResult, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import { createMcpFactory } from '../../../src/mcp/server.ts';
import { sharedValidator } from './validators.ts';

/** The tools of an MCP server: Purser or an external one. */
export interface Tools {
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, args: object): Promise<Called>;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The server didn't answer, which is no verdict. A replay ends with code 4; a live run loses one trial. */
export class ServerLost extends Error {
  override readonly name = 'ServerLost';
}

/** The result of a call. */
export interface Called {
  /** The structured content, or the text, parsed as JSON where possible. */
  readonly answer: unknown;
  /** The text that a model reads. */
  readonly text: string;
  readonly isError: boolean;
}

/** How the host's user reacts to an elicitation about an approval. */
export type Reaction = 'approve' | 'deny' | 'close';

/**
 * Connects a real MCP client and server in memory. With a user, the client declares elicitation.
 */
export async function connectInMemory(
  engine: Engine,
  caller: Caller,
  version: string,
  user?: () => Reaction,
): Promise<Tools> {
  return toolsOf(await connected({ engine, caller, version, user }));
}

interface Connecting {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly version: string;
  readonly user?: (() => Reaction) | undefined;
}

async function connected({ engine, caller, version, user }: Connecting): Promise<Client> {
  const factory = createMcpFactory({ engine, caller, transport: 'stdio', version });
  const server = await factory({ era: 'legacy' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const capabilities = user === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(
    { name: 'purser-eval', version },
    { versionNegotiation: { mode: 'legacy' }, capabilities, jsonSchemaValidator: sharedValidator },
  );
  if (user !== undefined) client.setRequestHandler('elicitation/create', () => reactions[user()]);
  await client.connect(near);
  return client;
}

/** What a host gets before any call: the instructions, the tools as they are listed, and templates of what it may read. */
export interface Listing {
  readonly instructions: string;
  readonly tools: readonly object[];
  readonly templates: readonly object[];
}

export async function listingOf(it: Connecting): Promise<Listing> {
  const client = await connected(it);
  try {
    const { tools } = await client.listTools();
    const { resourceTemplates: templates } = await client.listResourceTemplates();
    return { instructions: client.getInstructions() ?? '', tools, templates };
  } finally {
    await client.close();
  }
}

const reactions: Readonly<Record<Reaction, ElicitResult>> = {
  approve: { action: 'accept', content: { approve: true } },
  deny: { action: 'decline' },
  close: { action: 'cancel' },
};

/** The tools of a connected client. */
export const toolsOf = (client: Client): Tools => ({
  listTools: async () =>
    (await client.listTools()).tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
  callTool: async (name, args) => calledOf(await client.callTool({ name, arguments: { ...args } })),
  close: () => client.close(),
});

function calledOf(result: object): Called {
  const {
    structuredContent,
    content,
    isError = false,
  } = result as {
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly type: string; readonly text?: string }[];
    readonly isError?: boolean;
  };
  const text = (content ?? []).flatMap((part) => part.text ?? []).join('\n');
  return { answer: structuredContent ?? readJson(text), text, isError };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a server may answer in plain words
  }
}
