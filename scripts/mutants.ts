import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isDrawn } from '../evals/harness/adversaries/sample.ts';
import { type Mutant, mutants } from '../test/mutants/mutants.ts';

// `npm run mutants [id …]`: puts one seeded bug after the other into a copy of the project and demands that its named test
// fails. Ends with 1 if one survives, can't be put in, breaks the build, or if a named test fails without it.
// `--in report.json` only demands that each named test is among those that passed, by the report of `npm test`; with `--seed N`,
// one bug in twenty-four, which the seed draws, is put in as well.

const root = fileURLToPath(new URL('..', import.meta.url));
const leftOut: readonly string[] = ['node_modules', 'test/clients/node_modules', '.git', 'dist', 'coverage', '.purser'];
/** One more than there are cores, because a run that starts or ends waits. */
const laneCount = availableParallelism() + 1;

/** A file of tests in a report, and how each test ended. */
interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly tests: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly meta?: { readonly leftOut?: boolean };
  }[];
}

/** What a run of tests came to; `broken` where a file could not even be loaded. */
interface Run {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly broken: boolean;
}

const { values, positionals: wanted } = parseArgs({
  options: { in: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const chosen = mutants.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const drawn =
  values.seed === undefined ? [] : chosen.filter(({ id }) => isDrawn({ seed: Number(values.seed), oneIn: 24 }, id, ''));
const planted = values.in === undefined ? chosen : drawn;
const lanes = planted.length === 0 ? [] : Array.from({ length: laneCount }, copy);
try {
  const isMet =
    (values.in === undefined ? await baseline(chosen) : areNamedIn(values.in, chosen)) &&
    (planted.length === 0 || (await everyMutant(planted)));
  process.exitCode = isMet ? 0 : 1;
} finally {
  for (const lane of lanes) rmSync(lane, { recursive: true, force: true });
}

/**
 * Whether each named test is among those that passed, or that `npm test` plays on another day. Without this, a test that
 * gets another name is missed only when mutants run.
 */
function areNamedIn(report: string, list: readonly Mutant[]): boolean {
  const passed = filesIn(report).map(({ name, tests }) => ({
    name,
    tests: tests.filter((it) => it.status === 'passed' || it.meta?.leftOut === true),
  }));
  const unnamed = list.filter((it) => {
    const { file, pattern } = named(it);
    const tests = passed.find(({ name }) => name.endsWith(`/${file}`))?.tests ?? [];
    return !tests.some(({ fullName }) => new RegExp(pattern).test(fullName));
  });
  for (const { id, caughtBy } of unnamed)
    console.error(`${id}: no test that passed, or is played on another day, is called ${caughtBy}`);
  console.log(
    `${list.length - unnamed.length} of ${list.length} mutants name a test that passed, or is played on another day`,
  );
  return unnamed.length === 0;
}

/** The named tests as they are, file by file: each pattern must name tests, and all of them must pass. */
async function baseline(list: readonly Mutant[]): Promise<boolean> {
  const files = Object.entries(Object.groupBy(list, (it) => named(it).file));
  const complaints = await inLanes(files, async ([file, own = []], lane) => {
    const patterns = own.map((it) => named(it).pattern);
    const { passed, failed, broken } = await run(lane, file, patterns.map((pattern) => `(${pattern})`).join('|'));
    const unnamed = patterns.filter((pattern) => !passed.some((name) => new RegExp(pattern).test(name)));
    return [
      ...(broken ? [`${file} can't be loaded`] : []),
      ...failed.map((name) => `${file} fails without any mutant: ${name}`),
      ...unnamed.map((pattern) => `${file} has no passing test "${pattern}"`),
    ];
  });
  for (const complaint of complaints.flat()) console.error(complaint);
  return complaints.flat().length === 0;
}

async function everyMutant(list: readonly Mutant[]): Promise<boolean> {
  const began = performance.now();
  const verdicts = await inLanes(list, async (mutant, lane) => {
    const start = performance.now();
    const verdict = await judge(mutant, lane);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    console.log(`${verdict.padEnd(8)} ${mutant.id.padEnd(32)} ${mutant.title} · ${mutant.caughtBy} · ${seconds} s`);
    return verdict;
  });
  const caught = verdicts.filter((verdict) => verdict === 'caught').length;
  console.log(`${caught} of ${list.length} mutants caught in ${Math.round((performance.now() - began) / 1_000)} s`);
  return caught === list.length;
}

/** Puts a mutant into a lane, runs its test, and takes it out again. */
async function judge(mutant: Mutant, lane: string): Promise<'caught' | 'SURVIVED' | 'LOST' | 'BROKEN'> {
  const path = join(lane, mutant.file);
  const text = readFileSync(path, 'utf8');
  if (text.split(mutant.find).length !== 2) return 'LOST';
  writeFileSync(
    path,
    text.replace(mutant.find, () => mutant.replace),
  );
  try {
    const { file, pattern } = named(mutant);
    const { failed, broken } = await run(lane, file, pattern);
    return failed.length > 0 ? 'caught' : broken ? 'BROKEN' : 'SURVIVED';
  } finally {
    writeFileSync(path, text);
  }
}

function named({ caughtBy }: Mutant): { readonly file: string; readonly pattern: string } {
  const [file = '', pattern = ''] = caughtBy.split(' › ');
  return { file, pattern };
}

/** The project as it is now, in a folder of its own that shares the installed packages. */
function copy(): string {
  const lane = mkdtempSync(join(tmpdir(), 'purser-mutants-'));
  cpSync(root, lane, { recursive: true, filter: (from) => !leftOut.includes(relative(root, from)) });
  symlinkSync(join(root, 'node_modules'), join(lane, 'node_modules'));
  return lane;
}

/** Runs the tests of a file whose names match, in a lane. */
async function run(lane: string, file: string, pattern: string): Promise<Run> {
  const report = join(lane, 'mutants-report.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  // A report joins the titles of a test with spaces, and `-t` looks for them joined with arrows.
  const titles = pattern.replaceAll(' ', '(?: > | )');
  const options = ['--bail', '1', '--testTimeout', '20000', '--reporter', 'json', '--outputFile', report];
  const child = spawn(process.execPath, [vitest, 'run', file, '-t', titles, ...options], {
    cwd: lane,
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return read(report);
}

function read(report: string): Run {
  try {
    const files = filesIn(report);
    const all = files.flatMap(({ tests }) => tests);
    const names = (status: string) => all.filter((it) => it.status === status).map(({ fullName }) => fullName);
    const failed = names('failed');
    return {
      passed: names('passed'),
      failed,
      broken: failed.length === 0 && files.some(({ status }) => status === 'failed'),
    };
  } catch {
    return { passed: [], failed: [], broken: true }; // vitest itself did not come to its end
  }
}

/** What vitest's JSON reporter wrote. */
function filesIn(report: string): readonly TestFile[] {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly testResults: readonly (Omit<TestFile, 'tests'> & { readonly assertionResults: TestFile['tests'] })[];
  };
  return testResults.map(({ assertionResults, ...file }) => ({ ...file, tests: assertionResults }));
}

/** Does work on every item, as many at once as there are lanes. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  work: (item: Item, lane: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<Item, Result>();
  const waiting = [...items];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
        results.set(item, await work(item, lane));
    }),
  );
  return items.flatMap((item) => results.get(item) ?? []);
}
