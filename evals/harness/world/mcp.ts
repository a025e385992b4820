import { Client, type ElicitResult, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import { createMcpFactory } from '../../../src/mcp/server.ts';

/** Whoever the agent talks to: Purser, or any other MCP server. */
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

/** The server on trial gave no answer: that is no verdict about it. A replay ends with code 4; of a model's run one trial is lost. */
export class ServerLost extends Error {
  override readonly name = 'ServerLost';
}

/** What a call came back with. */
export interface Called {
  /** The structured answer; the text, read as JSON or as it is, where a server gives none. */
  readonly answer: unknown;
  /** The text that a model reads. */
  readonly text: string;
  readonly isError: boolean;
}

/** How the user of an agent's host reacts to a question about an approval: with a yes, with a no, or by closing it. */
export type Reaction = 'approve' | 'deny' | 'close';

/**
 * An engine behind a real MCP client and server, in memory. The engine may be another one at each call. Where a user is there
 * to react, the client says that it can ask one.
 */
export async function connectInMemory(
  engine: Engine,
  caller: Caller,
  version: string,
  user?: () => Reaction,
): Promise<Tools> {
  const factory = createMcpFactory({ engine, caller, transport: 'stdio', version });
  const server = await factory({ era: 'legacy' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const capabilities = user === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'purser-eval', version }, { versionNegotiation: { mode: 'legacy' }, capabilities });
  if (user !== undefined) client.setRequestHandler('elicitation/create', () => reactions[user()]);
  await client.connect(near);
  return toolsOf(client);
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
