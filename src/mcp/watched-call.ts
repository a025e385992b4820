import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress, Watch } from '../core/outcome.ts';
import type { Answer } from '../engine/answer.ts';
import type { Engine } from '../engine/engine.ts';
import { progressText } from '../engine/in-progress.ts';
import type { Caller } from '../ledger/ledger.ts';
import { callerInSession } from './conversation.ts';

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
    return await engine.call(tool, args, callerInSession(caller, ctx), watch);
  } finally {
    progress.end();
  }
}

/** How much the number rises when the transport doesn't know the fraction done. Own choice. */
const smallStep = 0.001;
/** The most that a notification says is done: the whole, which is one, is done with the answer. */
const almostAll = 1 - smallStep;
/** A round number above the last one and below one; the last one itself where none is left. */
const stepAfter = (last: number): number => Number((last + Math.min(smallStep, (1 - last) / 100)).toFixed(6));

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
      const fraction = Math.min(seen.fraction ?? 0, almostAll);
      const isRising = fraction > last;
      const next = isRising ? fraction : stepAfter(last);
      if (next === last) return;
      last = next;
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
