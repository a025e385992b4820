import { join } from 'node:path';
import { fileOf, fuzz } from '../../../evals/harness/fuzz/fuzz.ts';
import { loadFixture } from '../../../evals/harness/scenario/load.ts';
import { openTestHarness } from '../../../evals/harness/world/world.ts';
import { makeFolders, replaceFile } from '../../files/write.ts';
import { guarded } from '../evals/ending.ts';
import { countIn, wholeIn } from '../evals/options.ts';
import { progressOf } from '../evals/progress.ts';
import { say, sayJson, tell } from '../output.ts';
import { version } from '../version.ts';

/** Options of `purser eval fuzz`. */
export interface FuzzOptions {
  readonly fixtures: string;
  readonly fixture: string;
  readonly seed: string;
  readonly runs: string;
  readonly out: string;
  readonly json?: true;
}

/** `purser eval fuzz`: random runs that check only the invariants. Each failure is written as a scenario. */
export const runFuzz = (options: FuzzOptions): Promise<number> =>
  guarded(options, async () => {
    const [seed, runs] = [wholeIn(options.seed, '--seed'), countIn(options.runs, '--runs')];
    makeFolders('report', options.out); // before an hour of runs, whose finds could not be written
    const harness = await openTestHarness({ fixture: (name) => loadFixture(options.fixtures, name), version });
    try {
      const bar = progressOf();
      const { finds, calls } = await fuzz(harness, {
        ...{ seed, runs, fixture: options.fixture },
        onRun: (find, done) => {
          bar(done, runs, `seed ${seed + done - 1}`);
          if (find !== undefined) tell(`found: seed ${find.seed}: ${find.failure.because}`);
        },
      });
      const files = finds.map((find) => {
        const { name, text } = fileOf(find);
        replaceFile('report', join(options.out, name), text);
        return join(options.out, name);
      });
      if (options.json)
        sayJson({
          seed,
          runs,
          calls,
          finds: finds.map(({ scenario: _, ...find }, at) => ({ ...find, file: files[at] })),
        });
      else
        say(
          [
            ...finds.map(({ failure }, at) => `${failure.at}: ${failure.because}  (${files[at]})`),
            `${runs} runs from seed ${seed}, ${calls} calls; ${finds.length} broken invariants.`,
          ].join('\n'),
        );
      return finds.length === 0 ? 0 : 1;
    } finally {
      await harness.close();
    }
  });
