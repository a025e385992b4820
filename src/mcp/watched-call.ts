import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress, Watch } from '../core/outcome.ts';
import type { Answer } from '../engine/answer.ts';
import type { Engine } from '../engine/engine.ts';
import { progressText } from '../engine/in-progress.ts';
import type { Caller } from '../ledger/ledger.ts';
import { within } from './conversation.ts';

/** Makes a call that its client can cancel and whose progress it gets if requested. */
export async function callWatched(
  engine: Engine,
  caller: Caller,
  tool: string,
  args: unknown,
  ctx: ServerContext,
): Promise<Answer> {
  const { signal } = ctx.mcpReq;
  const progress = createProgress(ctx);
  const watch: Watch = { signal, onProgress: progress.report };
  try {
    return await engine.call(tool, args, within(caller, ctx), watch);
  } finally {
    progress.end();
  }
}

/** Notifications until the number rises by one, when the transport doesn't know the fraction done. Own choice. */
const smallSteps = 1_000;

/**
 * Reports a call's progress to the client, until the call is answered or cancelled. The protocol requires increasing
 * numbers.
 */
function createProgress({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  let isOver = progressToken === undefined;
  let last = 0;
  return {
    report: (seen: Progress): void => {
      if (isOver || mcpReq.signal.aborted) return;
      const { fraction } = seen;
      const isRising = fraction !== undefined && fraction > last;
      last = isRising ? fraction : Math.round(last * smallSteps + 1) / smallSteps;
      const params = {
        ...{ progressToken, progress: last, message: progressText(seen) },
        ...(isRising ? { total: 1 } : {}),
      };
      // The client may be gone; the call learns that from its signal.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    end: (): void => {
      isOver = true;
    },
  };
}
