import type { InProgress, Outcome } from '../../../src/core/outcome.ts';
import type { ReaderTransport } from '../../../src/core/reader.ts';
import { readerTransport } from '../../../src/reader/transport.ts';
import { type Sandbox, simulatedReader } from '../../../src/sandbox/index.ts';

type Ended = Exclude<Outcome, InProgress>;

/** The card reader of a world. */
export interface WorldReader {
  readonly transport: ReaderTransport;
  /** Somebody has done something at the reader: calls that wait for a person look again. Resolves when they have. */
  wake(): Promise<void>;
}

/**
 * A simulated reader whose time stands still: a call that waits for a card is in progress at once, and goes on when somebody
 * does something.
 */
export function createReader(sandbox: Sandbox): WorldReader {
  let waiting: (() => void)[] = [];
  const calls = new Set<Promise<Ended>>();
  const pause = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const real = readerTransport(simulatedReader(sandbox, { pause }));
  return {
    transport: {
      ...real,
      send: async (operation, input, watch) => {
        const waits = Promise.withResolvers<Outcome>();
        const sent = real.send(operation, input, {
          ...watch,
          onProgress: (progress) => {
            watch.onProgress?.(progress);
            if (progress.step === 'WAITING_FOR_CARD') waits.resolve({ kind: 'inProgress', progress, end });
          },
        });
        const end = sent.then((it) => (it.kind === 'inProgress' ? it.end : it));
        calls.add(end);
        void end.then(() => calls.delete(end));
        return Promise.race([end, waits.promise]);
      },
    },
    wake: async () => {
      const [woken, before] = [waiting, [...calls]];
      waiting = [];
      for (const resume of woken) resume();
      if (woken.length > 0) await Promise.all(before);
    },
  };
}
