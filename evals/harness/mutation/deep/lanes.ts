import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { removeFolder, replaceFile } from '../../../../src/files/write.ts';
import type { Report, Said, Task } from './player.ts';

/** How a thread ended. */
export type Ending =
  | { readonly kind: 'ended' }
  /** It did not come to the first scenario: such a bug can't be shipped. */
  | { readonly kind: 'broken'; readonly because: string }
  | { readonly kind: 'crashed'; readonly because: string }
  /** It says nothing for too long, or nothing that it waits for can happen. */
  | { readonly kind: 'hung' };

/** Milliseconds without a word after which a thread hangs. Own choice: many times the longest scenario. */
const patience = 20_000;

/** Waits, until it is aborted. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** A build, where it is put, what it plays, and how to wait for it. */
export interface Play {
  readonly build: string;
  readonly file: string;
  readonly task: Task;
  readonly wait: Wait;
}

/** Plays a task with a build, in a thread of its own; ends when the thread does, or says nothing for too long. */
export async function played({ build, file, task, wait }: Play, onSaid: (said: Report) => void): Promise<Ending> {
  replaceFile('report', file, build);
  const worker = new Worker(file, { workerData: task, stdout: true, stderr: true });
  let waiting = new AbortController();
  try {
    return await new Promise<Ending>((resolve) => {
      let begun = false;
      let isFinished = false;
      let because: string | undefined;
      const watch = (): void => {
        waiting.abort();
        waiting = new AbortController();
        wait(patience, waiting.signal).then(
          () => resolve({ kind: 'hung' }),
          () => undefined, // it said something
        );
      };
      watch();
      worker.on('message', (said: Said) => {
        begun = true;
        watch();
        if (said.kind === 'finished') isFinished = true;
        else onSaid(said);
      });
      // An error may overtake what was said before it; when the thread has ended, everything has arrived.
      worker.once('error', (error) => {
        because = error instanceof Error ? error.message : String(error);
      });
      worker.once('exit', () => {
        if (isFinished) resolve({ kind: 'ended' });
        else if (because !== undefined) resolve({ kind: begun ? 'crashed' : 'broken', because });
        else resolve(begun ? { kind: 'hung' } : { kind: 'broken', because: 'it ends at once' });
      });
    });
  } finally {
    waiting.abort();
    await worker.terminate();
    removeFolder(file);
  }
}

/** Does work on every item, as many at once as there are lanes, each of which has a file of its own. */
export async function inLanes<Item>(
  items: readonly Item[],
  folder: string,
  lanes: number,
  work: (item: Item, file: string) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
        await work(item, join(folder, `lane-${lane}.mjs`));
    }),
  );
}
