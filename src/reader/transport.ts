import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import type { InProgress, Outcome, Progress, Watch } from '../core/outcome.ts';
import type { ReaderTransport } from '../core/reader.ts';
import { secretsIn, withoutSecrets } from '../core/secret-leaves.ts';
import { type End, outcomeOfEnd, ReaderGone } from './ends.ts';

/** The bridge to the SDK of a card reader. */
export interface Reader {
  /**
   * Makes an SDK call and resolves when it is over, after minutes if a person acts. `signal` asks the reader to cancel,
   * which may be too late. Rejects with ReaderGone if the call never reached the reader.
   */
  send(
    call: string,
    input: unknown,
    watch: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: Progress) => void;
      readonly requestId?: string | undefined;
    },
  ): Promise<End>;
  /** Whether a call would reach the reader now; by default it would. */
  readonly isConnected?: () => boolean;
}

/**
 * Milliseconds: of the longest call, until the caller learns that it is in progress, and from cancellation to the end.
 */
export interface ReaderTimes {
  readonly readerMilliseconds: number;
  readonly readerWaitMilliseconds: number;
  readonly readerCancelMilliseconds: number;
}

type Ended = Exclude<Outcome, InProgress>;

/** Sends calls to a reader. A call that exceeds its time is cancelled, and its outcome is unknown. */
export const readerTransport = (reader: Reader, times: ReaderTimes = limits): ReaderTransport => ({
  isConnected: () => reader.isConnected?.() ?? true,
  send: async (operation, input, watch) => {
    const wrong = operation.body?.safeParse(input);
    if (wrong?.success === false)
      return { kind: 'noEffect', because: 'incomplete', paths: pathsOf(wrong.error.issues) };
    let progress: Progress = { step: 'STARTED' };
    const end = callReader(reader, times, operation, input, {
      signal: watch.signal,
      requestId: watch.requestId,
      onProgress: (seen) => {
        progress = seen;
        watch.onProgress?.(seen);
      },
    });
    const pause = after(times.readerWaitMilliseconds);
    const first = await Promise.race([end, pause.over.then(() => undefined)]);
    pause.stop();
    return first ?? { kind: 'inProgress', progress, end };
  },
});

const pathsOf = (issues: readonly { readonly path: readonly PropertyKey[] }[]): readonly string[] => [
  ...new Set(issues.map(({ path }) => path.join('.'))),
];

/** One call to its end. Never rejects. */
async function callReader(
  reader: Reader,
  times: ReaderTimes,
  operation: Operation,
  input: unknown,
  { signal, onProgress, requestId }: Required<Pick<Watch, 'onProgress'>> & Watch,
): Promise<Ended> {
  const cancel = new AbortController();
  const lost: Ended = { kind: 'unknown', because: 'no-answer' };
  const whole = after(times.readerMilliseconds);
  const cancelled = new Promise<Ended>((resolve) => {
    const start = () => {
      cancel.abort();
      // A later report of the reader is ignored.
      void after(times.readerCancelMilliseconds).over.then(() => resolve(lost));
    };
    if (signal?.aborted) start();
    else signal?.addEventListener('abort', start, { once: true });
  });
  const ended = reader
    .send(operation.template, input, {
      signal: cancel.signal,
      onProgress: onProgress ?? (() => undefined),
      requestId,
    })
    .then(
      (end) => outcomeOfEnd(operation, end, input),
      (error: unknown): Ended => (error instanceof ReaderGone ? { kind: 'noEffect', because: 'unreachable' } : lost),
    );
  const first = await Promise.race([ended, cancelled, whole.over.then(() => lost)]);
  whole.stop();
  cancel.abort();
  return withoutSecrets(first, secretsIn(operation.body, input));
}

/** A timer that can be stopped. */
function after(milliseconds: number): { readonly over: Promise<void>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    timer.unref();
    stop = () => clearTimeout(timer);
  });
  return { over, stop };
}
