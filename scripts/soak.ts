import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Found } from '../test/support/found.ts';

// `npm run soak -- [part …] [--scale 0.1] [--seed 1] [--lanes 2]`: the long forms of the proofs, one after another, to the
// end whatever they find. Ends with 1 if one of them found something. The short forms are among the tests.

/** One proof: how much of it the long form does, and what does it. */
interface Part {
  readonly count: number;
  readonly of: string;
  /** In this language, by lanes of processes, each with a seed and a share of its own. */
  readonly run?: (count: number, seed: number) => Promise<Found>;
  /** By a program that prints its own figures, and ends with something else than 0 if it found something. */
  readonly command?: (count: number, seed: number) => Command;
  /** Whether each lane runs the command with a share of its own; otherwise it has lanes itself. */
  readonly laned?: true;
}

interface Command {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

const parts: { readonly [name: string]: Part } = {
  model: {
    count: 1_000_000,
    of: 'calls against an independent model',
    laned: true,
    command: (count, seed) => ({
      args: [vitest, 'run', 'test/engine/model.test.ts', '--reporter=verbose'],
      env: { SOAK: '1', CALLS: String(count), SEED: String(seed) },
    }),
  },
  subscriptions: {
    count: 100_000,
    of: 'calls of billing against an independent model',
    laned: true,
    command: (count, seed) => ({
      args: [vitest, 'run', 'test/billing/model.test.ts', '--reporter=verbose'],
      env: { SOAK: '1', CALLS: String(count), SEED: String(seed) },
    }),
  },
  simulation: {
    count: 1_000_000,
    of: 'simulated crashes',
    run: async (count, seed) => (await import('../test/promises/simulation.ts')).crashAtRandom(count, seed),
  },
  cells: {
    count: 4_644,
    of: 'crashes of every operation at every point under every fault',
    command: () => ({ args: [vitest, 'run', 'test/promises/simulation.test.ts'], env: { SOAK: '1' } }),
  },
  corruption: {
    count: 1_000,
    of: 'rows of each table at most that are damaged under every tool',
    command: (count) => ({
      args: [vitest, 'run', 'test/promises/corrupt-rows.test.ts'],
      env: { CORRUPT_ROWS: String(count) },
    }),
  },
  faces: {
    count: 59,
    of: 'stories at most that every face tells the same',
    command: () => ({ args: [vitest, 'run', 'test/faces/parity.test.ts'], env: { SOAK: '1' } }),
  },
  lost: {
    count: 768,
    of: 'lost answers of every operation, by every fault',
    command: () => ({ args: [vitest, 'run', 'test/engine/unknown.test.ts'], env: { SOAK: '1' } }),
  },
  previews: {
    count: 100_000,
    of: 'previews and their calls',
    run: async (count, seed) => (await import('../test/engine/preview-verdicts.ts')).previewVerdicts(count, seed),
  },
  deliveries: {
    count: 10_000,
    of: 'deliveries of events on a bad network',
    command: (count, seed) => ({
      args: [vitest, 'run', 'test/promises/deliveries.test.ts', '--reporter=verbose'],
      env: { DELIVERIES: String(count), SEED: String(seed) },
    }),
  },
  files: {
    count: 200,
    of: 'megabytes of one file',
    command: (count) => ({
      args: [vitest, 'run', 'test/promises/large-files.test.ts', '--reporter=verbose'],
      env: { FILE_MEGABYTES: String(count) },
    }),
  },
  kills: {
    count: 10_000,
    of: 'processes that are killed',
    command: (count) => ({ args: ['scripts/crash.ts', String(count)] }),
  },
  races: {
    count: 5_000,
    of: 'races of three replicas for each operation',
    command: (count, seed) => ({ args: ['scripts/replicas.ts', String(count), '0', String(seed)] }),
  },
  storm: {
    count: 1_000,
    of: 'purchases while replicas are killed and the database stops',
    command: (count, seed) => ({ args: ['scripts/replicas.ts', '0', String(count), String(seed)] }),
  },
  transcripts: {
    count: 100_000,
    of: 'transcripts that are searched for secrets',
    run: async (count, seed) => (await import('../test/promises/transcripts.ts')).transcripts(count, seed),
  },
  secrets: {
    count: 10_000,
    of: 'secrets that the app and customers enter',
    command: (count, seed) => ({
      args: [vitest, 'run', 'test/promises/request-secrets.test.ts'],
      env: { SECRET_RUNS: String(count), SEED: String(seed) },
    }),
  },
  mutated: {
    count: 1_000_000,
    of: 'commits that differ from what was approved',
    run: async (count, seed) => (await import('../test/engine/mutated.ts')).mutated(count, seed),
  },
  billing: {
    count: 10_000,
    of: 'subscriptions billed beside a model of their own',
    run: async (count, seed) => (await import('../test/billing/sandbox-random.ts')).lives(count, seed),
  },
  payments: {
    count: 100_000,
    of: 'orders in two currencies, paid and undone at random',
    run: async (count, seed) => (await import('../test/conversion/flows.ts')).flows(count, seed),
  },
  summaries: {
    count: 10_000,
    of: 'histories of payments, subscriptions and invoices, summed up beside an account of their own',
    run: async (count, seed) => (await import('../test/reporting/histories.ts')).histories(count, seed),
  },
  strangers: {
    count: 200_000,
    of: 'calls of other tenants',
    run: async (count, seed) => (await import('../test/engine/strangers.ts')).strange(count, seed),
  },
  flips: {
    count: 100_000,
    of: 'bits of a ledger that are turned over',
    run: async (count, seed) => (await import('../test/ledger/corruption.ts')).flips(count, seed),
  },
  rows: {
    count: 1,
    of: 'rounds of every test, with each row of the tables of which npm test plays those of the day',
    command: () => ({ args: [vitest, 'run'] }),
  },
  deep: {
    count: 2_000,
    of: 'bugs that are planted into the source, and looked for by the evals',
    command: (count, seed) => ({
      args: [
        'dist/purser.js',
        'eval',
        'mutate',
        '--deep',
        '--min-noticed',
        '95',
        '--sample',
        `${count}`,
        '--seed',
        `${seed}`,
      ],
    }),
  },
  rules: {
    count: 515,
    of: 'mutants of rules, all of them',
    command: () => ({ args: ['dist/purser.js', 'eval', 'mutate'] }),
  },
  adversaries: {
    count: 8,
    of: 'eighths of the runs of bad agents: all of them, or one eighth',
    command: (count, seed) => ({
      args: [
        'dist/purser.js',
        'eval',
        '--adversaries',
        ...(count < 8 ? [] : ['--every-adversary']),
        '--seed',
        `${seed}`,
      ],
    }),
  },
  spoiled: {
    count: 100_000,
    of: 'requests to the sandbox with one value in the place of another',
    laned: true,
    command: (count, seed) => ({
      args: [vitest, 'run', 'test/sandbox/spoiled.test.ts', '--reporter=verbose'],
      env: { REQUESTS: String(count), SEED: String(seed) },
    }),
  },
  hostile: {
    count: 100_000,
    of: 'hostile inputs',
    run: async (count, seed) => (await import('../test/engine/hostile.ts')).hostile(count, seed),
  },
};

const { values, positionals } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
    lane: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [scale, seed, lanes] = [values.scale, values.seed, values.lanes].map(Number) as [number, number, number];
const chosen = positionals.length === 0 ? Object.keys(parts) : positionals;
const [name = '', share = ''] = positionals;

if (values.lane) await beLane(name, Number(share));
else if (
  !(scale > 0) ||
  !Number.isInteger(seed) ||
  !Number.isInteger(lanes) ||
  lanes < 1 ||
  !chosen.every((it) => it in parts)
) {
  console.error(`Say parts (${Object.keys(parts).join(', ')}), and --scale, --seed or --lanes with a number.`);
  process.exitCode = 2;
} else await runAll();

async function runAll(): Promise<void> {
  const failed: string[] = [];
  for (const it of chosen) if (!(await runPart(it).catch(told))) failed.push(it);
  console.log(failed.length === 0 ? 'Nothing was found.' : `Something was found by: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** What keeps a part from its end is a finding, too. */
function told(error: unknown): boolean {
  console.error(error);
  return false;
}

/** Runs one part, prints its figures, and answers whether it found nothing. */
async function runPart(it: string): Promise<boolean> {
  const part = parts[it];
  if (part === undefined) throw new Error(`There is no part ${it}.`);
  const count = Math.max(lanes, Math.ceil(part.count * scale));
  console.log(`\n${it}: ${count} ${part.of}, seed ${seed}`);
  const begins = performance.now();
  const good = part.command === undefined ? await inLanes(it, count) : await byCommand(part, part.command, count);
  const seconds = (performance.now() - begins) / 1_000;
  console.log(
    `${it}: ${good ? 'nothing found' : 'FOUND SOMETHING'}; ${seconds.toFixed(0)} s, ${(count / seconds).toFixed(1)} a second`,
  );
  return good;
}

async function inLanes(it: string, count: number): Promise<boolean> {
  const found = await Promise.all(shares(count).map((own, lane) => lanesFound(it, own, seed + lane)));
  const counts = new Map<string, number>();
  for (const one of found)
    for (const [what, times] of Object.entries(one.counts))
      counts.set(
        what,
        what.startsWith('longest') || what === 'ways'
          ? Math.max(counts.get(what) ?? 0, times)
          : (counts.get(what) ?? 0) + times,
      );
  console.log(Object.fromEntries(counts));
  const findings = found.flatMap((one) => one.findings);
  for (const finding of findings) console.log(`  ${finding}`);
  return findings.length === 0;
}

/** A share for each lane, all of them together the whole. */
function shares(count: number): readonly number[] {
  return Array.from({ length: lanes }, (_, lane) => Math.floor((count + lane) / lanes));
}

async function lanesFound(it: string, count: number, own: number): Promise<Found> {
  const child = fork(fileURLToPath(import.meta.url), [it, String(count), '--lane', '--seed', String(own)], {
    cwd: root,
  });
  let found: Found | undefined;
  child.on('message', (said) => {
    found = said as Found; // a lane says nothing else
  });
  const [code] = await once(child, 'exit');
  return found ?? { counts: {}, findings: [`A lane ended with ${code} before it was through (seed ${own}).`] };
}

async function beLane(it: string, count: number): Promise<void> {
  const found = await parts[it]?.run?.(count, seed);
  await new Promise((sent) => process.send?.(found, sent));
  process.disconnect();
}

async function byCommand(part: Part, command: NonNullable<Part['command']>, count: number): Promise<boolean> {
  const own = part.laned ? shares(count) : [count];
  const codes = await Promise.all(own.map((each, lane) => exitOf(command(each, seed + lane))));
  return codes.every((code) => code === 0);
}

async function exitOf({ args, env }: Command): Promise<number | null> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}
