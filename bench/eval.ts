import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundled } from '../scripts/bundle.ts';
import { callsOfStory, scenarioOf } from './eval/work.ts';

/**
 * How long a team waits for its scenarios: npm run bench:eval [-- runs]. The same stories of five calls, from the start of the
 * command to the reports in JSON and JUnit: by a plain script, by Purser, and by other runners, one after the other in turns,
 * so that all get the same machine. PEERS names the folder where vitest-evals and promptfoo are; nothing is downloaded.
 */
const runs = Math.max(3, Number(process.argv[2] ?? 5));
const stories = 100;
const fewer = 20;
const peers = resolve(process.env.PEERS ?? 'bench/peers');
const goals = { ratio: 0.7 / 0.38, marginalMilliseconds: 2, mutationSeconds: 60 };
const folder = mkdtempSync(join(tmpdir(), 'purser-bench-'));
const cache = join(folder, 'cache');
const reports = join(folder, 'reports');

/** A runner of the stories: where it stands, and what it is started with for so many of them. */
interface Runner {
  readonly name: string;
  readonly missing?: string;
  readonly start?: (count: number) => readonly string[];
}

const reporters = [
  '--reporter=json',
  '--reporter=junit',
  `--outputFile.json=${reports}/v.json`,
  `--outputFile.junit=${reports}/v.xml`,
];
const missing = `not installed in ${peers}: npm ci --prefix bench/peers, or name another folder in PEERS`;

const plain: Runner = {
  name: 'plain script',
  start: (count) => [join(folder, 'built', 'plain.js'), String(count), reports, cache],
};

const purser: Runner = {
  name: 'purser',
  start: (count) => [
    ...['dist/purser.js', 'eval', join(folder, `scenarios-${count}`)],
    ...['--report', 'json,junit', '--out', reports],
  ],
};

const medianOf = (times: readonly number[] = []): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;

const verdict = (what: string, value: number, goal: number, digits: number): string =>
  `${what}: ${value.toFixed(digits)}, goal at most ${goal.toFixed(digits)}: ${value <= goal ? 'kept' : 'missed'}`;

try {
  prepare();
  await bundled({ plain: 'bench/eval/plain.ts', work: 'bench/eval/work.ts' }, join(folder, 'built'));
  // A scenario is held against its golden, so there must be one.
  for (const count of [stories, fewer]) await timed([...(purser.start?.(count) ?? []), '--accept']);
  const runners = [plain, purser, vitest(), vitestEvals(), promptfoo()];
  const times = new Map<string, number[]>();
  for (let run = -1; run < runs; run++)
    for (const { name, start } of runners)
      for (const count of start === undefined
        ? []
        : [stories, ...(name === 'purser' || name === plain.name ? [fewer] : [])]) {
        const milliseconds = await timed(start?.(count) ?? []);
        const key = count === stories ? name : `${name}, ${count}`;
        if (run >= 0) times.set(key, [...(times.get(key) ?? []), milliseconds]);
      }
  report(runners, times);
  await mutation();
} finally {
  rmSync(folder, { recursive: true });
}

/** Scenario files, test files and a configuration, each in the form of its runner. */
function prepare(): void {
  for (const count of [stories, fewer]) {
    mkdirSync(join(folder, `scenarios-${count}`), { recursive: true });
    for (let number = 0; number < count; number++) {
      const { id, text } = scenarioOf(number);
      writeFileSync(join(folder, `scenarios-${count}`, `${id}.yaml`), text);
    }
  }
  mkdirSync(reports);
  const work = JSON.stringify(join(folder, 'built', 'work.js'));
  const suite = `const shop = await openShop();
afterAll(() => shop.close());`;
  mkdirSync(join(folder, 'vitest'));
  symlinkSync(resolve('node_modules'), join(folder, 'vitest', 'node_modules'));
  writeFileSync(
    join(folder, 'vitest', 'stories.test.js'),
    `import { afterAll, it } from 'vitest';
import { openShop } from ${work};
${suite}
for (let number = 0; number < ${stories}; number++) it('order ' + number, () => shop.tell(number));`,
  );
  mkdirSync(join(folder, 'vitest-evals'));
  symlinkSync(join(peers, 'node_modules'), join(folder, 'vitest-evals', 'node_modules'));
  writeFileSync(
    join(folder, 'vitest-evals', 'stories.test.js'),
    `import { afterAll, expect } from 'vitest';
import { createHarness, describeEval } from 'vitest-evals';
import { openShop } from ${work};
${suite}
const messages = [{ role: 'assistant', content: 'told' }];
const run = async ({ input }) => ({ output: await shop.tell(Number(input)).then(() => 'told'), messages });
const harness = createHarness({ name: 'shop', run });
describeEval('stories', { harness }, (it) => {
  for (let number = 0; number < ${stories}; number++)
    it('order ' + number, async ({ run }) => expect((await run(String(number))).output).toBe('told'));
});`,
  );
  mkdirSync(join(folder, 'promptfoo'));
  writeFileSync(
    join(folder, 'promptfoo', 'provider.mjs'),
    `import { openShop } from ${work};
let shop;
export default class {
  id() { return 'shop'; }
  async callApi(prompt) {
    shop ??= await openShop();
    await shop.tell(Number(prompt));
    return { output: 'told' };
  }
}`,
  );
  const tests = Array.from({ length: stories }, (_, number) => ({
    vars: { number },
    assert: [{ type: 'equals', value: 'told' }],
  }));
  writeFileSync(
    join(folder, 'promptfoo', 'config.json'),
    JSON.stringify({ prompts: ['{{number}}'], providers: ['file://provider.mjs'], tests }),
  );
}

