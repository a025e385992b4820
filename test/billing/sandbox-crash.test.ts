import { execFile } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { start } from '../sandbox/support.ts';
import { quickFolder } from '../support/folder.ts';
import { numbers } from '../support/numbers.ts';
import { BillingBench } from './sandbox-support.ts';

// The clock goes two years forward, which bills a great deal in one request: all of it happens or nothing does.

const folder = quickFolder('purser-billing-crash-');
afterAll(() => rmSync(folder, { recursive: true }));

const later = '2028-01-15T09:00:00Z';
const own = { amount: '7.50', currency: 'GBP' } as const;

/** Subscriptions of every unit, whose payments are made, declined, retried, skipped and given up. */
async function subscribed(bench: BillingBench): Promise<readonly string[]> {
  await bench.card('shopper_bo', { charges: ['paid', 'error', 'declined', 'paid', 'declined', 'declined', 'paid'] });
  await bench.card('shopper_cleo', { charges: ['paid', 'doNotRetry'] });
  const plan = await bench.plan({ setupFee: '2.00' });
  const ids = [
    await bench.subscription(plan),
    await bench.subscription(plan, { who: 'shopper_bo' }),
    await bench.subscription(plan, { who: 'shopper_cleo' }),
    await bench.subscription(undefined, { own: { ...own, every: '1', unit: 'D' } }),
    await bench.subscription(undefined, { who: 'shopper_bo', own: { ...own, every: '2', unit: 'W', total: '20' } }),
    await bench.subscription(undefined, { own: { ...own, every: '1', unit: 'Y', surcharge: '0.30' } }),
  ];
  await bench.passOver(ids[0] ?? '', [2, 3]);
  return ids;
}

/** Sets the clock forward in another process, which dies as it writes its nth document; answers how many it wrote. */
async function advance(file: string, nth: number): Promise<number | undefined> {
  const args = [join(import.meta.dirname, '../sandbox/mortal.ts'), file, later, String(nth)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return Number(stdout);
  } catch (failure) {
    if (failure instanceof Error && 'signal' in failure && failure.signal === 'SIGKILL') return undefined;
    throw failure;
  }
}

it('loses and doubles nothing where the process is killed in the middle', { timeout: 120_000 }, async () => {
  const [file, undisturbed] = [join(folder, 'killed.db'), join(folder, 'undisturbed.db')];
  const seen = async (at: string) => {
    const bench = new BillingBench({ file: at });
    const snapshot = await bench.sandbox.world.snapshot();
    await bench.sandbox.close();
    return snapshot;
  };
  const bench = new BillingBench({ file });
  const ids = await subscribed(bench);
  await bench.sandbox.close();
  copyFileSync(file, undisturbed);
  const before = await seen(file);

  const written = await advance(undisturbed, 0);
  if (written === undefined) throw new Error('The process that nothing disturbs was killed.');
  const after = await seen(undisturbed);
  const number = (kind: string) => after.documents.filter((it) => it.kind === kind).length;
  expect([number('subscription'), number('payment') > 700, number('email') > 1400]).toEqual([ids.length, true, true]);

  for (const nth of [1, Math.floor(written / 2), written]) {
    expect(await advance(file, nth), `killed at document ${nth} of ${written}`).toBeUndefined();
    expect(await seen(file), `killed at document ${nth} of ${written}`).toEqual(before);
  }
  expect(await advance(file, 0)).toBe(written);
  expect(await seen(file)).toEqual(after);
});

const seed = 20260115;

it(`comes to the same world in one step of the clock or in many, seed ${seed}`, async () => {
  const end = Date.parse(later);
  const run = async (steps: readonly number[]) => {
    const bench = new BillingBench();
    await subscribed(bench);
    for (const at of [...steps, end]) await bench.to(at);
    const snapshot = await bench.sandbox.world.snapshot();
    await bench.sandbox.close();
    return snapshot;
  };
  const random = numbers(seed);
  const day = 86_400_000;
  const anywhere = Array.from({ length: 60 }, () => start + random((end - start) / 1000) * 1000 + random(1000));
  const atThePayments = Array.from({ length: 24 }, (_, month) => Date.UTC(2026, month + 1, 0, 10));
  const onTheEdges = atThePayments.flatMap((at) => [at - 3 * day, at - 1, at, at + 1, at + 2 * day]);
  const one = await run([]);
  expect(await run(anywhere.toSorted((a, b) => a - b))).toEqual(one);
  expect(await run(onTheEdges.filter((at) => at > start && at < end).toSorted((a, b) => a - b))).toEqual(one);
});
