import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { toolsetOf } from '../../tools/index.ts';
import { limits } from '../contract/limits.ts';
import { type Choice, everything } from './choice.ts';
import { createMcpFactory, type McpOptions } from './server.ts';

/** MCP over HTTP: at `/mcp` with every tool of the engine, and at paths below it with fewer of them. */
export interface McpPaths {
  /** Answers a request to a path of MCP; undefined for a path that is none. */
  fetch(request: Request): Promise<Response> | undefined;
  close(): Promise<void>;
}

/** Streams of changes that may be open at once. Own choice, A66. */
const mostSubscriptions = 64;
const keepAliveMilliseconds = 15_000;

/** `/mcp`, `/mcp/readonly`, `/mcp/x/{toolset}`, `/mcp/x/{toolset}/readonly`: each has a handler from its first request on. */
export function createMcpPaths(options: Omit<McpOptions, 'choice' | 'transport'>): McpPaths {
  const handlers = new Map<string, McpHttpHandler>();
  const toolsets = new Set<string>(options.engine.tools.flatMap((tool) => toolsetOf(tool) ?? []));
  const handlerAt = (path: string): McpHttpHandler | undefined => {
    const known = handlers.get(path);
    const choice = known === undefined ? choiceOf(path, toolsets) : undefined;
    if (choice === undefined) return known;
    const made = createMcpHandler(createMcpFactory({ ...options, transport: 'http', choice }), {
      keepAliveMs: keepAliveMilliseconds,
      maxRequestBodySize: limits.requestBytes,
      maxSubscriptions: mostSubscriptions,
    });
    handlers.set(path, made);
    return made;
  };
  return {
    fetch: (request) => handlerAt(new URL(request.url).pathname)?.fetch(request),
    close: async () => {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
}

/** The choice that a path stands for: it narrows what the operator has chosen. */
function choiceOf(path: string, toolsets: ReadonlySet<string>): Choice | undefined {
  const [is, toolset, readOnly] = /^\/mcp(?:\/x\/([a-z]+))?(\/readonly)?$/.exec(path) ?? [];
  if (is === undefined || (toolset !== undefined && !toolsets.has(toolset))) return undefined;
  return {
    ...everything,
    ...(toolset === undefined ? {} : { toolsets: [toolset] }),
    isReadOnly: readOnly !== undefined,
  };
}
