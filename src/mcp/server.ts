import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Transport } from '../engine/approval-channels.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { createConversation, type Returned, wayToAsk } from './approval.ts';
import { within } from './conversation.ts';
import type { Prompt } from './prompts.ts';
import { resultOf } from './result.ts';
import { createFace, type Desk } from './server-factory.ts';
import { tableOf } from './tool-list.ts';
import { type Choice, everything, isChosen } from './tool-selection.ts';

export interface McpOptions {
  readonly engine: Engine;
  /** Who calls: from the token or the configuration, never from an argument. */
  readonly caller: Caller;
  readonly version: string;
  /** How the client reaches us: a form counts on stdio alone, unless the operator says otherwise. */
  readonly transport: Transport;
  /** What the state of a question is signed with; by default a key of this process. */
  readonly stateKey?: string | undefined;
  /** Which of the engine's tools there are; all where nothing is said. */
  readonly choice?: Choice | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
  /** Where people find the page of an approval; by default where the call came in. */
  readonly publicUrl?: string | undefined;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** Makes server objects for an engine. What is costly, the table of tools, is worked out here, once. */
export function createMcpFactory({
  engine: all,
  caller,
  transport,
  stateKey,
  publicUrl,
  choice = everything,
  ...options
}: McpOptions): McpServerFactory {
  const engine = all.of(caller.tenant);
  const desk = createDesk(engine, caller, { transport, stateKey, publicUrl });
  return createFace({
    ...options,
    rows: tableOf(engine.tools).filter((row) =>
      isChosen(choice, { ...row, isRead: row.config.annotations.readOnlyHint }),
    ),
    environment: engine.environment,
    desk: async () => desk,
  });
}

/** Makes the calls of one caller, and asks people for what needs an approval. */
export function createDesk(
  all: Engine,
  caller: Caller,
  { transport, stateKey, publicUrl }: Pick<McpOptions, 'transport' | 'stateKey' | 'publicUrl'>,
): Desk {
  const engine = all.of(caller.tenant);
  const conversation = createConversation(engine, caller, { stateKey, transport });
  return {
    verify: conversation.verify,
    call: async (tool, args, { server, era, ctx }) => {
      const returned = ctx.mcpReq.requestState<Returned>();
      if (returned !== undefined) return resultOf(await conversation.settle(returned, tool, args, ctx));
      const answer = await engine.call(tool, args, within(caller, ctx));
      const way =
        answer.outcome === 'needs_approval'
          ? wayToAsk(server, era, ctx, { transport, channels: engine.parts.settings.channels, publicUrl })
          : undefined;
      return answer.approval !== undefined && way !== undefined
        ? conversation.ask(way, answer.approval, tool, args, ctx)
        : resultOf(answer);
    },
  };
}
