import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import { closestName } from '../engine/closest-name.ts';

/** The messages of protocol errors. The SDK's own would repeat the caller's text. */
const sentences: { readonly [code: number]: string | undefined } = {
  [-32700]: 'Parse error: the message is not JSON in UTF-8.',
  [-32600]:
    'Invalid request: the message is not MCP, names a property twice, is too long or too deeply nested, or has the id of a request under way.',
  [-32601]: 'Method not found.',
  [-32602]: 'Invalid params: a name, an argument or the envelope is not supported. See the lists.',
  [-32603]: 'Internal error. The operator can see the cause.',
  [-32001]: 'Session not found: it has ended, or belongs to another path. Initialize again.',
  [-32020]: 'Header mismatch: MCP-Protocol-Version, Mcp-Method or Mcp-Name differs from what the message says.',
  [-32022]: 'Unsupported protocol version: use one of `data.supported`.',
};
const otherwise = 'The request was refused.';

/** The code of refused HTTP requests, and what their status says. */
const refusedRequest = -32000;
const sentencesOfStatus: { readonly [status: number]: string | undefined } = {
  400: 'Bad request: MCP-Protocol-Version, Mcp-Session-Id or Last-Event-ID is missing or not supported.',
  405: 'Method not allowed: send messages by POST. GET and DELETE need the Mcp-Session-Id of a session.',
  406: 'Not acceptable: Accept must list application/json and text/event-stream for POST, text/event-stream for GET.',
  409: 'Conflict: this session has an open event stream.',
  415: 'Unsupported media type: Content-Type must be application/json.',
};

/** Purser's own messages, which never contain a caller's text. */
const own: readonly RegExp[] = [
  /Known arguments are [a-z_, ]+: text of at most \d+ characters\.$/,
  /An argument looks like card data\.$/,
  /^Invalid or expired requestState$/,
  /^Resource not found(?=: )/,
  /^Too many calls of this kind\. Wait, then continue\.$/,
  /^There is no such (?:tool|prompt)\.(?: Did you mean [a-z_]{1,64}\?)?$/,
  /^Invalid params: `arguments` must be an object\.$/,
];

/** The names that a server lists, which alone are suggested. */
export interface ListedNames {
  readonly tool: readonly string[];
  readonly prompt: readonly string[];
}

/** What of Purser's own there is to say about wrong params; undefined where the SDK's message tells nothing. */
function aboutParams(message: string, listed: ListedNames): string | undefined {
  const [, kind, name = ''] = /^(Tool|Prompt) (.*) not found$/s.exec(message) ?? [];
  if (kind !== undefined) {
    const of = kind === 'Tool' ? 'tool' : 'prompt';
    const meant = closestName(name, listed[of]);
    return `There is no such ${of}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
  }
  const faults = faultsIn(message);
  return faults.some((fault) => fault?.path?.join() === 'params,arguments')
    ? 'Invalid params: `arguments` must be an object.'
    : undefined;
}

/** The error data that is kept: Purser's own lists. */
const dataKept: readonly string[] = ['supported', 'requiredCapabilities', 'elicitations'];

interface Fault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function faultOf(given: number, message = '', data?: unknown, listed: ListedNames = none): Fault {
  const code = given === internal && isAboutParams(message) ? invalidParams : given;
  const known = own.map((pattern) => pattern.exec(message)?.[0]).find((found) => found !== undefined);
  const sentence = known ?? (code === invalidParams ? aboutParams(message, listed) : undefined);
  const kept = Object.entries(typeof data === 'object' && data !== null ? data : {}).filter(([name]) =>
    dataKept.includes(name),
  );
  return {
    code,
    message: sentence ?? sentences[code] ?? otherwise,
    ...(kept.length === 0 ? {} : { data: Object.fromEntries(kept) }),
  };
}

const none: ListedNames = { tool: [], prompt: [] };
const invalidParams = -32602;
const internal = -32603;

interface ParamFault {
  readonly path?: readonly unknown[];
}

/** Whether an error lists the faults of params by their schema: the SDK sends that as an internal error. */
function isAboutParams(message: string): boolean {
  const faults = message.startsWith('[') ? faultsIn(message) : [];
  return faults.length > 0 && faults.every((fault) => fault?.path?.[0] === 'params');
}

/** The faults of params that a message lists, alone or after words of the SDK. */
function faultsIn(message: string): readonly (ParamFault | null)[] {
  try {
    const faults: unknown = JSON.parse(message.slice(message.indexOf('[')));
    return Array.isArray(faults) ? faults : [];
  } catch {
    return [];
  }
}

/** The same message, with its error text replaced by Purser's own. */
export function withoutEcho(message: JSONRPCMessage, listed?: ListedNames): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { code, message: text, data } = message.error;
  return { ...message, error: faultOf(code, text, data, listed) };
}

/** Replaces the text of every error that a server sends, on any connection. */
export function redactErrors(server: McpServer, listed: ListedNames): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutEcho(message, listed), options);
    return connect(transport);
  };
}

/** The same response; an MCP error in JSON gets Purser's own text. */
export async function responseWithoutEcho(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.status < 400 || !isJson) return response;
  const body = ofStatus(response.status, withoutEcho((await response.json()) as JSONRPCMessage)); // the SDK's own message
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

function ofStatus(status: number, message: JSONRPCMessage): JSONRPCMessage {
  const sentence = sentencesOfStatus[status];
  if (sentence === undefined || !('error' in message) || message.error.code !== refusedRequest) return message;
  return { ...message, error: { ...message.error, message: sentence } };
}
