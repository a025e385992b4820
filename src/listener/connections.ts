import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../core/limits.ts';

/** What the callers of one server may hold at once. */
export interface Bounds {
  /** Open connections on which nobody has shown a token yet. The oldest is closed for a new one. */
  readonly strangerConnections: number;
  /** Open connections on which a token was shown. */
  readonly knownConnections: number;
  /** Requests on one connection that are not answered yet, or whose answers the client has not read. */
  readonly connectionRequests: number;
  /** The same of everybody in one role. */
  readonly roleRequests: number;
  /** Bytes of answers that clients have not read yet, in all. */
  readonly unreadBytes: number;
  /** Milliseconds for which a client may leave an answer unread. */
  readonly unreadMilliseconds: number;
}

/** What the callers of a server hold now. */
export interface Held {
  readonly strangers: number;
  readonly known: number;
  readonly requests: number;
  readonly unreadBytes: number;
}

/** One request on its connection. */
export interface Entry {
  /** Counts the request for a role. False where too many of that role are under way: then it is answered at once. */
  readonly admit: (role: string) => boolean;
}

export type Serve = (incoming: IncomingMessage, outgoing: ServerResponse, entry: Entry) => unknown;

interface Connection {
  readonly remote: string;
  readonly requests: Set<ServerResponse>;
}

/**
 * Bounds what callers hold of a server, and makes its listener. A caller that shows no token can take nothing from one that
 * does: a place is freed by closing the stranger who has waited longest, at the remote address that has the most of them.
 * Answers that nobody reads are closed in the same way.
 */
export function boundConnections(server: Server, serve: Serve, bounds: Bounds = limits) {
  const strangers = new Map<Socket, Connection>(); // oldest first
  const known = new Map<Socket, Connection>();
  const underWay = new Map<ServerResponse, string>(); // oldest first, with the role
  const requests = () => [...underWay.keys()];
  const unreadBytes = () => requests().reduce((sum, { writableLength }) => sum + writableLength, 0);

  const find = (socket: Socket) => strangers.get(socket) ?? known.get(socket);
  const drop = (socket: Socket | undefined): void => {
    if (socket === undefined) return;
    for (const it of find(socket)?.requests ?? []) underWay.delete(it);
    strangers.delete(socket);
    known.delete(socket);
    socket.destroy();
  };

  server.on('connection', (socket: Socket) => {
    const connection = { remote: socket.remoteAddress ?? '', requests: new Set<ServerResponse>() };
    strangers.set(socket, connection);
    socket.once('close', () => drop(socket));
    if (strangers.size > bounds.strangerConnections) drop(longestWaiting(strangers, socket));
  });
  server.setTimeout(bounds.unreadMilliseconds, (socket) => {
    const connection = find(socket);
    // While Purser works on an answer, the client has nothing to read.
    if (connection === undefined || ![...connection.requests].some(isWorkedOn)) drop(socket);
  });

  /** Closes the connection whose answer has been unread longest; false where every answer is read. */
  const closeUnread = (among: readonly ServerResponse[]): boolean => {
    const oldest = among.find(isUnread);
    if (oldest === undefined) return false;
    drop(oldest.req.socket);
    return true;
  };

  const admit = (role: string, outgoing: ServerResponse): boolean => {
    const peers = requests().filter((it) => it !== outgoing && underWay.get(it) === role);
    if (peers.length >= bounds.roleRequests && !closeUnread(peers)) return false;
    underWay.set(outgoing, role);
    if (role === 'stranger') return true;
    const { socket } = outgoing.req;
    const connection = strangers.get(socket);
    if (connection === undefined) return true;
    if (known.size >= bounds.knownConnections) drop(idle(known));
    if (known.size >= bounds.knownConnections) return true; // it stays where it can be closed for another
    strangers.delete(socket);
    known.set(socket, connection);
    return true;
  };

  const listener: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = find(socket);
    if (connection === undefined) return void socket.destroy();
    connection.requests.add(outgoing);
    outgoing.once('close', () => {
      connection.requests.delete(outgoing);
      underWay.delete(outgoing);
    });
    if (connection.requests.size > bounds.connectionRequests) return drop(socket);
    if (unusable.includes(incoming.method ?? '')) return void outgoing.writeHead(405).end();
    while (unreadBytes() > bounds.unreadBytes && closeUnread(requests()));
    serve(incoming, outgoing, { admit: (role) => admit(role, outgoing) });
  };
  server.on('request', listener);

  return {
    held: (): Held => ({
      strangers: strangers.size,
      known: known.size,
      requests: underWay.size,
      unreadBytes: unreadBytes(),
    }),
  };
}

/** Methods that a Request can't have. */
const unusable: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

/** Purser has not finished the answer, and the client is not behind in reading it. */
const isWorkedOn = (it: ServerResponse): boolean => !it.writableEnded && !it.writableNeedDrain;

/** The answer waits for its client. */
const isUnread = (it: ServerResponse): boolean => !isWorkedOn(it) && !it.writableFinished;

/** The oldest connection of the remote address that has the most, those without a request under way first. */
function longestWaiting(all: ReadonlyMap<Socket, Connection>, newest: Socket): Socket | undefined {
  const counts = new Map<string, number>();
  for (const { remote } of all.values()) counts.set(remote, (counts.get(remote) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const crowd = [...all].filter(([socket, { remote }]) => socket !== newest && counts.get(remote) === most);
  return (crowd.find(([, { requests }]) => requests.size === 0) ?? crowd[0])?.[0];
}

/** The oldest connection on which nothing is under way. */
const idle = (all: ReadonlyMap<Socket, Connection>): Socket | undefined =>
  [...all].find(([, { requests }]) => requests.size === 0)?.[0];
