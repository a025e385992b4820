import { CamelCasePlugin, type ControlledTransaction, Kysely, sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { reveal } from '../../src/core/secret.ts';
import { AlreadyOpen, StaleRow } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LedgerTransaction } from '../../src/ledger/ledger-transaction.ts';
import { postgresDialect } from '../../src/ledger/postgres-driver.ts';
import { createProof } from '../../src/ledger/proof.ts';
import type { Tables } from '../../src/ledger/tables.ts';
import { transactionOf } from '../../src/ledger/transaction.ts';
import { approval, operation } from './rows.ts';
import { openHere, postgresPlace, superuser, testKey } from './support/databases.ts';

// Two transactions at READ COMMITTED, step by step, and without the lock that keeps the transactions of a tenant apart:
// what changes a row does so under a condition, and the condition alone must do.

interface Step {
  readonly tx: LedgerTransaction;
  /** Enters what was written into the proofs. */
  readonly settle: () => Promise<void>;
  readonly open: ControlledTransaction<Tables>;
}

let ledger: Ledger;
let one: Step;
let other: Step;
/** Waits until one of the two waits for the other. */
let untilBlocked: () => Promise<void>;

beforeEach(async () => {
  const place = await postgresPlace();
  ledger = await openHere(place);
  const client = await superuser(place);
  const begin = async (): Promise<Step> => {
    const pool = new pg.Pool({ connectionString: reveal(place.url), application_name: place.schema, max: 1, types });
    const db = new Kysely<Tables>({ dialect: postgresDialect(pool, 'here'), plugins: [new CamelCasePlugin()] });
    onTestFinished(() => db.destroy());
    const open = (await db.withSchema(place.schema).startTransaction().execute()) as ControlledTransaction<Tables>;
    const { proof, settle } = createProof(open, 'shop', { key: testKey, locks: true });
    const writes = {
      ...{ others: sql<string>`''`, isAhead: false, othersAppend: false },
      committed: () => ({ appended: 0 }),
    };
    const writing = { writes, everyRow: unused, appends: () => undefined };
    return { open, settle, tx: transactionOf(open, 'shop', writing, proof) };
  };
  one = await begin();
  other = await begin();
  untilBlocked = async () => {
    const waits = `select from pg_stat_activity where application_name = '${place.schema}' and wait_event_type = 'Lock'`;
    for (let found = false; !found; ) found = (await client.query(waits)).rowCount === 1;
  };
  onTestFinished(async () => {
    for (const { open } of [one, other]) if (!open.isCommitted && !open.isRolledBack) await open.rollback().execute();
  });
});

const unused = async () => {
  throw new Error('No test here looks at the chain.');
};

/** Numbers, as the ledger's own pool reads them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? (text: string) => Number(text) : pg.types.getTypeParser(type, format),
};

/** Does the same in both: the second waits for the first, whose commit lets it go on. Answers what came of each. */
async function both<T>(work: (step: Step) => Promise<T>): Promise<readonly [T, T | Error]> {
  const first = await work(one);
  const second = work(other).catch((error: unknown) => error as Error);
  await untilBlocked();
  await one.settle();
  await one.open.commit().execute();
  return [first, await second];
}

describe('of two transactions that go for the same at once', () => {
  it('one changes an operation that both have read, and the other finds it stale', async () => {
    const row = await ledger.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
    const [won, lost] = await both(({ tx }) => tx.operations.update(row, { state: 'SUCCEEDED' }));
    expect([won, lost]).toEqual([expect.objectContaining({ version: 2 }), expect.any(StaleRow)]);
  });

  it('one uses an approval', async () => {
    const row = await ledger.transaction('shop', async (tx) => {
      await tx.operations.insert(operation({ id: 'op', state: 'PROPOSED' }));
      return tx.approvals.insert(approval({ id: 'ok', operationId: 'op', state: 'APPROVED' }));
    });
    const [won, lost] = await both(({ tx }) => tx.approvals.update(row, { state: 'CONSUMED' }));
    expect([won, lost]).toEqual([expect.objectContaining({ state: 'CONSUMED' }), expect.any(StaleRow)]);
  });

  it.each([
    ['a subject', { subject: 'card' }],
    ['a reference', { reference: 'R1' }],
  ])('one opens %s', async (_, changes) => {
    let count = 0;
    const [won, lost] = await both(({ tx }) => tx.operations.insert(operation({ id: `op${count++}`, ...changes })));
    expect([won, lost]).toEqual([expect.objectContaining({ id: 'op0' }), expect.any(AlreadyOpen)]);
  });

  it('one takes the last of a budget', async () => {
    await ledger.transaction('shop', async (tx) => {
      for (const id of ['before', 'a', 'b']) await tx.operations.insert(operation({ id }));
      await tx.budgets.reserve({ budget: 'day', scope: '', operationId: 'before', minor: 40, most: 100 });
    });
    const ids = ['a', 'b'];
    const taken = await both(({ tx }) =>
      tx.budgets.reserve({ budget: 'day', scope: '', operationId: ids.shift() ?? '', minor: 40, most: 100 }),
    );
    expect(taken).toEqual([true, false]);
  });

  it('one takes a sealed secret', async () => {
    await ledger.transaction('shop', (tx) => tx.sealed.put({ handle: 'secret', sealed: 'x', expiresAt: 9 }));
    expect(await both(({ tx }) => tx.sealed.take('secret', 1))).toEqual([{ sealed: 'x', expiresAt: 9 }, undefined]);
  });

  it('both append to the audit chain, one after the other', async () => {
    const rows = await both(({ tx }) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));
    await other.settle();
    await other.open.commit().execute();
    const [first, second] = rows;
    if (first instanceof Error || second instanceof Error) throw new Error('Both should have appended.');
    expect([second.seq, second.previousHash]).toEqual([2, first.hash]);
    expect(await ledger.verify()).toMatchObject({ ok: true, rows: 2 });
  });
});
