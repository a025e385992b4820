import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { findApproval, recordDecision } from '../../src/engine/approval-service.ts';
import type { LedgerTransaction } from '../../src/ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../../src/ledger/rows.ts';
import { databases } from '../ledger/support/databases.ts';
import { ownDatabase } from '../promises/replica-database.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { folder } from '../support/folder.ts';
import { agent, bought, change, deny, order, person, type Said, type World, world } from './support.ts';

playRowsOneIn(3);

// Approvals that nobody gave, by somebody who can write the database. What is written through the ledger has the checksum
// that it should have, as a careful insider's edit has.

let count = 0;

/** A world on a database of its own, and somebody at its SQL prompt. */
async function open(name: 'SQLite' | 'PostgreSQL') {
  const data = folder();
  const url = name === 'PostgreSQL' ? new Secret(await ownDatabase(`forged_${process.pid}_${count++}`)) : undefined;
  const it = await world({ configure: { data, databaseUrl: url } });
  const place = url === undefined ? { file: join(data, 'sandbox.sqlite') } : { url, schema: 'purser_sandbox' };
  const database = databases.find((one) => one.name === name);
  await it.call('enroll_card', { card: 'card_ada' });
  const asked = await it.call('initiate_purchase', order());
  expect(asked.outcome).toBe('needs_approval');
  return { it, asked, sql: (...statements: string[]) => database?.tamper(place, ...statements) };
}

/** Writes what is asked about as if nobody had to be asked. */
const write = (it: World, { approval, operation }: Said, to: Partial<OperationRow>, asked: Partial<ApprovalRow> = {}) =>
  it.parts.ledger.transaction(agent.tenant, async (tx: LedgerTransaction) => {
    const [row, yes] = [await tx.operations.find(operation ?? ''), await tx.approvals.find(approval?.id ?? '')];
    if (row === undefined || yes === undefined) throw new Error('Nothing was asked.');
    await tx.operations.update(row, to);
    await tx.approvals.update(yes, { state: 'APPROVED', approver: 'ann', channel: 'cli', ...asked });
  });

const approved = { state: 'APPROVED', attempt: 0, request: null, result: null };
const locked = { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13', retry: 'never' } };

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s an approval', { timeout: 60_000 }, (name) => {
  it('that the database alone says was given sends nothing', async () => {
    const { it, asked } = await open(name);
    await write(it, asked, approved);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ ...locked, operation: asked.operation });
    expect(await it.effects('initiatePurchase')).toEqual([]);
    expect(await it.parts.ledger.verify()).toMatchObject({ ok: true });
  });

  it('that was edited without its checksum decides nothing, and verifying tells', async () => {
    const { it, asked, sql } = await open(name);
    await sql(
      `update approvals set state = 'APPROVED', checksum = ''`,
      `update operations set state = 'APPROVED', checksum = '' where state = 'PROPOSED'`,
    );
    expect(await it.call('initiate_purchase', order())).toMatchObject(locked);
    expect((await it.parts.ledger.verify()).ok).toBe(false);
    expect([asked.outcome, await it.effects('initiatePurchase')]).toEqual(['needs_approval', []]);
  });

  it('that was withdrawn is not given again by an edit', async () => {
    const { it, asked } = await open(name);
    await it.approve(asked);
    await deny(it, asked);
    await write(it, asked, approved);
    expect(await it.call('initiate_purchase', order())).toMatchObject(locked);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('that was used is not used again by an edit', async () => {
    const { it, asked } = await open(name);
    await it.approve(asked);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done' });
    await write(it, asked, approved);
    expect(await it.call('initiate_purchase', order())).toMatchObject(locked);
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it('is not given by a row of the audit that was put there', async () => {
    const { it, asked, sql } = await open(name);
    await write(it, asked, approved);
    const yes = await findApproval(it.parts, agent.tenant, asked.approval?.id ?? '');
    const body = JSON.stringify({ approval: yes?.id, approver: 'ann', channel: 'cli', digest: yes?.digest });
    await sql(`insert into audit select seq + 1000, 'default', '${asked.operation}', 'approved', '${body}', 1, hash, hash
      from audit_head`);
    expect(await it.call('initiate_purchase', order())).toMatchObject(locked);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('is not stepped over by an operation that was never sent and is said to be of unknown outcome', async () => {
    const { it } = await open(name);
    const dearer = change(await bought(it, { reference: 'order-2' }), { limit: { amount: '900.00', currency: 'GBP' } });
    const wanted = await it.call('update_purchase', dearer);
    const request = { names: {}, body: {}, new: {} };
    await write(it, wanted, { state: 'UNKNOWN', attempt: 1, quietUntil: 1, request });
    expect([wanted.outcome, await it.call('update_purchase', dearer)]).toMatchObject(['needs_approval', locked]);
    expect(await it.effects('updatePurchase')).toEqual([]);
  });

  it('that a person gave is used as it is', async () => {
    const { it, asked } = await open(name);
    expect(await recordDecision(it.parts, asked.approval?.id ?? '', 'approve', person)).toMatchObject({
      ok: true,
    });
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done' });
    expect(await it.parts.ledger.verify()).toMatchObject({ ok: true });
  });
});
