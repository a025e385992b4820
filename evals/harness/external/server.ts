import {
  Client,
  type PriorDiscovery,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { reveal, type Secret } from '../../../src/core/secret.ts';
import { removeFolder, temporaryFolder } from '../../../src/files/write.ts';
import { hidden, redactor } from '../redaction/redact.ts';
import { type Called, ServerLost, type Tools, toolsOf } from '../world/mcp.ts';
import type { Canary } from '../world/wire.ts';
import { type Account, type ServerProcess, serverProcess } from './process.ts';

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
  /** How long it may take to answer one request. */
  readonly milliseconds?: number | undefined;
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

/** Whether a server runs already. */
export const isUrl = (at: string): boolean => /^https?:\/\//.test(at);

/** How long a request may take where nobody says. Own choice: most servers answer within one second, and npx may download one first. */
const usualMilliseconds = 30_000;

/** The part of it that finding the protocol's revision may take: an old server may never answer what it doesn't know. */
const probeShare = 1 / 3;

/** Which revision each server speaks. Finding it takes a process of its own, so it is found once. */
const revisions = new WeakMap<Server, PriorDiscovery>();

/** Connects with the real MCP client over stdio or HTTP. Throws ServerLost if no server answers. */
export async function connect(server: Server): Promise<Tools> {
  const { transport, leave, folder, account } = await transportTo(server);
  const { milliseconds = usualMilliseconds, version } = server;
  const prior = revisions.get(server);
  const timeout = prior === undefined ? milliseconds * (1 - probeShare) : milliseconds;
  const probe = { timeoutMs: milliseconds * probeShare };
  const client = new Client({ name: 'purser-eval', version }, { versionNegotiation: { mode: 'auto', probe } });
  const lost = async (error: unknown, what: string, says: string): Promise<never> => {
    throw new ServerLost(await lostText(server, says, error, what, await account?.()), { cause: error });
  };
  const close = async () => {
    try {
      await client.close();
    } finally {
      await leave();
    }
  };
  try {
    await client.connect(transport, { timeout, ...(prior && { prior }) });
    const discover = client.getDiscoverResult();
    revisions.set(server, discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover });
  } catch (error) {
    const failed = await lost(error, 'initialize', `No MCP server answers at ${server.at}`).catch((it: unknown) => it);
    await close().catch(() => undefined); // it has gone already
    throw failed;
  }
  const { listTools, callTool } = toolsOf(client, milliseconds);
  const gone = (error: unknown, what: string): Promise<never> =>
    lost(error, what, `The MCP server at ${server.at} gave no answer to ${what}`);
  return {
    listTools: () => listTools().catch((error: unknown) => gone(error, 'tools/list')),
    callTool: async (name, args) => {
      const called = callTool(name, exchanged(args, folderMark, folder) as object); // an object stays one
      return exchanged(
        await called.catch((error: unknown) => answerIn(error) ?? gone(error, name)),
        folder,
        folderMark,
      ) as Called;
    },
    close,
  };
}

/** Why there is no answer: what came instead, how the process ended, and the last that it wrote to stderr. Nothing of it shows a secret. */
async function lostText(
  server: Server,
  says: string,
  error: unknown,
  what: string,
  account: Account | undefined,
): Promise<string> {
  const redact = redactor(secretsOf(server));
  const { milliseconds = usualMilliseconds } = server;
  const because = isTimeout(error)
    ? `: ${what} was not answered within ${milliseconds / 1000} seconds. --server-timeout changes how long to wait.`
    : account?.ended === undefined
      ? `: ${reasonOf(error, server)}`
      : '.';
  const { ended, lastLines = [] } = account ?? {};
  const lines = lastLines.map((line) => `\n    ${withoutCredentials(redact(line))}`).join('');
  const written =
    account === undefined || isUnstartable(error)
      ? []
      : [lines === '' ? 'It wrote nothing to stderr.' : `Its last lines on stderr:${lines}`];
  return [redact(`${says}${because}`), ...(ended === undefined ? [] : [ended]), ...written].join(' ');
}

/** Names after which logs show a credential. A server may have some that nobody gave it here. */
const credential =
  /\b([\w-]*(?:token|secret|password|passwd|pwd|api[-_]?key|authorization)["']?\s*[:=]\s*["']?)(?!\[hidden\])[^\s"',;]+/gi;

const withoutCredentials = (line: string): string => line.replace(credential, `$1${hidden}`);

/** Whether a command could not be started. */
export const isUnstartable = (error: unknown): boolean => ['ENOENT', 'EACCES'].includes(String(systemCode(error)));

const systemCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const isTimeout = (error: unknown): boolean => error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

/** Why a server is not reached. A command that can't be started is told apart from a server that doesn't answer. */
export function reasonOf(error: unknown, { at }: Server): string {
  const code = systemCode(error);
  const [command = ''] = wordsOf(at);
  if (!isUrl(at) && code === 'ENOENT') return `there is no command ${command}.`;
  if (!isUrl(at) && code === 'EACCES') return `${command} may not be run.`;
  const cause = error instanceof Error ? causeOf(error) : undefined;
  return [error instanceof Error ? error.message : String(error), ...(cause === undefined ? [] : [cause])].join(': ');
}

/** fetch says only that it failed; its innermost cause says why. */
const causeOf = (error: Error): string | undefined =>
  error.cause instanceof Error
    ? (causeOf(error.cause) ?? (error.cause.message || String(systemCode(error.cause)))) // two addresses have no message
    : undefined;

/** Opens a transport; `leave` removes everything that it created. */
export async function transportTo({ at, environment, token }: Server): Promise<{
  readonly transport: Transport;
  readonly leave: () => Promise<void>;
  readonly folder?: string;
  readonly account?: ServerProcess['account'];
}> {
  if (isUrl(at)) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${reveal(token)}` };
    const transport = new StreamableHTTPClientTransport(new URL(at), { requestInit: { headers } });
    return { transport, leave: async () => undefined };
  }
  const folder = temporaryFolder('purser-eval-');
  const placed = (text: string): string => text.replaceAll(folderMark, folder);
  const [command = '', ...args] = wordsOf(at).map(placed);
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, placed(value)]));
  const { transport, account } = serverProcess({ command, args, env: { ...getDefaultEnvironment(), ...env } });
  return { transport, leave: async () => removeFolder(folder), folder, account };
}

/** A JSON value with another text in the place of one. Unchanged where there is nothing to exchange. */
function exchanged(value: unknown, one: string | undefined, other: string | undefined): unknown {
  if (one === undefined || other === undefined) return value;
  if (typeof value === 'string') return value.replaceAll(one, other);
  if (Array.isArray(value)) return value.map((it) => exchanged(it, one, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, exchanged(it, one, other)]));
}

/** A protocol error is the server's answer to the call, and so is a result that MCP doesn't allow. After any other error the server is lost. */
function answerIn(error: unknown): Called | undefined {
  const isAnswer =
    error instanceof ProtocolError || (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult);
  return isAnswer ? { answer: error.message, text: error.message, isError: true } : undefined;
}

/** The words of a command line. Quotes keep blanks; nothing else means anything, because no shell reads it. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
