import type { ServerContext } from '@modelcontextprotocol/server';
import { limits } from '../core/limits.ts';
import { after } from '../core/timer.ts';
import type { Answer } from '../engine/answer.ts';
import type { Tell } from './progress.ts';

/** A question to the user of a client. */
export interface OpenQuestion<Reaction> {
  /** The approval that it is about. */
  readonly approval: string;
  /** Asks, and returns the user's reaction. It rejects if the client fails to ask, and once it is gone. */
  readonly ask: () => Promise<Reaction>;
  /**
   * Records the reaction; undefined where the call itself finds out what came of it. `isAwaited`: the call still waits,
   * so its own answer tells.
   */
  readonly record: (reaction: Reaction | undefined, isAwaited: boolean) => Promise<Answer | undefined>;
}

/** What the request of a question's call has. */
export interface Asked {
  readonly ctx: ServerContext;
  readonly tell: Tell;
  /** Receives the failure to record a reaction that no call waits for. */
  readonly onFailure: (failure: unknown) => void;
}

const { questionWaitMilliseconds, questionProgressMilliseconds } = limits;

/**
 * Asks users in a request of the server's own, as the revisions before 2026-07-28 do. Hosts end a call after a while, and a
 * person may need longer: the call waits for so long only, and the question stays open. A late reaction is recorded as
 * one on the approval page would be. Nothing is sent by it: that takes the same call again.
 */
export function createOpenQuestions() {
  const open = new Map<string, Promise<unknown>>();
  return async <Reaction>(
    { approval, ask, record }: OpenQuestion<Reaction>,
    { ctx, tell, onFailure }: Asked,
  ): Promise<Answer | undefined> => {
    const key = `${ctx.sessionId ?? ''} ${approval}`;
    if (ctx.mcpReq.signal.aborted || open.has(key)) return undefined; // nobody waits, or its user sees the question already
    let isAwaited = true;
    // A question that the client fails to ask is as one that its user closed. The client's own text goes nowhere.
    const reacted = ask().catch(() => undefined);
    const close = () => void (open.get(key) === reacted && open.delete(key));
    open.set(key, reacted);
    const recorded = reacted.then((reaction) => record(reaction, isAwaited && !ctx.mcpReq.signal.aborted));
    recorded.catch((failure) => void (isAwaited || onFailure(failure))).finally(close);
    if (await isInTime(reacted, ctx.mcpReq.signal, tell)) return recorded;
    isAwaited = false;
    close(); // the host may have closed the question with the call, so the next call asks anew
    return undefined;
  };
}

/** Whether this is over while its call may wait. Until then the client hears that the call goes on. */
async function isInTime(reacted: Promise<unknown>, signal: AbortSignal, tell: Tell): Promise<boolean> {
  const over = reacted.then(() => true);
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (let left = questionWaitMilliseconds; left > 0 && !signal.aborted; left -= questionProgressMilliseconds) {
    tell("Waiting for a person's answer.");
    const pause = after(Math.min(left, questionProgressMilliseconds));
    const isOver = await Promise.race([over, aborted, pause.over]);
    pause.stop();
    if (isOver === true) return true;
  }
  return false;
}
