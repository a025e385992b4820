import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { listen } from '../../src/http/listen.ts';
import { openBridge } from '../../src/reader/bridge.ts';
import type { ConnectionTimes } from '../../src/reader/connection.ts';
import { type ReaderReport, subprotocol } from '../../src/reader/protocol.ts';
import { tokens, type World, world } from '../faces/support.ts';

// The app at a card reader, over a real WebSocket, and a Purser that it connects to.

export const report = {
  ...{ environment: 'test', sdkVersion: '3.5.0', handsetModel: 'Phone 16', handsetGeneration: 17, osVersion: '26.1' },
  ...{ osReleasedOn: '2025-12-01', serialNumbers: ['SN-0001', 'SN-0002'], educationShown: true },
} as const satisfies ReaderReport | object;

/** What the app is told to build the SDK with. */
export const configuration = { signatureCapture: 'onReceipt' };

/** A bridge behind the HTTP server, at an address. */
export async function served(times?: ConnectionTimes, options: Parameters<typeof world>[0] = {}) {
  let count = 0;
  const newId = () => {
    count += 1;
    return `call-${count}`;
  };
  const bridge = openBridge({ version: '1.2.3', configuration, newId, ...(times === undefined ? {} : { times }) });
  const door = { protocol: subprotocol, accept: bridge.accept, connected: bridge.connected };
  const here: World = await world({ ...options, face: { ...options.face, reader: door } });
  const { url, held, close } = await listen(here.face, { port: 0 });
  onTestFinished(async () => {
    bridge.close();
    await close();
  });
  return { ...here, bridge, held, close, url: `${url.replace('http', 'ws')}/reader`, http: url };
}

export type Served = Awaited<ReturnType<typeof served>>;

export interface AppOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  readonly url?: string;
}

/** A WebSocket of an app, as it is before it has said anything. */
export function dial({ url }: Pick<Served, 'url'>, options: AppOptions = {}): WebSocket {
  const { token = tokens.reader, headers = {}, protocols = [subprotocol] } = options;
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
  const more: ClientOptions = { headers: { ...authorization, ...headers }, perMessageDeflate: false };
  const socket = new WebSocket(options.url ?? url, [...protocols], more);
  onTestFinished(() => {
    socket.on('error', () => undefined); // one that never opened
    socket.terminate();
  });
  return socket;
}

/** The status with which a connection is refused, and what the body says. */
export async function refusedWith(socket: WebSocket) {
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

/** The code with which a connection is ended. */
export async function closedWith(socket: WebSocket): Promise<number> {
  if (socket.readyState === socket.CLOSED) throw new Error('It was closed before anybody looked.');
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

// biome-ignore lint/suspicious/noExplicitAny: messages are compared whole, not typed
export type Message = any;

/** The messages of Purser as they come, from the first on. */
export function inbox(socket: WebSocket) {
  const come: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    const next = waiting.shift();
    if (next === undefined) come.push(message);
    else next(message);
  });
  return {
    next: (): Promise<Message> =>
      come.length > 0 ? Promise.resolve(come.shift()) : new Promise((resolve) => waiting.push(resolve)),
  };
}

/** An app that has said hello and was welcomed. */
export async function connected(here: Served, more: object = {}) {
  const socket = dial(here);
  const { next } = inbox(socket);
  await once(socket, 'open');
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ type: 'hello', reader: { ...report, ...more } });
  const welcome = await next();
  return { socket, next, say, welcome };
}
