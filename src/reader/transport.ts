import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import type { InProgress, Outcome, Progress, Watch } from '../core/outcome.ts';
import type { CallState, ReaderTransport } from '../core/reader.ts';
import { secretsIn, withoutSecrets } from '../core/secret-leaves.ts';
import { after } from '../core/timer.ts';
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
      readonly callId?: string | undefined;
    },
  ): Promise<End>;
  /** Whether a call would reach the reader now; by default it would. */
  readonly isConnected?: () => boolean;
  /** The serial numbers of the reader; by default nobody says. */
  readonly serialNumbers?: () => readonly string[];
  /** What became of a call; by default it runs until `send` has settled. */
  readonly callState?: (callId: string) => CallState;
  /** Ends of calls that `send` has given up. */
  readonly lateEnds?: () => ReadonlyMap<string, End>;
  readonly forget?: (callId: string) => void;
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
export function readerTransport(reader: Reader, times: ReaderTimes = limits): ReaderTransport {
  const running = new Set<string>();
  return {
    isConnected: () => reader.isConnected?.() ?? true,
    serialNumbers: () => reader.serialNumbers?.() ?? [],
    callState: (callId) => reader.callState?.(callId) ?? (running.has(callId) ? 'running' : 'over'),
    lateEnds: () =>
      [...(reader.lateEnds?.() ?? [])].map(([callId, end]) => ({
        callId,
        outcomeOf: (operation, input) =>
          withoutSecrets(outcomeOfEnd(operation, end, input), secretsIn(operation.body, input)),
      })),
    forget: (callId) => reader.forget?.(callId),
    send: async (operation, input, watch) => {
      const wrong = operation.body?.safeParse(input);
      if (wrong?.success === false)
        return { kind: 'noEffect', because: 'incomplete', paths: pathsOf(wrong.error.issues) };
      let progress: Progress = { step: 'STARTED' };
      const { callId = '' } = watch;
      const follows: Reader['send'] = (...call) => {
        running.add(callId);
        return reader.send(...call).finally(() => running.delete(callId));
      };
      const end = callReader(follows, times, operation, input, {
        ...{ signal: watch.signal, requestId: watch.requestId, callId: watch.callId },
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
  };
}

const pathsOf = (issues: readonly { readonly path: readonly PropertyKey[] }[]): readonly string[] => [
  ...new Set(issues.map(({ path }) => path.join('.'))),
];

/** One call to its end. Never rejects. */
async function callReader(
  send: Reader['send'],
  times: ReaderTimes,
  operation: Operation,
  input: unknown,
  { signal, onProgress, requestId, callId }: Required<Pick<Watch, 'onProgress'>> & Watch,
): Promise<Ended> {
  const cancel = new AbortController();
  const lost: Ended = { kind: 'unknown', because: 'no-answer' };
  const whole = after(times.readerMilliseconds);
  const cancelled = new Promise<Ended>((resolve) => {
    const start = () => {
      cancel.abort();
      // What the reader reports later is a late end.
      void after(times.readerCancelMilliseconds).over.then(() => resolve(lost));
    };
    if (signal?.aborted) start();
    else signal?.addEventListener('abort', start, { once: true });
  });
  const ended = send(operation.template, input, {
    signal: cancel.signal,
    onProgress: onProgress ?? (() => undefined),
    ...{ requestId, callId },
  }).then(
    (end) => outcomeOfEnd(operation, end, input),
    (error: unknown): Ended => (error instanceof ReaderGone ? { kind: 'noEffect', because: 'unreachable' } : lost),
  );
  const first = await Promise.race([ended, cancelled, whole.over.then(() => lost)]);
  whole.stop();
  cancel.abort();
  return withoutSecrets(first, secretsIn(operation.body, input));
}
