import { afterEach, beforeEach, vi } from 'vitest';
import type { Progress } from '../../src/core/outcome.ts';
import type { End } from '../../src/reader/ends.ts';
import { type Reader, readerTransport } from '../../src/reader/transport.ts';

// A card reader whose customer takes a minute to pay, on a clock that tests move. Sockets keep their own time.

/** Has every test of the file run on timers that only tests move. */
export function withFakeTimers(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
}

export const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

/** A transport whose calls are over when the customer pays, or when they are cancelled: `late` if the customer had paid by then. */
export function minuteReader({
  late = false,
  begins = { step: 'WAITING_FOR_CARD' },
}: {
  readonly late?: boolean;
  readonly begins?: Progress;
} = {}) {
  const calls: string[] = [];
  const reports: ((progress: Progress) => void)[] = [];
  const ends: ((end: End) => void)[] = [];
  const paid: End = { case: 'success', value: { id: 'charge-1', status: 'APPROVED' } };
  const reader: Reader = {
    send: (call, _, { signal, onProgress }) => {
      calls.push(call);
      reports.push(onProgress);
      onProgress(begins);
      return new Promise((resolve) => {
        ends.push(resolve);
        signal.addEventListener('abort', () => resolve(late ? paid : { case: 'cancelledByUser' }), { once: true });
      });
    },
  };
  return {
    transport: readerTransport(reader),
    calls,
    /** Lets a minute pass, and has the customer of the latest call pay. */
    minute: async () => {
      await seconds(60);
      ends.at(-1)?.(paid);
    },
    /** What the reader says of its latest call. */
    says: (progress: Progress) => reports.at(-1)?.(progress),
  };
}
