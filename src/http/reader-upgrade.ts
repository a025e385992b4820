import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fault, json, notFound } from '../listener/reply.ts';
import type { Route } from './routes.ts';

/** Where the app of a card reader connects. Its token is never part of the address, which logs would record. */
const path = '/reader';

/** The bridge to the app of a card reader. */
export interface ReaderDoor {
  /** The name of its protocol, which a connection must offer. */
  readonly protocol: string;
  /** Takes over a connection; false if there are too many. */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** What the connected app reports of itself; undefined while there is none. */
  readonly connected: () => object | undefined;
}

/** Whether a request asks for the WebSocket of the reader. Any other upgrade is ignored, as HTTP allows. */
export const isReaderUpgrade = ({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean =>
  url === path && headers.upgrade?.toLowerCase() === 'websocket';

/** Whether the app of a card reader is connected, for the operator's commands. */
export const readerRoutes = (door: Pick<ReaderDoor, 'connected'>): readonly Route[] => [
  {
    call: `GET ${path}`,
    role: 'reader',
    serve: async () => {
      const report = door.connected();
      return json(200, { connected: report !== undefined, ...(report === undefined ? {} : { reader: report }) });
    },
  },
];

/** Refuses the upgrade of a caller who may not connect a reader. */
export type RefuseReader = (request: Request) => Response | undefined;

/** Upgrades the connection of a reader's app, or refuses it as the routes do. `adopt`: it is no longer one of HTTP. */
export const readerUpgrade =
  (door: ReaderDoor, refuse: RefuseReader, adopt: (socket: Socket) => void) =>
  (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Whoever breaks the connection off meanwhile has no answer to read.
    socket.on('error', () => socket.destroy());
    const refused = refusal(door, refuse, incoming);
    if (refused !== undefined) return void answer(socket, refused);
    if (!door.accept(incoming, socket, head)) return void answer(socket, crowded());
    adopt(incoming.socket);
  };

function refusal(door: ReaderDoor, refuse: RefuseReader, incoming: IncomingMessage): Response | undefined {
  if (!isReaderUpgrade(incoming)) return notFound();
  const request = requestOf(incoming);
  if (request === undefined) return noRequest();
  const offered = (incoming.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return refuse(request) ?? (offered.includes(door.protocol) ? undefined : noProtocol(door.protocol));
}

/** The request without its body; undefined if its headers make none. */
function requestOf({ headers, headersDistinct }: IncomingMessage): Request | undefined {
  const entries = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  try {
    return new Request(`http://${headers.host ?? ''}${path}`, { headers: entries });
  } catch {
    return undefined;
  }
}

/** Writes a response on a connection that has left HTTP, and closes it. */
async function answer(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const headers = [...response.headers, ['content-length', String(Buffer.byteLength(body))], ['connection', 'close']];
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`, ...lines, '', body].join('\r\n'), () =>
    socket.destroy(),
  );
}

const noRequest = (): Response => fault(400, { code: 'INVALID_ARGUMENT', message: 'The headers make no request.' });
const noProtocol = (protocol: string): Response =>
  fault(400, {
    ...{ code: 'INVALID_ARGUMENT', message: `The connection must offer the protocol ${protocol}.` },
    field: 'Sec-WebSocket-Protocol',
  });
const crowded = (): Response =>
  fault(503, { code: 'BUSY', message: 'Too many apps are connecting. Retry in a second.' }, { 'retry-after': '1' });
