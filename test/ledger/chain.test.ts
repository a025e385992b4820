import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '../../src/core/canonical-json.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { type LedgerPlace, openLedger } from '../../src/ledger/store.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { type Database, databases, openHere } from './support/databases.ts';

playRowsOneIn(3);

const ROWS = 6;

/** A ledger with a sound chain, closed. */
async function chainOn(database: Database, rows = ROWS): Promise<LedgerPlace> {
  const place = await database.place();
  const it = await openLedger(place);
  for (let row = 1; row <= rows; row += 1)
    await it.transaction(row % 2 ? 'shop' : 'cafe', (tx) =>
      tx.audit.append({ operationId: row % 3 ? `op${row}` : undefined, event: 'sent', body: { row }, at: row }),
    );
  await it.close();
  return place;
}

/** Edits that only a database without types of columns takes. */
const untyped = [
  ['at', `x'00'`],
  ['at', `4.5`],
  ['seq', `4.5`],
] as const;

describe.each(databases)('the audit chain on $name', (database) => {
  const ledger = async () => openHere(await database.place());
  const chain = () => chainOn(database);

  /** Does to a ledger what somebody with a SQL prompt could do, and answers the verdict. */
  async function verdictAfter(place: LedgerPlace, ...statements: readonly string[]) {
    await database.tamper(place, ...statements);
    const it = await openLedger(place);
    return it.verify().finally(() => it.close());
  }

  it('runs through all tenants, each hash over the row and the hash before', async () => {
    const it = await ledger();
    const first = await it.transaction('shop', (tx) =>
      tx.audit.append({ operationId: 'op', event: 'sent', body: { b: 1, a: undefined }, at: 5 }),
    );
    const second = await it.transaction('cafe', (tx) => tx.audit.append({ event: 'refused', body: {}, at: 6 }));
    expect(await it.transaction('shop', (tx) => tx.audit.end())).toBe(second.seq);
    const content = {
      at: 5,
      body: { b: 1 },
      event: 'sent',
      operationId: 'op',
      previousHash: '0'.repeat(64),
      seq: 1,
      tenant: 'shop',
    };
    expect(first).toEqual({ ...content, hash: sha256(canonicalJson(content)) });
    expect(second).toMatchObject({ seq: 2, operationId: null, previousHash: first.hash });
    expect(await it.verify()).toEqual({ ok: true, head: second.hash, rows: 2 });
    expect(await it.transaction('shop', (tx) => tx.audit.list({ limit: 9 }))).toEqual({ rows: [first], total: 1 });
  });

  it('knows what has halted a tenant until that has ended, and takes no end that was written over something else', async () => {
    const place = await chain();
    const it = await openHere(place);
    const halts = (tenant: string) => it.transaction(tenant, (tx) => tx.audit.halt());
    const append = (event: string) =>
      it.transaction('shop', (tx) => tx.audit.append({ operationId: 'op1', event, body: {}, at: 9 }));
    expect(await halts('shop')).toBeUndefined();
    const first = await append('halted');
    await append('refused');
    expect([await halts('shop'), await halts('cafe')]).toEqual([first, undefined]);
    await append('resumed');
    expect(await halts('shop')).toBeUndefined();
    await append('halted');
    await database.tamper(place, `UPDATE audit SET event = 'resumed' WHERE event = 'halted'`);
    expect(await halts('shop')).toMatchObject({ operationId: 'op1' });
  });

  it('is sound when empty, and over several steps, while others append', async () => {
    const it = await ledger();
    expect(await it.verify()).toEqual({ ok: true, head: '0'.repeat(64), rows: 0 });
    await it.transaction('shop', async (tx) => {
      for (let at = 1; at <= 1000; at += 1) await tx.audit.append({ event: 'sent', body: {}, at });
    });
    expect(await it.verify()).toMatchObject({ ok: true, rows: 1000 });
    const appends = [1, 2, 3].map((at) =>
      it.transaction('shop', (tx) => tx.audit.append({ event: 'sent', body: {}, at })),
    );
    const [during] = await Promise.all([it.verify(), ...appends]);
    expect(during).toMatchObject({ ok: true });
    expect(await it.verify()).toMatchObject({ ok: true, rows: 1003 });
  });

  it('refuses what can’t be hashed, and keeps nothing of it', async () => {
    const it = await ledger();
    const bad = it.transaction('shop', (tx) => tx.audit.append({ event: 'a\ud800', body: {}, at: 1 }));
    await expect(bad).rejects.toThrow(TypeError);
    expect(await it.verify()).toMatchObject({ ok: true, rows: 0 });
  });

  it.each<readonly [string, string]>([
    ['tenant', `'x'`],
    ['operation_id', `'x'`],
    ['operation_id', `null`],
    ['event', `'x'`],
    ['body', `'{"row":9}'`],
    ['body', `'{ "row":4}'`],
    ['body', `'no json'`],
    ['at', `99`],
    ['previous_hash', `'${'0'.repeat(64)}'`],
    ['hash', `'${'0'.repeat(64)}'`],
    ['seq', `99`],
    ['seq', `-1`],
    ...(database.name === 'SQLite' ? untyped : []),
  ])('shows an edit of %s to %s', async (column, value) => {
    const verdict = await verdictAfter(await chain(), `UPDATE audit SET ${column} = ${value} WHERE seq = 4`);
    expect(verdict).toEqual({ ok: false, seq: value === '-1' ? 1 : 4, because: expect.any(String) });
  });

  it('shows a number that Purser never writes', async () => {
    const verdict = verdictAfter(await chain(), 'UPDATE audit SET seq = 9007199254740993 WHERE seq = 4');
    await expect(verdict).rejects.toThrow(LedgerUnavailable);
    await expect(verdict).rejects.toThrow(/^The ledger .* is damaged: .*restore the last backup\.$/);
  });

  it.each(Array.from({ length: ROWS }, (_, index) => index + 1))('shows that row %i is missing', async (seq) => {
    expect(await verdictAfter(await chain(), `DELETE FROM audit WHERE seq = ${seq}`)).toMatchObject({ ok: false, seq });
  });

  it('shows a missing middle that was closed up again', async () => {
    const verdict = await verdictAfter(
      await chain(),
      'DELETE FROM audit WHERE seq = 3',
      'UPDATE audit SET seq = seq - 1 WHERE seq > 3',
    );
    expect(verdict).toMatchObject({ ok: false, seq: 3 });
  });

  it('shows any two rows that changed places', { timeout: 60_000 }, async () => {
    const pair = fc.uniqueArray(fc.integer({ min: 1, max: ROWS }), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(pair, async ([one = 1, other = 2]) => {
        const verdict = await verdictAfter(
          await chain(),
          `UPDATE audit SET seq = 1000 WHERE seq = ${one}`,
          `UPDATE audit SET seq = ${one} WHERE seq = ${other}`,
          `UPDATE audit SET seq = ${other} WHERE seq = 1000`,
        );
        expect(verdict).toMatchObject({ ok: false, seq: Math.min(one, other) });
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['all rows gone', 'DELETE FROM audit', 1],
    ['its end cut off', 'DELETE FROM audit WHERE seq > 4', 5],
    [
      'a row added at the end',
      `INSERT INTO audit SELECT 7, tenant, operation_id, event, body, at, hash, hash FROM audit WHERE seq = 6`,
      7,
    ],
    [
      'a row added before the first',
      `INSERT INTO audit SELECT 0, tenant, operation_id, event, body, at, hash, hash FROM audit WHERE seq = 6`,
      1,
    ],
    ['another head', `UPDATE audit_head SET hash = 'x'`, 6],
    ['an older head', 'UPDATE audit_head SET seq = 5', 6],
    ['no head', 'DELETE FROM audit_head', 6],
    ['a second head', 'INSERT INTO audit_head SELECT 2, seq, hash FROM audit_head', 6],
  ])('shows %s', async (_what, statement, seq) => {
    expect(await verdictAfter(await chain(), statement)).toMatchObject({ ok: false, seq });
  });

  it('takes no row without a head', async () => {
    const place = await chain();
    await verdictAfter(place, 'DELETE FROM audit_head');
    const it = await openHere(place);
    const append = it.transaction('shop', (tx) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));
    await expect(append).rejects.toThrow(LedgerUnavailable);
  });
});
