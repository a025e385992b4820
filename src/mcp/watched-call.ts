import type { ServerContext } from '@modelcontextprotocol/server';
import type { Watch } from '../core/outcome.ts';
import type { Answer } from '../engine/answer.ts';
import type { Engine } from '../engine/engine.ts';
import { progressText } from '../engine/in-progress.ts';
import type { Caller } from '../ledger/ledger.ts';
import { callerInSession } from './conversation.ts';
import { createProgress, type Tell } from './progress.ts';

/** Makes a call that its client can cancel, and whose progress it gets if requested, until the call is answered. */
export async function callWatched(
  engine: Engine,
  caller: Caller,
  tool: string,
  args: unknown,
  ctx: ServerContext,
  tell: Tell = createProgress(ctx),
): Promise<Answer> {
  let isAnswered = false;
  const watch: Watch = {
    signal: ctx.mcpReq.signal,
    onProgress: (seen) => {
      if (!isAnswered) tell(progressText(seen), seen.fraction);
    },
  };
  try {
    return await engine.call(tool, args, callerInSession(caller, ctx), watch);
  } finally {
    isAnswered = true;
  }
}
