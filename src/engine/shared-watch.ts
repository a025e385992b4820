import type { Progress, Watch } from '../core/outcome.ts';

/** A call in progress that several callers wait for. */
export interface SharedWatch {
  /**
   * The watch that the call uses. It is cancelled once all waiting callers have cancelled; callers without a signal
   * never do.
   */
  readonly watch: Required<Pick<Watch, 'signal' | 'onProgress'>>;
  /** Adds a caller, who gets the current progress immediately. */
  join(caller: Watch): void;
}

export function createSharedWatch(first: Watch): SharedWatch {
  const cancel = new AbortController();
  const callers = new Set<Watch>();
  let last: Progress | undefined;
  const leave = (caller: Watch): void => {
    callers.delete(caller);
    if (callers.size === 0) cancel.abort();
  };
  const join = (caller: Watch): void => {
    callers.add(caller);
    const { signal, onProgress } = caller;
    if (last !== undefined) onProgress?.(last);
    if (signal?.aborted) leave(caller);
    else signal?.addEventListener('abort', () => leave(caller), { once: true });
  };
  join(first);
  return {
    join,
    watch: {
      signal: cancel.signal,
      onProgress: (progress) => {
        last = progress;
        for (const { onProgress } of callers) onProgress?.(progress);
      },
    },
  };
}
