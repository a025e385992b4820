import { PassThrough } from 'node:stream';
import { Secret } from '../../../src/core/secret.ts';
import { questionKey, type Tokens } from '../../../src/engine/access-tokens.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { createHttpFace } from '../../../src/http/server.ts';
import { callerOfProcess } from '../../../src/mcp/conversation.ts';
import { createMcpFactory, type McpOptions } from '../../../src/mcp/server.ts';
import { overStdio } from '../../../src/mcp/stdio-connection.ts';
import { agentCaller } from '../world/settings.ts';
import { eventsIn, type Message } from './events.ts';

// The two ways in which a host reaches the MCP server, as the host has them: text that goes out, and messages that come back.

/** What HTTP answers besides messages. */
export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

/** Text on its way to the server. */
export interface Posted {
  readonly text: string;
  /** The id of the request in it. */
  readonly id?: number | undefined;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The HTTP request, where it is not the POST of a message. */
  readonly call?: string | undefined;
}

/** Text that was written. */
export interface Written {
  /** What HTTP answers; undefined over stdio. */
  readonly head: Promise<Head | undefined>;
  /** Settles when everything has come back that is due. */
  readonly over: Promise<void>;
  /** Hangs up. */
  readonly leave: () => void;
}

export interface Connection {
  write(posted: Posted): Written;
  close(): Promise<void>;
}

export interface Connecting extends Pick<McpOptions, 'choice' | 'prompts' | 'publicUrl'> {
  readonly engine: Engine;
  /** The path of the MCP server over HTTP. */
  readonly path: string;
  readonly hear: (message: Message) => void;
  /** Something went wrong inside, which only the operator sees. */
  readonly fail: (failure: unknown) => void;
}

const version = '0';
const agentToken = 'agent-token-of-the-sessions';
const tokens: Tokens = {
  agent: new Secret(agentToken),
  app: new Secret('app-token-of-the-sessions'),
  person: new Secret('person-token-of-the-sessions'),
  reader: new Secret('reader-token-of-the-sessions'),
};
/** The key that signs the state of questions. */
export const stateKey = questionKey(tokens);

/** A host that has started Purser. */
export function connectStdio({ engine, hear, fail, choice, prompts }: Connecting): Connection {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const caller = callerOfProcess(engine, agentCaller);
  const factory = createMcpFactory({
    ...{ engine, caller, version, transport: 'stdio', stateKey, onFailure: fail },
    ...{ choice, prompts },
  });
  const served = overStdio(factory, async () => undefined, { stdin, stdout, onFailure: fail });
  /** What settles when a request is answered. */
  const waiting = new Map<unknown, () => void>();
  let rest = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      hear(message);
      if (message.method === undefined) waiting.get(message.id)?.();
    }
  });
  return {
    write: ({ text, id }) => {
      const over = id === undefined ? Promise.resolve() : new Promise<void>((resolve) => void waiting.set(id, resolve));
      for (const chunk of `${text}\n`.split('{cut}')) stdin.write(chunk);
      return { head: Promise.resolve(undefined), over, leave: () => waiting.get(id)?.() };
    },
    close: async () => {
      stdin.end();
      await served.closed;
      await served.close();
    },
  };
}

const origin = 'http://localhost';

/** A host with the agent's token. */
export function connectHttp({ engine, path, hear, fail, prompts, publicUrl }: Connecting): Connection {
  const face = createHttpFace({
    ...{ engine, tokens, tenant: agentCaller.tenant, version },
    ...{ prompts, publicUrl, onFailure: fail },
  });
  const open = new Set<AbortController>();
  let session: string | undefined;
  const usual = () => ({
    authorization: `Bearer ${agentToken}`,
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  });
  return {
    write: ({ text, headers = {}, call = `POST ${path}` }) => {
      const [method = '', at = ''] = call.split(' ');
      const left = new AbortController();
      open.add(left);
      const request = new Request(origin + at, {
        method,
        headers: Object.entries({ ...usual(), ...headers }).filter((it): it is [string, string] => it[1] !== null),
        signal: left.signal,
        ...(method === 'POST' ? { body: text } : {}),
      });
      const answered = face.fetch(request);
      const head = answered.then(({ status, headers: said }) => {
        session = said.get('mcp-session-id') ?? session;
        return { status, headers: said };
      });
      const over = answered.then((it) => eventsIn(it, left.signal, hear)).finally(() => open.delete(left));
      // The stream of a GET never ends by itself.
      return { head, over: method === 'GET' ? head.then(() => undefined) : over, leave: () => left.abort() };
    },
    close: async () => {
      for (const left of open) left.abort();
      await face.close();
    },
  };
}
