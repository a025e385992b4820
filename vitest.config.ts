import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memory } from './test/support/memory.ts';

/** What a test file may do to the whole process that runs it. Such a file gets a process of its own. */
const changesProcess = /\bvi\.(?:mock|doMock|stubGlobal)\(|\bprocess\.chdir\(/;

const alone = globSync('test/*/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  changesProcess.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

// Workers, and the many processes that tests start, load the same modules: each is compiled once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** What takes longest, with its hooks, the longest first. Vitest by itself begins with the largest file, and some of these are short. */
// biome-ignore format: rows
const longest = [
  'evals/suite', 'evals/deep', 'faces/cli-eval', 'evals/goldens', 'promises/storm', 'promises/races',
  'engine/preview-verdicts', 'faces/installed', 'promises/approvers', 'promises/request-secrets',
  'evals/external-server', 'promises/corrupt-rows', 'conversion/flows', 'promises/crash', 'evals/page',
  'evals/speech', 'evals/live-verbatim', 'faces/page-browser', 'faces/parity',
  'faces/cli-process', 'billing/model', 'clients/inspector', 'evals/live-command', 'faces/tools',
  'promises/replica-rules', 'ledger/chain', 'evals/fuzz', 'promises/ledger-edits', 'faces/approval',
  'promises/approval-text', 'promises/simulation', 'promises/growth', 'promises/ledger-rows', 'device/tap-page',
  'promises/limits', 'faces/cli-servers', 'invoicing/tools', 'reporting/files', 'faces/flow',
  'promises/untrusted-output', 'docs/examples', 'evals/lanes', 'engine/unknown', 'promises/connections',
  'evals/mutate', 'promises/principals', 'docs/drift', 'promises/deliveries', 'engine/model', 'device/at-the-counter',
  'faces/adapters-trouble',
];

/**
 * Begins with what needs a process of its own, because the shared ones end where such a file comes next, and then with what takes
 * longest, so that no worker waits for another at the end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      if (project.config.isolate) return -1;
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/ledger/support/global.ts', 'test/support/day.ts', 'test/clients/announce.ts'],
    // One more than there are cores, because some wait for processes that they have started.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Anchors of test ledgers stay out of the user's own state folder. In memory, because each is synced to its disk.
    env: { XDG_STATE_HOME: join(memory() ?? tmpdir(), 'purser-test-state') },
    // Every call leaves garbage that is young: with more room for it, collecting takes less.
    execArgv: ['--max-semi-space-size=64'],
    // Node loads tests and sources itself, as it does for scripts: what Vite makes of them looks each import up at each use.
    experimental: { viteModuleRunner: false },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // One process runs them all, and loads each module once.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/*/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
          // Nothing is replaced here, so nothing of them is rewritten.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'isolated', include: alone } },
    ],
  },
});
