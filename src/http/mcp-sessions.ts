import {
  isInitializeRequest,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { json } from '../listener/reply.ts';
import { faultOf } from '../mcp/error-redaction.ts';
import type { Message } from './mcp-message.ts';

/**
 * MCP sessions for clients of the revisions before 2026-07-28, whose questions arrive over a stream of their own. A
 * session is one conversation with one server object. Its id does not authenticate: every request carries its token.
 */
export interface Sessions {
  /** Answers a message that begins a session or names one; undefined for any other, which is served without one. */
  fetch(message: Message, at: Place): Promise<Response | undefined>;
  close(): Promise<void>;
}

/** The path where a session was started. Its id is invalid elsewhere: another path may have fewer tools. */
export interface Place {
  readonly path: string;
  readonly factory: McpServerFactory;
}

interface Session {
  readonly path: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly end: () => Promise<void>;
  /** The ids of requests under way. A second request with the same id would get the answer of the first. */
  readonly underWay: Set<string>;
  /** Unfinished responses, such as an event stream. */
  open: number;
  usedAt: number;
}

const { callerSessions, sessionIdleMinutes, sessionKeepAliveSeconds } = limits;

/** The sessions of one caller. `makeId` returns an unguessable id, `now` milliseconds. */
export function createSessions({
  makeId,
  now,
}: {
  readonly makeId: () => string;
  readonly now: () => number;
}): Sessions {
  const sessions = new Map<string, Session>();

  const idle = () =>
    [...sessions].filter(([, { open }]) => open === 0).toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.end();
  };
  const sweep = async (): Promise<void> => {
    for (const [id, { usedAt }] of idle()) if (now() - usedAt >= sessionIdleMinutes * 60_000) await end(id);
  };

  /**
   * Handles a message in a session. The session counts as in use until the response is finished or the client has left.
   */
  const answer = async (session: Session, { request, body }: Message): Promise<Response> => {
    const ids = idsOf(body);
    if (new Set(ids).size < ids.length || ids.some((id) => session.underWay.has(id))) return taken();
    for (const id of ids) session.underWay.add(id);
    session.open++;
    const done = once(() => {
      for (const id of ids) session.underWay.delete(id);
      session.open--;
      session.usedAt = now();
    });
    try {
      return whenDone(await session.transport.handleRequest(request, { parsedBody: body }), done);
    } catch (error) {
      done();
      throw error;
    }
  };

  let beginning = 0;
  const begin = async (message: Message, place: Place): Promise<Response | undefined> => {
    beginning++;
    try {
      return await beginWithin(message, place);
    } finally {
      beginning--;
    }
  };

  const beginWithin = async (message: Message, { path, factory }: Place): Promise<Response | undefined> => {
    if (sessions.size + beginning > callerSessions) {
      const [oldest] = idle();
      if (oldest === undefined) return undefined; // all sessions are in use: serve it without one
      await end(oldest[0]);
    }
    const server = await factory({ era: 'legacy', requestInfo: message.request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: makeId,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
      keepAliveMs: sessionKeepAliveSeconds * 1_000,
      maxRequestBodySize: limits.requestBytes,
    });
    const session: Session = {
      path,
      transport,
      end: () => server.close(),
      underWay: new Set(),
      open: 0,
      usedAt: now(),
    };
    await server.connect(transport);
    const response = await answer(session, message);
    if (transport.sessionId === undefined) await server.close();
    return response;
  };

  return {
    fetch: async (message, place) => {
      await sweep();
      const id = message.request.headers.get('mcp-session-id');
      if (id === null) return (await begins(message)) ? begin(message, place) : undefined;
      const session = sessions.get(id);
      return session?.path === place.path ? answer(session, message) : gone();
    },
    close: async () => {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** Whether this is the first message of a client that supports sessions. */
const begins = async ({ request, body }: Message): Promise<boolean> =>
  isInitializeRequest(body) && isLegacyRequest(request, body);

/** The ids of the requests of a message, by number and text; revision 2025-03-26 has messages of several. */
const idsOf = (body: unknown): readonly string[] =>
  [body].flat().flatMap((one) => {
    const read = requestShape.safeParse(one);
    return read.success ? [JSON.stringify(read.data.id)] : [];
  });
/** An answer to a question of ours has an id, too, and no method. */
const requestShape = z.object({ method: z.string(), id: z.union([z.string(), z.number()]) });

/** MCP requires an id of its own for each request of a session. */
const taken = (): Response => json(400, { jsonrpc: '2.0', id: null, error: faultOf(-32600) });

/** MCP's response that makes a client initialize again. */
const gone = (): Response =>
  json(404, { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** The same response; calls `done` when its body ends. */
function whenDone(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done: isOver } = await reader.read();
      if (!isOver) return controller.enqueue(value);
      done();
      controller.close();
    },
    cancel: (reason) => {
      done();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}
