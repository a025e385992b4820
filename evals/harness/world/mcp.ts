import { createHash } from 'node:crypto';
import { Client, type ElicitResult, InMemoryTransport, type ProtocolError } from '@modelcontextprotocol/client';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import { mostCharacters, type Prompt } from '../../../src/mcp/prompts.ts';
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

async function connected(
  { engine, caller, version, user }: Connecting,
  prompts: readonly Prompt[] = [],
): Promise<Client> {
  const factory = createMcpFactory({ engine, caller, transport: 'stdio', version, prompts });
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

/** What a host gets before any call: what the server can do, its instructions, and all that it lists. */
export interface Listing {
  readonly instructions: string;
  readonly tools: readonly object[];
  readonly templates: readonly object[];
  /** What the server says that it can do. */
  readonly capabilities: object;
  /** What comes of requests that a careful host doesn't send. */
  readonly misuse: { readonly [what: string]: Pick<ProtocolError, 'code' | 'message'> | 'accepted' };
}

export async function listingOf(it: Connecting): Promise<Listing> {
  const client = await connected(it, [examplePrompt]);
  try {
    const { tools } = await client.listTools();
    const { resourceTemplates: templates } = await client.listResourceTemplates();
    const capabilities = client.getServerCapabilities() ?? {};
    return {
      instructions: client.getInstructions() ?? '',
      tools,
      templates,
      capabilities,
      misuse: await misuseOf(client),
    };
  } finally {
    await client.close();
  }
}

/** Stands for the prompts of the package, whose texts are in docs/prompts.md. */
const examplePrompt: Prompt = {
  ...{ name: 'look', title: 'Look', description: 'Looks.', toolset: 'purchase', text: 'Look.' },
  arguments: { at: 'What to look at.' },
};

async function misuseOf(client: Client): Promise<Listing['misuse']> {
  const look = (given: { readonly [name: string]: string }) => client.getPrompt({ name: 'look', arguments: given });
  const requests: { readonly [what: string]: () => Promise<unknown> } = {
    'an unknown tool': () => client.callTool({ name: 'none' }),
    'an unknown prompt': () => client.getPrompt({ name: 'none' }),
    'an unknown resource': () => client.readResource({ uri: 'purser://none' }),
    'the longest argument of a prompt': () => look({ at: 'a'.repeat(mostCharacters) }),
    'too long an argument of a prompt': () => look({ at: 'a'.repeat(mostCharacters + 1) }),
    'an argument of a prompt like a card': () => look({ at: '4111 1111 1111 1111' }),
    'an argument that a prompt has not': () => look({ none: 'Word' }),
  };
  const found: { [what: string]: Listing['misuse'][string] } = {};
  for (const [what, request] of Object.entries(requests))
    found[what] = await request().then(
      () => 'accepted' as const,
      ({ code, message }: ProtocolError) => ({ code, message }), // these are refused by the protocol only
    );
  return found;
}

const reactions: Readonly<Record<Reaction, ElicitResult>> = {
  approve: { action: 'accept', content: { approve: true } },
  deny: { action: 'decline' },
  close: { action: 'cancel' },
};

/** The tools of a connected client. A request may take so long, or as long as the SDK waits. */
export const toolsOf = (client: Client, timeout?: number): Tools => ({
  listTools: async () =>
    (await client.listTools({}, waiting(timeout))).tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
  callTool: async (name, args) => calledOf(await client.callTool({ name, arguments: { ...args } }, waiting(timeout))),
  close: () => client.close(),
});

const waiting = (timeout: number | undefined) => (timeout === undefined ? {} : { timeout });

function calledOf(result: object): Called {
  const {
    structuredContent,
    content,
    isError = false,
  } = result as {
    readonly structuredContent?: unknown;
    readonly content?: readonly Part[];
    readonly isError?: boolean;
  };
  const text = (content ?? []).flatMap((part) => part.text ?? []).join('\n');
  const others = (content ?? []).filter(({ text: its }) => its === undefined).map(shortly);
  const answer = structuredContent ?? (others.length === 0 ? readJson(text) : { text: readJson(text), parts: others });
  return { answer, text, isError };
}

/** A part of a result's content. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly data?: unknown;
}

/** What is shown of a digest. Own choice: enough to tell two pictures apart, and too short to be taken for a random id. */
const digits = 12;

/** A part that is no text, such as a picture or a link. Data is shown by its digest: who reads a golden sees that it differs. */
const shortly = ({ data, ...part }: Part): object =>
  typeof data === 'string'
    ? { ...part, sha256: createHash('sha256').update(data).digest('hex').slice(0, digits) }
    : part;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a server may answer in plain words
  }
}
