import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ledgerFile } from '../../src/cli/storage-paths.ts';
import { LedgerUnavailable, StaleRow } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { mandates } from '../engine/statements.ts';
import { configuration, order, world } from '../engine/support.ts';
import { folder, ledger, operation } from './rows.ts';

/** A ledger on disk, its own connection, and another one that sees what is durable. */
async function opened() {
  const file = `${folder()}/purser.db`;
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const it = await ledger(file);
  await it.transaction('shop', async () => undefined);
  const own = prepared.mock.contexts[0] as DatabaseSync;
  prepared.mockRestore();
  const other = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => other.close());
  const durable = (): readonly string[] =>
    other
      .prepare('select id from operations order by id')
      .all()
      .map(({ id }) => String(id));
  return { it, own, durable };
}

/** How often is committed meanwhile. */
async function commitsOf(work: () => Promise<unknown>): Promise<number> {
  const run = vi.spyOn(StatementSync.prototype, 'run');
  onTestFinished(() => run.mockRestore());
  await work();
  const commits = run.mock.contexts.filter((statement) => (statement as StatementSync).sourceSQL === 'COMMIT');
  run.mockRestore();
  return commits.length;
}

const insert = (it: Ledger, id: string, fails?: Error): Promise<unknown> =>
  it.transaction('shop', async (tx) => {
    await tx.operations.insert(operation({ id }));
    await tx.audit.append({ operationId: id, event: 'sent', body: { id }, at: 1 });
    if (fails !== undefined) throw fails;
    return id;
  });

it('shares a commit among transactions that wait at the same moment', async () => {
  const { it: shared, durable } = await opened();
  const ids = Array.from({ length: 16 }, (_, at) => `op_${String(at).padStart(2, '0')}`);
  let answers: readonly unknown[] = [];
  expect(
    await commitsOf(async () => {
      answers = await Promise.all(ids.map((id) => insert(shared, id)));
    }),
  ).toBe(1);
  expect([answers, durable()]).toEqual([ids, ids]);
  expect(await shared.verify()).toMatchObject({ ok: true, rows: 16 });
});

it('undoes what one of them threw at, and nothing of the others', async () => {
  const { it: shared, durable } = await opened();
  const outcomes = await Promise.allSettled([
    insert(shared, 'op_a'),
    insert(shared, 'op_b', new RangeError('mine alone')),
    insert(shared, 'op_c'),
    insert(shared, 'op_a'), // a second row of that id
    insert(shared, 'op_d', new StaleRow('mine, too')),
    insert(shared, 'op_e'),
  ]);
  expect(outcomes.map((it) => (it.status === 'fulfilled' ? it.value : it.reason.name))).toEqual([
    ...['op_a', 'RangeError', 'op_c'],
    ...[expect.any(String), 'StaleRow', 'op_e'],
  ]);
  expect(durable()).toEqual(['op_a', 'op_c', 'op_e']);
  expect(await shared.verify()).toMatchObject({ ok: true, rows: 3 });
  expect(await insert(shared, 'op_b')).toBe('op_b');
});

it('tells nobody anything before all is durable, not even a failure', async () => {
  const { it: shared, durable } = await opened();
  const seen: (readonly string[])[] = [];
  const look = () => void seen.push(durable());
  await Promise.all([
    insert(shared, 'op_a').then(look),
    insert(shared, 'op_b', new RangeError('mine alone')).catch(look),
    insert(shared, 'op_c').then(look),
  ]);
  expect(seen).toEqual([1, 2, 3].map(() => ['op_a', 'op_c']));
});

it('each sees what the ones before it have written', async () => {
  const { it: shared } = await opened();
  const count = (): Promise<number> =>
    shared.transaction('shop', async (tx) => {
      const { minor } = await tx.budgets.used('day', 'all');
      await tx.operations.insert(operation({ id: `op_${minor}` }));
      await tx.budgets.reserve({ budget: 'day', scope: 'all', operationId: `op_${minor}`, minor: 1 });
      return minor;
    });
  expect(await Promise.all([count(), count(), count(), count()])).toEqual([0, 1, 2, 3]);
});

it('keeps nothing of any where the disk is full, says so to all, and goes on', async () => {
  const { it: shared, own, durable } = await opened();
  await insert(shared, 'op_first');
  own.exec('PRAGMA max_page_count = 1');
  const long = 'x'.repeat(100_000);
  const outcomes = await Promise.allSettled([
    insert(shared, 'op_a'),
    shared.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op_b', args: `{"a":"${long}"}` }))),
    insert(shared, 'op_c'),
  ]);
  expect(outcomes.map((it) => it.status === 'rejected' && it.reason instanceof LedgerUnavailable)).toEqual([
    ...[true, true, true],
  ]);
  own.exec('PRAGMA max_page_count = 4294967294');
  expect(durable()).toEqual(['op_first']);
  expect(await insert(shared, 'op_a')).toBe('op_a');
  expect(await shared.verify()).toMatchObject({ ok: true, rows: 2 });
});

it('a call decides as ever after a group that was lost: nothing that was not kept counts as verified', async () => {
  const data = folder();
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const it = await world({ configure: { data, mandates } });
  const file = ledgerFile(configuration({ data }));
  const own = [...new Set(prepared.mock.contexts)].find((one) => (one as DatabaseSync).location() === file);
  prepared.mockRestore();
  await it.call('enroll_card', { card: 'card_ada' });
  const buy = (reference: string, amount: string) =>
    it.call('initiate_purchase', order({ reference, limit: { amount, currency: 'GBP' } }));
  expect(await buy('before', '1.00')).toMatchObject({ outcome: 'done' });
  (own as DatabaseSync).exec('PRAGMA query_only = ON');
  const lost = await Promise.all(['2.00', '3.00', '4.00'].map((amount) => buy(`lost-${amount}`, amount)));
  (own as DatabaseSync).exec('PRAGMA query_only = OFF');
  for (const it of lost) expect(it).toMatchObject({ outcome: 'refused', error: { code: 'INTERNAL_HALT' } });
  expect((await it.effects('initiatePurchase')).length).toBe(1);
  const after = await Promise.all(['5.00', '6.00', '7.00'].map((amount) => buy(`after-${amount}`, amount)));
  expect(after.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
});
