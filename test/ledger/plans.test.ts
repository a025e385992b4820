import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bought, order, paid, payment, world } from '../engine/support.ts';

// How the database answers what every call asks. A query that walks through all that ever was makes each call slower than
// the one before.

it('no call makes the database read through a table that grows', async () => {
  const asked = new Set<string>();
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  onTestFinished(() => prepare.mockRestore());
  const data = mkdtempSync(join(tmpdir(), 'purser-plans-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const it = await world({ configure: { data } });
  const instruction = await paid(it);
  await it.call('confirm_transaction', { instruction });
  const other = await bought(it, order({ reference: 'order-2' }));
  await it.call('retrieve_credentials', payment(other));
  await it.call('cancel_purchase', { instruction: other });
  for (const [sql] of prepare.mock.calls) if (/^(select|update|with) /i.test(sql)) asked.add(sql);
  prepare.mockRestore();

  const ledger = new DatabaseSync(join(data, 'sandbox.sqlite'), { readOnly: true });
  onTestFinished(() => ledger.close());
  const plans = [...asked].flatMap((sql) => planOf(ledger, sql));
  // Verifying the ledger walks through it on purpose, at a start and then now and again; so does bringing it up to date.
  const walks = plans.filter(
    ({ sql, detail }) =>
      /^SCAN (operations|observations|approvals|reservations|sealed|events)/.test(detail) &&
      !/ order by "tenant", | where "checksum" = /.test(sql),
  );
  const byTime = plans.filter(({ detail }) => /INDEX operations_by_time \(tenant=\?\)$/.test(detail));
  const trails = plans.filter(({ detail }) => /audit_(halts|of_operation)/.test(detail));
  expect([...new Set(trails.map(({ detail }) => detail))].toSorted()).toEqual([
    'SEARCH audit USING INDEX audit_of_operation (tenant=? AND operation_id=?)',
    'SEARCH newest USING INDEX audit_halts (tenant=?)',
  ]);
  expect(plans.length).toBeGreaterThan(15);
  expect([walks, byTime]).toEqual([[], []]);
});

/** The steps by which the ledger answers a query; none for a query of another database. */
function planOf(ledger: DatabaseSync, sql: string): readonly { readonly sql: string; readonly detail: string }[] {
  try {
    const rows = ledger.prepare(`explain query plan ${sql}`).all(...(sql.match(/\?/g) ?? []).map(() => 'x'));
    return rows.map(({ detail }) => ({ sql, detail: String(detail) }));
  } catch {
    return []; // the sandbox has tables of its own
  }
}
