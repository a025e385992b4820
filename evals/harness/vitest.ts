import { loadPeer } from '../../src/adapters/optional-peer.ts';
import { checkGolden } from './goldens/files.ts';
import { evaluate } from './replay/evaluate.ts';
import { purserCatalogue } from './scenario/catalogue.ts';
import { loadFixture, loadScenarios } from './scenario/load.ts';
import { openTestHarness, type TestHarness } from './world/world.ts';

/** The functions of a test runner that are needed, as Vitest has them. */
export interface Runner {
  readonly describe: (name: string, tests: () => void) => void;
  readonly it: (name: string, test: () => Promise<void>) => void;
  readonly beforeAll: (work: () => Promise<void>) => void;
  readonly afterAll: (work: () => Promise<void>) => void;
}

/** Options of `toVitest`. */
export interface TestOptions {
  /** Folder of the fixtures; by default `evals/fixtures`. */
  readonly fixtures?: string;
  /** The test runner; by default Vitest. */
  readonly runner?: Runner;
  /** Whether runs are held against their goldens; by default they are. */
  readonly goldens?: boolean;
  /** The version that Purser presents; by default `0`. */
  readonly version?: string;
}

/** Registers the scenarios of a folder or file as tests: `await toVitest('evals/scenarios')`. */
export async function toVitest(
  folder: string,
  { fixtures = 'evals/fixtures', runner: given, goldens = true, version = '0' }: TestOptions = {},
): Promise<void> {
  const runner: Runner = given ?? (await loadPeer('toVitest of purser/evals', 'vitest', () => import('vitest')));
  const loaded = await loadScenarios([folder], purserCatalogue);
  let harness: TestHarness | undefined;
  runner.describe(folder, () => {
    runner.beforeAll(async () => {
      harness = await openTestHarness({ fixture: (name) => loadFixture(fixtures, name), version });
    });
    runner.afterAll(async () => harness?.close());
    for (const one of loaded)
      runner.it(`${one.scenario.id}: ${one.scenario.title}`, async () => {
        if (harness === undefined) throw new Error('The test harness is open before the first test.');
        const [result] = await evaluate([one], harness, {
          watch: { now: () => 0 },
          golden: goldens ? checkGolden : undefined,
        });
        const wrong = (result?.failures ?? []).map(({ grader, at, because }) => `${grader}, ${at}: ${because}`);
        if (wrong.length > 0) throw new Error(wrong.join('\n'));
      });
  });
}
