import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../core/limits.ts';

/** Limits on what the callers of one server hold at once. */
export interface Bounds {
  /** Open connections that have not presented a token. The oldest is closed for a new one. */
  readonly strangerConnections: number;
  /** Open connections that presented a token. */
  readonly knownConnections: number;
  /** Requests on one connection that have no response yet, or whose response the client has not read. */
  readonly connectionRequests: number;
  /** The same for all callers in one role. */
  readonly roleRequests: number;
  /** Bytes of all responses that clients have not read. */
  readonly unreadBytes: number;
  /** Milliseconds for which a client may leave a response unread. */
  readonly unreadMilliseconds: number;
}

/** What the callers of a server hold at the moment. */
export interface Held {
  readonly strangers: number;
  readonly known: number;
  readonly requests: number;
  readonly unreadBytes: number;
}

/** One request on its connection. */
export interface Entry {
  /** Counts the request for a role. False if too many requests of that role are in flight; the caller then answers at once. */
  readonly admit: (role: string) => boolean;
}

export type Serve = (incoming: IncomingMessage, outgoing: ServerResponse, entry: Entry) => unknown;

interface Connection {
  readonly remote: string;
  readonly requests: Set<ServerResponse>;
}

/**
 * Limits what callers hold of a server. An unauthenticated caller can't displace an authenticated one: to free a place, the
 * oldest unauthenticated connection of the remote address with the most of them is closed. Unread responses are closed likewise, and so is
 * an unauthenticated request that has not arrived as a whole.
 */
export function boundConnections(server: Server, serve: Serve, bounds: Bounds = limits) {
  const strangers = new Map<Socket, Connection>(); // oldest first
  const known = new Map<Socket, Connection>();
  const underWay = new Map<ServerResponse, string>(); // oldest first, with the role
  const requests = () => [...underWay.keys()];
  const unanswered = () => [...strangers.values(), ...known.values()].flatMap((it) => [...it.requests]).filter(isOwed);
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
    if (strangers.size > bounds.strangerConnections) drop(longestWaiting(strangers, (it) => it !== socket));
  });
  server.setTimeout(bounds.unreadMilliseconds, (socket) => {
    const connection = find(socket);
    // While Purser is preparing a response, the client has nothing to read.
    if (connection === undefined || ![...connection.requests].some(isWorkedOn)) drop(socket);
  });

  /** Closes the connection with the oldest unread response; false if there is none. */
  const closeUnread = (among: readonly ServerResponse[]): boolean => {
    const oldest = among.find(isUnread);
    if (oldest === undefined) return false;
    drop(oldest.req.socket);
    return true;
  };

  /** Closes the connection of a request that is still arriving; false if there is none. */
  const closeSlow = (among: readonly ServerResponse[]): boolean => {
    const slow = among.filter(({ req }) => !req.complete).map(({ req: { socket } }) => socket);
    const longest = longestWaiting(new Map([...strangers, ...known]), (socket) => slow.includes(socket));
    drop(longest);
    return longest !== undefined;
  };

  const admit = (role: string, outgoing: ServerResponse): boolean => {
    const peers = requests().filter((it) => it !== outgoing && underWay.get(it) === role);
    const isFull = peers.length >= bounds.roleRequests;
    if (isFull && !closeUnread(peers) && !(role === 'stranger' && closeSlow(peers))) return false;
    underWay.set(outgoing, role);
    if (role === 'stranger') return true;
    const { socket } = outgoing.req;
    const connection = strangers.get(socket);
    if (connection === undefined) return true;
    if (known.size >= bounds.knownConnections) drop(idle(known));
    if (known.size >= bounds.knownConnections) return true; // it can still be closed for another
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
    /**
     * Settles when each request that has arrived has its answer, or after `milliseconds`: a client may not read, and a
     * call may wait for a person. A stream that a client opened with GET doesn't count: it has no end of its own.
     */
    answered: async (milliseconds: number): Promise<void> => {
      const over = Promise.withResolvers<'over'>();
      const patience = setTimeout(() => over.resolve('over'), milliseconds);
      for (let [next] = unanswered(); next !== undefined; [next] = unanswered())
        if ((await Promise.race([closeOf(next), over.promise])) === 'over') break;
      clearTimeout(patience);
    },
    /** Stops limiting a connection that was upgraded; its new owner limits it. */
    adopt: (socket: Socket): void => {
      strangers.delete(socket);
    },
    held: (): Held => ({
      strangers: strangers.size,
      known: known.size,
      requests: underWay.size,
      unreadBytes: unreadBytes(),
    }),
  };
}

/** Methods that the Request class rejects. */
const unusable: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];

const closeOf = (it: ServerResponse) => new Promise<void>((resolve) => it.once('close', resolve));

/** The request has arrived, and its response isn't finished. */
const isOwed = ({ req: { complete, method, headers } }: ServerResponse): boolean =>
  complete && !(method === 'GET' && headers.accept?.includes('text/event-stream') === true);

/** Purser has not finished the response, and the client has read all of it so far. */
const isWorkedOn = (it: ServerResponse): boolean => !it.writableEnded && !it.writableNeedDrain;

/** The client hasn't read the whole response yet. */
const isUnread = (it: ServerResponse): boolean => !isWorkedOn(it) && !it.writableFinished;

/** Of some connections, the oldest of the remote address with the most of all; idle ones first. */
function longestWaiting(all: ReadonlyMap<Socket, Connection>, among: (socket: Socket) => boolean): Socket | undefined {
  const counts = new Map<string, number>();
  for (const { remote } of all.values()) counts.set(remote, (counts.get(remote) ?? 0) + 1);
  const some = [...all].filter(([socket]) => among(socket));
  const most = Math.max(...some.map(([, { remote }]) => counts.get(remote) ?? 0));
  const crowd = some.filter(([, { remote }]) => counts.get(remote) === most);
  return (crowd.find(([, { requests }]) => requests.size === 0) ?? crowd[0])?.[0];
}

/** The oldest idle connection. */
const idle = (all: ReadonlyMap<Socket, Connection>): Socket | undefined =>
  [...all].find(([, { requests }]) => requests.size === 0)?.[0];
