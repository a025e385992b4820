import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Running } from '../src/cli/compose.ts';
import { ledgerPlace } from '../src/cli/storage-paths.ts';
import { recordDecision } from '../src/engine/approval-service.ts';
import { openLedger } from '../src/ledger/store.ts';
import { callWith, furnish, named, type Own } from '../test/engine/naming.ts';
import {
  agent,
  begins,
  configuration,
  countingIds,
  order,
  payment,
  person,
  until,
  worldOf,
} from '../test/engine/support.ts';
import { tools } from '../tools/index.ts';

// The engine that was built; its types are those of the source.
const { compose } = (await import('../dist/lib/index.js' as string)) as typeof import('../src/cli/library.ts');

// How long a call, a start and an inspection take on a large ledger, and how long each holds the event loop, which is how long
// everybody else waits: npm run bench:growth [-- --scale 0.1]. It prints and never fails by time.

const { values } = parseArgs({ options: { scale: { type: 'string', default: '1' }, grow: { type: 'string' } } });
const scale = Number(values.scale);
const size = { audit: 1_000_000 * scale, shoppers: 100_000 * scale, operations: 100_000 * scale };
const data = values.grow ?? mkdtempSync(join(tmpdir(), 'purser-growth-'));
/** Rows of a transaction: what it proves must fit into one statement. */
const together = 500;
const rows: object[] = [];
let grown = 0;

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

async function measured<T>(what: string, work: () => Promise<T>): Promise<T> {
  statements = 0;
  const { value, longest, computed, took } = await held(work);
  const outcome = (value as { outcome?: string } | undefined)?.outcome ?? '';
  rows.push({
    what,
    outcome,
    ms: took.toFixed(1),
    'longest hold, ms': longest.toFixed(1),
    'of it computing': computed.toFixed(1),
    statements,
  });
  return value;
}

const start = () =>
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

async function grow(): Promise<void> {
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

async function callTools(running: Running, own: Own): Promise<void> {
  const call = (tool: string, args: object) => running.engine.call(tool, args, agent);
  for (const { kind, name } of tools.filter((tool) => tool.kind === 'local')) {
    const fields = named.filter(([tool]) => tool === name).map(([, field]) => field);
    const handles = Object.fromEntries(fields.map((field) => [field, own[field as keyof Own]]));
    const args = name === 'preview_call' ? { tool: 'enroll_card', arguments: { card: own.card } } : handles;
    await measured(`${name} (${kind})`, () => call(name, args));
  }
  await measured('find_shopper by a common name', () => call('find_shopper', { name: 'zoe', limit: 100 }));
  await measured('find_shopper by one name', () => call('find_shopper', { name: 'number7' }));
  await measured('list_operations, FAILED', () => call('list_operations', { state: 'FAILED', limit: 100 }));
  await measured('a refusal', () => call('enroll_card', { card: 'card_nobody' }));
  await measured('a refusal, again', () => call('enroll_card', { card: 'card_nobody' }));
  // Another conversation, which has read no text from outside, and an amount that no other purchase has.
  const bought = await measured('a purchase under a mandate', () =>
    running.engine.call(
      'initiate_purchase',
      order({ reference: 'bench-1', limit: { amount: '73.00', currency: 'GBP' } }),
      {
        ...agent,
        session: 'bench',
      },
    ),
  );
  if (bought.outcome !== 'done') console.log(JSON.stringify(bought));
  const asked = await measured('update_purchase, asked', () =>
    call('update_purchase', {
      ...callWith('update_purchase', 'instruction', own.instruction, own),
      instruction: own.instruction,
    }),
  );
  if (asked.approval !== undefined) await recordDecision(running.engine.parts, asked.approval.id, 'approve', person);
  await measured('retrieve_credentials', () => call('retrieve_credentials', payment(own.instruction)));
}

if (values.grow !== undefined) {
  await grow();
  process.exit(0);
}
try {
  const first = await start();
  const own = await furnish(worldOf(first));
  await first.close();
  // In a process of its own: what is measured has the heap of a Purser that has just been started.
  const began = performance.now();
  const script = fileURLToPath(import.meta.url);
  execFileSync(process.execPath, [script, '--scale', values.scale, '--grow', data], { stdio: 'inherit' });
  console.log(`made ${JSON.stringify(size)} in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  const cold = await measured('start', start);
  await measured('the first change, which verifies everything', () =>
    cold.engine.call('enroll_card', { card: 'card_ada' }, agent),
  );
  await callTools(cold, own);
  await measured('inspection', () => cold.engine.inspect());
  await measured('recovery', () => cold.engine.recover());
  await measured('stop', () => cold.close());
  const warm = await measured('start after a clean stop', start);
  await measured('the first change after it', () => warm.engine.call('enroll_card', { card: 'card_ada' }, agent));
  await warm.close();
  const ledger = await openLedger(ledgerPlace(configuration({ data })));
  await measured('audit verify', () => ledger.verify());
  await ledger.close();
  console.table(rows);
  console.log(
    `The machine's load meanwhile, over 1, 5 and 15 minutes: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}`,
  );
} finally {
  rmSync(data, { recursive: true });
}
