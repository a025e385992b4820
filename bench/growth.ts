import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Running } from '../src/cli/compose.ts';
import { ledgerPlace } from '../src/cli/storage-paths.ts';
import { openLedger } from '../src/ledger/store.ts';
import { callWith, furnish, named, type Own } from '../test/engine/naming.ts';
import { agent, begins, configuration, countingIds, order, payment, until, worldOf } from '../test/engine/support.ts';
import { tools } from '../tools/index.ts';

// The engine that was built; its types are those of the source.
const { compose } = (await import('../dist/lib/index.js' as string)) as typeof import('../src/cli/library.ts');

// How long a call, a start and an inspection take on a large ledger, beside the same on a small one, and how long each holds the
// event loop, which is how long everybody else waits: npm run bench:growth [-- --scale 0.1]. It prints and never fails by time.

/** Rows of a ledger. */
interface Size {
  readonly audit: number;
  readonly shoppers: number;
  readonly operations: number;
}

/** Each audit row is of a purchase of its own. */
const sizeOf = (audit: number): Size => ({ audit, shoppers: audit / 10, operations: audit });

const { values } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, grow: { type: 'string' }, rows: { type: 'string' } },
});
const sizes = { small: sizeOf(1_000), large: sizeOf(1_000_000 * Number(values.scale)) };
/** Rows of a transaction: what it proves must fit into one statement. */
const together = 500;
/** How often each call is made on both ledgers in turn. */
const turns = 15;

interface Held<T> {
  readonly value: T;
  readonly took: number;
  /** The longest time between two turns of the event loop meanwhile, in milliseconds. */
  readonly longest: number;
  /** The most that this thread has computed between two turns: what is left of `longest` where other programs run meanwhile. */
  readonly computed: number;
}

async function held<T>(work: () => Promise<T>): Promise<Held<T>> {
  let longest = 0;
  let computed = 0;
  let isOver = false;
  const began = performance.now();
  let last = { at: began, cpu: cpuMilliseconds() };
  const tick = () => {
    const now = { at: performance.now(), cpu: cpuMilliseconds() };
    longest = Math.max(longest, now.at - last.at);
    computed = Math.max(computed, now.cpu - last.cpu);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    const value = await work();
    tick();
    return { value, longest, computed, took: performance.now() - began };
  } finally {
    isOver = true;
  }
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

let statements = 0;
for (const name of ['all', 'run'] as const) {
  const own = StatementSync.prototype[name] as (...given: never[]) => unknown;
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...given: never[]) {
      statements += 1;
      return own.apply(this, given);
    },
  });
}

/** The same of both ledgers. */
type Both<T> = Readonly<Record<keyof typeof sizes, T>>;

const figures: object[] = [];

