import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Transport } from '../engine/approval-channels.ts';
import { engineOf } from '../engine/demand-caller.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { createConversation, type Returned, wayToAsk } from './approval.ts';
import { callerInSession } from './conversation.ts';
import { createProgress } from './progress.ts';
import type { Prompt } from './prompts.ts';
import { resultOf } from './result.ts';
import { createServerFactory, type ToolHandler } from './server-factory.ts';
import { choosable, tableOf } from './tool-list.ts';
import { type Choice, everything, isChosen } from './tool-selection.ts';
import { callWatched } from './watched-call.ts';

// The MCP server of one client: its tools, prompts and resources, each a thin view of the engine.

export interface McpOptions {
  readonly engine: Engine;
  /** The caller, from the token or the configuration, never from an argument. */
  readonly caller: Caller;
  readonly version: string;
  /** The client's transport: forms count only over stdio, unless the operator allows more. */
  readonly transport: Transport;
  /** The key that signs the state of questions; by default a key of this process. */
  readonly stateKey?: string | undefined;
  /** The selected tools; by default all of the engine's. */
  readonly choice?: Choice | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
  /** The public URL of the approval page; by default the origin of the request. */
  readonly publicUrl?: string | undefined;
  /** Receives internal failures; the caller reports them on stderr. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** Creates server objects for an engine. The tool table is computed once, because it is costly. */
export function createMcpFactory({
  engine: all,
  caller,
  transport,
  stateKey,
  publicUrl,
  choice = everything,
  ...options
}: McpOptions): McpServerFactory {
  const engine = engineOf(all, caller);
  const handler = createToolHandler(engine, caller, { transport, stateKey, publicUrl });
  return createServerFactory({
    ...options,
    rows: tableOf(engine.tools.filter((tool) => isChosen(choice, choosable(tool)))),
    environment: engine.environment,
    handler: async () => handler,
  });
}

/** Makes the calls of one caller, and asks people for approvals. */
export function createToolHandler(
  all: Engine,
  caller: Caller,
  { transport, stateKey, publicUrl }: Pick<McpOptions, 'transport' | 'stateKey' | 'publicUrl'>,
): ToolHandler {
  const engine = engineOf(all, caller);
  const conversation = createConversation(engine, caller, { stateKey, transport });
  return {
    verify: conversation.verify,
    fileChart: (handle, ctx) => engine.fileChart(callerInSession(caller, ctx), handle),
    filePage: (handle, page, ctx) => engine.filePage(callerInSession(caller, ctx), handle, page),
    files: (ctx) => engine.files(callerInSession(caller, ctx)),
    call: async (tool, args, { server, era, ctx, onFailure }) => {
      const tell = createProgress(ctx);
      const make = () => callWatched(engine, caller, tool, args, ctx, tell);
      const returned = ctx.mcpReq.requestState<Returned>();
      if (returned !== undefined) return resultOf(await conversation.settle(returned, tool, args, ctx));
      const answer = await make();
      const way =
        answer.outcome === 'needs_approval'
          ? wayToAsk(server, era, ctx, { transport, channels: engine.parts.settings.channels, publicUrl })
          : undefined;
      if (answer.approval === undefined || way === undefined) return resultOf(answer);
      if (era === 'modern') return conversation.ask(way, answer.approval, tool, args, ctx);
      const settled = await conversation.wait(way, answer.approval, { ctx, tell, onFailure });
      // A cancelled call has nobody to answer, so it isn't made again.
      return resultOf(settled ?? (ctx.mcpReq.signal.aborted ? answer : await make()));
    },
  };
}
