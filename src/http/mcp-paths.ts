import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { toolsetOf } from '../../tools/index.ts';
import { limits } from '../core/limits.ts';
import { createMcpFactory, type McpOptions } from '../mcp/server.ts';
import { type Choice, everything } from '../mcp/tool-selection.ts';
import type { Message } from './mcp-message.ts';
import { createSessions } from './mcp-sessions.ts';

/** MCP over HTTP, with and without sessions: all tools of the engine at `/mcp`, fewer at the paths below. */
export interface McpPaths {
  /** Answers a message to an MCP path; undefined for other paths. */
  fetch(message: Message): Promise<Response> | undefined;
  close(): Promise<void>;
}

/** The handlers of a path: one for requests without a session, and a factory for the server of each session. */
interface Served {
  readonly handler: McpHttpHandler;
  readonly factory: McpServerFactory;
}

export interface PathOptions extends Omit<McpOptions, 'choice' | 'transport'> {
  /** Milliseconds; decides when idle sessions end. */
  readonly now: () => number;
}

/** The largest number of open event streams. Own choice, A66. */
const mostSubscriptions = 64;
const keepAliveMilliseconds = 15_000;

/**
 * `/mcp`, `/mcp/readonly`, `/mcp/x/{toolset}`, `/mcp/x/{toolset}/readonly`. Each handler is created at the path's first
 * request.
 */
export function createMcpPaths({ now, ...options }: PathOptions): McpPaths {
  const handlers = new Map<string, Served>();
  const { ids } = options.engine.parts.ports;
  const sessions = createSessions({ makeId: () => ids.key('session'), now });
  const toolsets = new Set<string>(options.engine.tools.flatMap((tool) => toolsetOf(tool) ?? []));
  const servedAt = (path: string): Served | undefined => {
    const known = handlers.get(path);
    const choice = known === undefined ? choiceOf(path, toolsets) : undefined;
    if (choice === undefined) return known;
    const factory = createMcpFactory({ ...options, transport: 'http', choice });
    const made = {
      factory,
      handler: createMcpHandler(factory, {
        keepAliveMs: keepAliveMilliseconds,
        maxRequestBodySize: limits.requestBytes,
        maxSubscriptions: mostSubscriptions,
      }),
    };
    handlers.set(path, made);
    return made;
  };
  const answer = async (message: Message, path: string, { factory, handler }: Served): Promise<Response> =>
    (await sessions.fetch(message, { path, factory })) ?? handler.fetch(message.request, { parsedBody: message.body });
  return {
    fetch: (message) => {
      const path = new URL(message.request.url).pathname;
      const served = servedAt(path);
      return served === undefined ? undefined : answer(message, path, served);
    },
    close: async () => {
      await sessions.close();
      await Promise.all([...handlers.values()].map(({ handler }) => handler.close()));
    },
  };
}

/** The tools of a path, within those that the operator selected. */
function choiceOf(path: string, toolsets: ReadonlySet<string>): Choice | undefined {
  const [is, toolset, readOnly] = /^\/mcp(?:\/x\/([a-z]+))?(\/readonly)?$/.exec(path) ?? [];
  if (is === undefined || (toolset !== undefined && !toolsets.has(toolset))) return undefined;
  return {
    ...everything,
    ...(toolset === undefined ? {} : { toolsets: [toolset] }),
    isReadOnly: readOnly !== undefined,
  };
}