function vitest(): Runner {
  const at = join(folder, 'vitest');
  return { name: 'vitest', start: () => ['node_modules/vitest/vitest.mjs', 'run', '--root', at, ...reporters] };
}

function vitestEvals(): Runner {
  const at = join(folder, 'vitest-evals');
  const runner = join(peers, 'node_modules', 'vitest', 'vitest.mjs');
  if (!existsSync(join(peers, 'node_modules', 'vitest-evals'))) return { name: 'vitest-evals', missing };
  return {
    name: 'vitest-evals',
    start: () => [runner, 'run', '--root', at, ...reporters],
  };
}

function promptfoo(): Runner {
  const command = join(peers, 'node_modules', 'promptfoo', 'dist', 'src', 'entrypoint.js');
  if (!existsSync(command)) return { name: 'promptfoo', missing };
  const config = join(folder, 'promptfoo', 'config.json');
  const outputs = ['-o', join(reports, 'p.json'), '-o', join(reports, 'p.junit.xml')];
  // One story after the other, as the others do: each world ends when the next begins.
  return {
    name: 'promptfoo',
    start: () => [
      command,
      'eval',
      '-c',
      config,
      '--no-cache',
      '--no-table',
      '--no-progress-bar',
      '-j',
      '1',
      ...outputs,
    ],
  };
}

/** From the start of a command to its end. It must end well: what fails fast is not fast. */
function timed(args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      XDG_CACHE_HOME: cache,
      PROMPTFOO_CONFIG_DIR: join(folder, 'promptfoo', 'home'),
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
      PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
    },
  });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      told += text;
    });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) =>
      code === 0
        ? done(performance.now() - began)
        : failed(new Error(`${args[0]} ended with ${code}: ${told.slice(-2_000)}`)),
    );
  });
}

function report(runners: readonly Runner[], times: ReadonlyMap<string, readonly number[]>): void {
  console.log(
    `${stories} stories of ${callsOfStory} calls, from the start of the command to JSON and JUnit; ${runs} runs each\n`,
  );
  const base = medianOf(times.get('plain script'));
  console.log(`${'runner'.padEnd(14)}${'median'.padStart(10)}${'least'.padStart(10)}${'to plain'.padStart(10)}`);
  for (const { name, missing: why } of runners) {
    const own = times.get(name);
    const figures = own && [
      `${medianOf(own).toFixed(0)} ms`,
      `${Math.min(...own).toFixed(0)} ms`,
      (medianOf(own) / base).toFixed(2),
    ];
    console.log(`${name.padEnd(14)}${figures?.map((it) => it.padStart(10)).join('') ?? `  ${why}`}`);
  }
  const ratio = medianOf(times.get('purser')) / base;
  console.log(`\n${verdict('ratio of purser to the plain script', ratio, goals.ratio, 2)}`);
  console.log(verdict('one more scenario, in milliseconds', marginal('purser'), goals.marginalMilliseconds, 2));
  console.log(`of these the plain script needs ${marginal(plain.name).toFixed(2)} for the calls alone`);

  function marginal(name: string): number {
    return (medianOf(times.get(name)) - medianOf(times.get(`${name}, ${fewer}`))) / (stories - fewer);
  }
}

/** The mutation run over the scenarios of this repository. */
async function mutation(): Promise<void> {
  const seconds = (await timed(['dist/purser.js', 'eval', 'mutate'])) / 1_000;
  console.log(verdict('the whole mutation run, in seconds', seconds, goals.mutationSeconds, 1));
}
