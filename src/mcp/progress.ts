import type { ServerContext } from '@modelcontextprotocol/server';

/** Tells the client of one request how far it is, if the client has asked for that. */
export type Tell = (message: string, fraction?: number) => void;

/** How much the number rises when a later notification has no fraction done, or a smaller one. Own choice. */
const smallStep = 0.001;
/** The most that a notification says is done: the whole, which is one, is done with the answer. */
const almostAll = 1 - smallStep;
/** A round number above the last one and below one; the last one itself where none is left. */
const stepAfter = (last: number): number => Number((last + Math.min(smallStep, (1 - last) / 100)).toFixed(6));

/**
 * Numbers the progress of a request. The protocol requires increasing numbers, so the first notification decides what they
 * mean for the rest: the fraction done, of a total of one; or, where it has none, a count.
 */
export function createProgress({ mcpReq }: ServerContext): Tell {
  const progressToken = mcpReq._meta?.progressToken;
  let last = 0;
  let isCount: boolean | undefined;
  return (message, fraction) => {
    if (progressToken === undefined || mcpReq.signal.aborted) return;
    isCount ??= fraction === undefined;
    const progress = isCount ? last + 1 : risen(last, fraction);
    if (progress === last) return;
    last = progress;
    const params = { progressToken, progress, ...(isCount ? {} : { total: 1 }), message };
    // The client may be gone; the call learns that from its signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

const risen = (last: number, fraction = 0): number =>
  Math.min(fraction, almostAll) > last ? Math.min(fraction, almostAll) : stepAfter(last);