/** Does a work on both ledgers in turn, so that what else the machine does meets both alike; answers what each did last. */
async function measured<T, U>(
  what: string,
  of: Both<T>,
  work: (it: T, turn: number) => Promise<U>,
  times = 1,
): Promise<Both<U>> {
  const took = { small: [] as number[], large: [] as number[] };
  const counted = { small: 0, large: 0 };
  let longest = 0;
  const once = async (name: keyof typeof sizes, turn: number): Promise<U> => {
    statements = 0;
    const it = await held(() => work(of[name], turn));
    took[name].push(it.took);
    counted[name] = statements;
    if (name === 'large') longest = Math.max(longest, it.computed);
    return it.value;
  };
  let did = { small: await once('small', 1), large: await once('large', 1) };
  for (let turn = 2; turn <= times; turn += 1)
    did = { small: await once('small', turn), large: await once('large', turn) };
  const [small, large] = [median(took.small), median(took.large)];
  figures.push({
    what,
    outcome: (did.large as { outcome?: string } | undefined)?.outcome ?? '',
    'small, ms': small.toFixed(2),
    'large, ms': large.toFixed(2),
    ratio: (large / small).toFixed(2),
    'longest computing, ms': longest.toFixed(1),
    statements: `${counted.small}, ${counted.large}`,
  });
  return did;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;

const start = (data: string) =>
  compose(configuration({ data, mandates: [mandate] }), {
    clock: { now: () => begins },
    ids: countingIds(),
    frozenAt: begins,
  });
const mandate = {
  name: 'small orders',
  tools: ['initiate_purchase'],
  currency: 'GBP',
  per: ['day'],
  perCall: '100.00',
  count: 1_000_000,
  until,
} as never; // the least that a mandate is

async function grow(data: string, size: Size): Promise<void> {
  let grown = 0;
  const ledger = await openLedger(ledgerPlace(configuration({ data })));
  for (let at = 0; at < size.audit; at += together) {
    await ledger.transaction('default', async (tx) => {
      for (let row = 0; row < together; row++) {
        const id = `op_grown${grown}`;
        if (grown < size.operations) {
          const common = { principal: 'agent', createdAt: grown };
          // biome-ignore format: rows
          await tx.operations.insert({ ...common, id, name: 'initiatePurchase', subject: '', reference: id, args: '{}', argsDigest: id, essenceDigest: id, rulesHash: '', state: 'SUCCEEDED', attempt: 1, startedAt: 1, quietUntil: 1, request: null, result: { said: 'x' }, updatedAt: 1 });
          // biome-ignore format: rows
          await tx.approvals.insert({ ...common, id: `apr_${id}`, operationId: id, digest: '', text: 'A purchase', state: 'USED', approver: 'ann', channel: 'cli', expiresAt: 1, decidedAt: 1 });
        }
        if (grown < size.shoppers) {
          const thing = { kind: 'shopper', handle: `shopper_grown${grown}` };
          const displayName = `Zoe Number${grown}`;
          await tx.observations.insert({ ...thing, owner: '', state: 'none', body: { displayName } }, grown);
          await tx.observations.rename(thing, displayName);
          await tx.observations.insert(
            { handle: `card_grown${grown}`, kind: 'card', owner: thing.handle, state: 'none', body: {} },
            grown,
          );
        }
        await tx.audit.append({
          operationId: id,
          event: 'sent',
          body: { tool: 'initiate_purchase', attempt: 1 },
          at: grown,
        });
        grown += 1;
      }
    });
    if (at % 100_000 === 0) console.log(`${at} rows`);
  }
  await ledger.close();
}

/** A Purser over one of the ledgers, and the things in it that calls name. */
interface Place {
  readonly running: Running;
  readonly own: Own;
}

async function callTools(places: Both<Place>): Promise<void> {
  const calls = (what: string, tool: string, args: (own: Own) => object) =>
    measured(what, places, ({ running, own }) => running.engine.call(tool, args(own), agent), turns);
  for (const { kind, name } of tools.filter((tool) => tool.kind === 'local')) {
    const fields = named.filter(([tool]) => tool === name).map(([, field]) => field);
    await calls(`${name} (${kind})`, name, (own) =>
      name === 'preview_call'
        ? { tool: 'enroll_card', arguments: { card: own.card } }
        : Object.fromEntries(fields.map((field) => [field, own[field as keyof Own]])),
    );
  }
  await calls('find_shopper by a common name', 'find_shopper', () => ({ name: 'zoe', limit: 50 }));
  await calls('find_shopper by one name', 'find_shopper', () => ({ name: 'number99' }));
  await calls('list_operations, FAILED', 'list_operations', () => ({ state: 'FAILED', limit: 100 }));
  await calls('a refusal', 'enroll_card', () => ({ card: 'card_nobody' }));
  // Another conversation, which has read no text from outside, and an amount that no other purchase has.
  const purchase = ({ running }: Place, turn: number) =>
    running.engine.call(
      'initiate_purchase',
      order({ reference: `bench-${turn}`, limit: { amount: `${72 + turn}.00`, currency: 'GBP' } }),
      { ...agent, session: 'bench' },
    );
  await measured('a purchase under a mandate', places, purchase, turns);
  await calls('update_purchase, asked', 'update_purchase', (own) => ({
    ...callWith('update_purchase', 'instruction', own.instruction, own),
    instruction: own.instruction,
  }));
  await calls('retrieve_credentials', 'retrieve_credentials', (own) => payment(own.instruction));
}

/** A ledger of a size. It grows in a process of its own: what is measured has the heap of a Purser that has just been started. */
async function grownTo(size: Size): Promise<{ readonly data: string; readonly own: Own }> {
  const data = mkdtempSync(join(folder, 'ledger-'));
  const first = await start(data);
  const own = await furnish(worldOf(first));
  await first.close();
  const began = performance.now();
  const script = fileURLToPath(import.meta.url);
  execFileSync(process.execPath, [script, '--rows', String(size.audit), '--grow', data], { stdio: 'inherit' });
  console.log(`made ${JSON.stringify(size)} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return { data, own };
}

const both = async <T, U>(of: Both<T>, work: (it: T) => Promise<U>): Promise<Both<U>> => ({
  small: await work(of.small),
  large: await work(of.large),
});

if (values.grow !== undefined) {
  await grow(values.grow, sizeOf(Number(values.rows)));
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'purser-growth-'));
const change = ({ engine }: Running) => engine.call('enroll_card', { card: 'card_ada' }, agent);
try {
  const made = await both(sizes, grownTo);
  const first = await measured('start', made, ({ data }) => start(data));
  await measured('the first change, which verifies everything', first, change);
  await callTools({
    small: { running: first.small, own: made.small.own },
    large: { running: first.large, own: made.large.own },
  });
  await measured('inspection', first, ({ engine }) => engine.inspect());
  await measured('recovery', first, ({ engine }) => engine.recover());
  await measured('stop', first, (running) => running.close());
  const second = await measured('start after a clean stop', made, ({ data }) => start(data));
  await measured('the first change after it', second, change);
  await both(second, (running) => running.close());
  const ledgers = await both(made, ({ data }) => openLedger(ledgerPlace(configuration({ data }))));
  await measured('audit verify', ledgers, (ledger) => ledger.verify());
  await both(ledgers, (ledger) => ledger.close());
  console.table(figures);
  const loads = loadavg().map((load) => load.toFixed(1));
  console.log(`The machine's load meanwhile, over 1, 5 and 15 minutes: ${loads.join(', ')}`);
} finally {
  rmSync(folder, { recursive: true });
}
