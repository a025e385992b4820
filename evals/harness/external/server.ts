import { Client, ProtocolError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { reveal, type Secret } from '../../../src/core/secret.ts';
import { removeFolder, temporaryFolder } from '../../../src/files/write.ts';
import { redactor } from '../redaction/redact.ts';
import { ServerLost, type Tools, toolsOf } from '../world/mcp.ts';
import type { Canary } from '../world/wire.ts';

/** Stands for a fresh folder of the scenario's own, wherever a server is told of one. */
export const folderMark = '{folder}';

/** An MCP server that is not ours. */
export interface Server {
  /** A command line, started afresh for each scenario and without a shell; or the URL of a server that runs. */
  readonly at: string;
  /** What the command finds in its environment, besides what any program needs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sent as a bearer token to a URL. */
  readonly token?: Secret<string> | undefined;
  readonly version: string;
}

/** Values of an environment that are shorter are settings, and would be hidden wherever the word stands. */
const leastSecretCharacters = 8;

/** What is hidden of a server wherever it stands: it was given these, so it may repeat them. */
export const secretsOf = ({ environment, token }: Server): readonly Canary[] => [
  ...Object.values(environment)
    .filter(({ length }) => length >= leastSecretCharacters)
    .map((value) => ({ what: 'environment', value })),
  ...(token === undefined ? [] : [{ what: 'token', value: reveal(token) }]),
];

export const isUrl = (at: string): boolean => /^https?:\/\//.test(at);

/** Connects to a server as an agent's host would: with the real client, over stdio or HTTP. Throws ServerLost where none answers. */
export async function connect(server: Server): Promise<Tools> {
  const { transport, leave } = await transportTo(server);
  const client = new Client({ name: 'purser-eval', version: server.version }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport);
  } catch (error) {
    await leave();
    const because = redactor(secretsOf(server))(error instanceof Error ? error.message : '');
    throw new ServerLost(`No MCP server answers at ${server.at}: ${because}`, { cause: error });
  }
  const { listTools, callTool } = toolsOf(client);
  return {
    listTools: () => listTools().catch((error: unknown) => gone(error, server.at, 'the list of its tools')),
    callTool: (name, args) => callTool(name, args).catch((error: unknown) => asAnswer(error, server.at, name)),
    close: async () => {
      try {
        await client.close();
      } finally {
        await leave();
      }
    },
  };
}

/** The way to a server, and how to leave nothing of it behind. */
export async function transportTo({
  at,
  environment,
  token,
}: Server): Promise<{ readonly transport: Transport; readonly leave: () => Promise<void> }> {
  if (isUrl(at)) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${reveal(token)}` };
    const transport = new StreamableHTTPClientTransport(new URL(at), { requestInit: { headers } });
    return { transport, leave: async () => undefined };
  }
  const folder = temporaryFolder('purser-eval-');
  const placed = (text: string): string => text.replaceAll(folderMark, folder);
  const [command = '', ...args] = wordsOf(at).map(placed);
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, placed(value)]));
  // What it has to say for itself is not ours to print between results.
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'ignore',
  });
  return { transport, leave: async () => removeFolder(folder) };
}

/** An error of the protocol is what the server said to the call; whatever else goes wrong is none of its words. */
function asAnswer(error: unknown, at: string, name: string) {
  if (!(error instanceof ProtocolError)) return gone(error, at, name);
  return { answer: error.message, text: error.message, isError: true };
}

function gone(error: unknown, at: string, what: string): never {
  throw new ServerLost(`The MCP server at ${at} gave no answer to ${what}.`, { cause: error });
}

/** The words of a command line. Quotes keep blanks; nothing else means anything, because no shell reads it. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
