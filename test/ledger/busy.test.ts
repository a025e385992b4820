import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { folder, ledger, operation } from './rows.ts';

const pauses = vi.hoisted(() => ({ taken: 0, ms: 0, during: () => {} }));

// Time passes at once: a test can't wait five seconds.
vi.mock('node:timers/promises', async (real) => ({
  ...(await real<object>()),
  setTimeout: async (ms: number) => {
    pauses.taken += 1;
    pauses.ms += ms;
    pauses.during();
  },
}));

/** A ledger whose file another connection holds. */
async function held() {
  const file = `${folder()}/purser.db`;
  const it = await ledger(file);
  const holder = new DatabaseSync(file);
  onTestFinished(() => holder.close());
  holder.exec('BEGIN IMMEDIATE');
  pauses.taken = 0;
  pauses.ms = 0;
  pauses.during = () => {};
  return { it, file, holder };
}

it('waits for a short while, then does its work', async () => {
  const { it, holder } = await held();
  pauses.during = () => {
    if (pauses.taken === 3) holder.exec('COMMIT');
  };
  await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
  expect([pauses.taken, await it.tenants()]).toEqual([3, ['shop']]);
});

it('gives up after the longest wait, says so, and can be used again', async () => {
  const { it, file, holder } = await held();
  await expect(it.transaction('shop', (tx) => tx.operations.find('op'))).rejects.toThrow(
    new LedgerUnavailable(`The ledger ${file} is locked by another process: find it, then try again.`),
  );
  expect([pauses.ms >= 5000, pauses.ms < 5050]).toEqual([true, true]);
  holder.exec('COMMIT');
  expect(await it.transaction('shop', (tx) => tx.operations.find('op'))).toBeUndefined();
});

it('reads without waiting for a writer', async () => {
  const { it } = await held();
  expect([await it.tenants(), await it.overdue(1), await it.verify()]).toMatchObject([[], [], { ok: true }]);
  expect(pauses.taken).toBe(0);
});

it('locks nothing in a transaction that asks for nothing', async () => {
  const { it } = await held();
  expect(await it.transaction('shop', async () => 1)).toBe(1);
  expect(pauses.taken).toBe(0);
});
