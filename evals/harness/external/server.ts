import { Client, ProtocolError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { reveal, type Secret } from '../../../src/core/secret.ts';
import { removeFolder, temporaryFolder } from '../../../src/files/write.ts';
import { redactor } from '../redaction/redact.ts';
import { type Called, ServerLost, type Tools, toolsOf } from '../world/mcp.ts';
import type { Canary } from '../world/wire.ts';

/**
 * Stands for the server's fresh folder: in the command, the environment and the arguments of calls. It also takes the place of that folder in
 * answers, so that scenarios, goldens and reports name the same folder in every run.
 */
const folderMark = '{folder}';

/** An external MCP server. */
export interface Server {
  /** A command line, started for each scenario without a shell, or the URL of a running server. */
  readonly at: string;
  /** Environment variables of the command, besides the usual ones. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sent as a bearer token to a URL. */
  readonly token?: Secret<string> | undefined;
  readonly version: string;
}

/** Shorter environment values are settings, not secrets: redacting them would hide ordinary words. */
const leastSecretCharacters = 8;

/** Secrets that the server was given and may repeat; they are redacted everywhere. */
export const secretsOf = ({ environment, token }: Server): readonly Canary[] => [
  ...Object.values(environment)
    .filter(({ length }) => length >= leastSecretCharacters)
    .map((value) => ({ what: 'environment', value })),
  ...(token === undefined ? [] : [{ what: 'token', value: reveal(token) }]),
];

const isUrl = (at: string): boolean => /^https?:\/\//.test(at);

/** Connects with the real MCP client over stdio or HTTP. Throws ServerLost if no server answers. */
export async function connect(server: Server): Promise<Tools> {
  const { transport, leave, folder } = await transportTo(server);
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
    callTool: async (name, args) => {
      const called = callTool(name, exchanged(args, folderMark, folder) as object); // an object stays one
      return exchanged(
        await called.catch((error: unknown) => asAnswer(error, server.at, name)),
        folder,
        folderMark,
      ) as Called;
    },
    close: async () => {
      try {
        await client.close();
      } finally {
        await leave();
      }
    },
  };
}

/** Opens a transport; `leave` removes everything that it created. */
export async function transportTo({
  at,
  environment,
  token,
}: Server): Promise<{ readonly transport: Transport; readonly leave: () => Promise<void>; readonly folder?: string }> {
  if (isUrl(at)) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${reveal(token)}` };
    const transport = new StreamableHTTPClientTransport(new URL(at), { requestInit: { headers } });
    return { transport, leave: async () => undefined };
  }
  const folder = temporaryFolder('purser-eval-');
  const placed = (text: string): string => text.replaceAll(folderMark, folder);
  const [command = '', ...args] = wordsOf(at).map(placed);
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, placed(value)]));
  // Its stderr would mix with the results.
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'ignore',
  });
  return { transport, leave: async () => removeFolder(folder), folder };
}

/** A JSON value with another text in the place of one. Unchanged where there is nothing to exchange. */
function exchanged(value: unknown, one: string | undefined, other: string | undefined): unknown {
  if (one === undefined || other === undefined) return value;
  if (typeof value === 'string') return value.replaceAll(one, other);
  if (Array.isArray(value)) return value.map((it) => exchanged(it, one, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, exchanged(it, one, other)]));
}

/** A protocol error is the server's answer to the call. Any other error means that the server is lost. */
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
