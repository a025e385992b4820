import type { JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';

/** What is answered where a message is wrong. An answer of the SDK repeats the caller's words, which may be anything. */
const sentences: { readonly [code: number]: string | undefined } = {
  [-32700]: 'Parse error: the message is not JSON in UTF-8.',
  [-32600]: 'Invalid request: the message is not one of MCP, or is too long or too deep.',
  [-32601]: 'Method not found.',
  [-32602]: 'Invalid params: a name, an argument or the envelope is not one that is served. The lists say what is.',
  [-32603]: 'Internal error; the operator can read why.',
  [-32001]: 'Session not found: it has ended, or was begun at another address. Initialize again.',
  [-32002]: 'Resource not found.',
};
const otherwise = 'The request is refused.';

/** Sentences of our own, which hold nothing that a caller wrote. */
const own: readonly RegExp[] = [
  /Known arguments are [a-z_, ]+: text of at most \d+ characters\.$/,
  /An argument looks like card data\.$/,
  /^Invalid or expired requestState$/,
];

/** What may stay of an error's data: Purser's own lists. */
const dataKept: readonly string[] = ['supported', 'requiredCapabilities', 'elicitations'];

interface Fault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function faultOf(code: number, message = '', data?: unknown): Fault {
  const sentence = own.map((pattern) => pattern.exec(message)?.[0]).find((found) => found !== undefined);
  const kept = Object.entries(typeof data === 'object' && data !== null ? data : {}).filter(([name]) =>
    dataKept.includes(name),
  );
  return {
    code,
    message: sentence ?? sentences[code] ?? otherwise,
    ...(kept.length === 0 ? {} : { data: Object.fromEntries(kept) }),
  };
}

/** The same message, with an error in our own words. */
export function withoutEcho(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const { code, message: text, data } = message.error;
  return { ...message, error: faultOf(code, text, data) };
}

/** Has every error that a server sends go out in our own words, whatever it is connected to. */
export function speakOwnWords(server: McpServer): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(withoutEcho(message), options);
    return connect(transport);
  };
}

/** The same answer of MCP over HTTP, where it is a refusal in JSON. */
export async function responseWithoutEcho(response: Response): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.status < 400 || !isJson) return response;
  const body = withoutEcho((await response.json()) as JSONRPCMessage); // the SDK's own
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(JSON.stringify(body), { status: response.status, headers });
}
