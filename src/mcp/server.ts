import { McpServer, type McpServerFactory, type ServerContext } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { canAsk, createConversation, type Returned } from './approval.ts';
import { instructions } from './instructions.ts';
import { failed, resultOf } from './result.ts';
import { tableOf } from './table.ts';

export interface McpOptions {
  readonly engine: Engine;
  /** Who calls: from the token or the configuration, never from an argument. */
  readonly caller: Caller;
  readonly version: string;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** How long a client may keep the list of tools: it is fixed while the process runs. Own choice. */
const listMilliseconds = 300_000;

/**
 * Makes server objects: a new one for each HTTP request or stdio connection, because one that is shared can send an answer
 * to the wrong client. What is costly, the table of tools, is worked out here, once.
 */
export function createMcpFactory({
  engine,
  caller,
  version,
  onFailure = () => undefined,
}: McpOptions): McpServerFactory {
  const table = tableOf(engine.tools);
  const conversation = createConversation(engine, caller);

  return ({ era }) => {
    const server = new McpServer(
      { name: 'purser', title: 'Purser', version },
      {
        instructions,
        capabilities: { tools: { listChanged: false } },
        cacheHints: { 'tools/list': { ttlMs: listMilliseconds, cacheScope: 'public' } },
        requestState: { verify: conversation.verify },
      },
    );

    const call = async (tool: string, args: unknown, ctx: ServerContext) => {
      const returned = ctx.mcpReq.requestState<Returned>();
      if (returned !== undefined) return resultOf(await conversation.settle(returned, tool, args, ctx));
      const answer = await engine.call(tool, args, caller);
      return answer.approval !== undefined && answer.outcome === 'needs_approval' && canAsk(server, era, ctx)
        ? conversation.ask(answer.approval, tool, args, ctx)
        : resultOf(answer);
    };

    for (const { name, config } of table)
      server.registerTool(name, config, async (args, ctx) => {
        try {
          return await call(name, args, ctx);
        } catch (failure) {
          onFailure(failure); // its text is for the operator: the SDK would tell it to the model
          return resultOf(failed(engine.environment));
        }
      });
    return server;
  };
}
