import { describe, expect, it } from 'vitest';
import { findApproval, listApprovals, listOperations, recordDecision } from '../../src/engine/approval-service.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Person } from '../../src/engine/person.ts';
import { recover } from '../../src/engine/recover.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import type { FaultKind } from '../../src/sandbox/index.ts';
import { agent, clerk, type Shop, shop, start, wish, withOther } from './shop.ts';

const pay = { amount: '39.90', currency: 'EUR' };
const over: Person = { tenant: 'default', approver: 'ada', channel: 'http' };

/** A purchase that waits for a person: the shop, its operation and its approval. */
async function asked() {
  const it = await shop(withOther);
  await it.call('enroll_card', { card: 'card_ada' });
  const { operation = '', approval } = await it.call('initiate_purchase', wish);
  return { it, operation, id: approval?.id ?? '' };
}

/** A purchase of which nobody knows whether it took effect. */
async function lost(kind: FaultKind = 'timeout-after-commit') {
  const it = await shop({ configure: { limits: [limit] } });
  await it.call('enroll_card', { card: 'card_ada' });
  await it.fault('initiatePurchase', kind);
  const { operation = '' } = await it.approved('initiate_purchase', wish);
  return { it, operation };
}

const limit: SpendingPolicy = { name: 'all', tools: ['initiate_purchase'], currency: 'EUR', per: [], total: '50.00' };

/** What a sum of money has left for purchases after what was done. */
const refusedBeyond = async (it: Shop) =>
  (await it.call('initiate_purchase', { ...wish, reference: 'order-2', limit: { amount: '20.00', currency: 'EUR' } }))
    .said;

describe('a decision', () => {
  it.each([
    ['approve', 'APPROVED', 'APPROVED', 'approved'],
    ['deny', 'DENIED', 'FAILED', 'denied'],
  ] as const)('is written down with who made it, when and how: %s', async (verdict, state, operationState, event) => {
    const { it, operation, id } = await asked();
    await it.advance(3);
    const { text = '', digest = '' } = (await findApproval(it.parts, 'default', id)) ?? {};
    const decided = await recordDecision(it.parts, id, verdict, over);
    const approval = await findApproval(it.parts, 'default', id);
    expect(decided).toEqual({ ok: true, operation, state, text, approval });
    expect(approval).toMatchObject({
      state,
      approver: 'ada',
      channel: 'http',
      decidedAt: start + 3_000,
    });
    expect(await it.operation(operation)).toMatchObject({ state: operationState, updatedAt: start + 3_000 });
    expect((await it.audit()).at(-1)).toMatchObject({
      operationId: operation,
      event,
      body: { approval: id, approver: 'ada', channel: 'http', digest },
      at: start + 3_000,
    });
  });

  it('is about an approval that is there', async () => {
    const it = await shop();
    expect(await recordDecision(it.parts, 'apr_none', 'approve', over)).toEqual({
      ok: false,
      because: 'There is no approval with this id.',
      missing: true,
    });
  });
});

describe('what people look through', () => {
  it('is the approvals of their tenant, of the state they ask for', async () => {
    const { it, id } = await asked();
    const other = await it.call('initiate_purchase', { ...wish, reference: 'order-2' });
    await recordDecision(it.parts, id, 'deny', clerk);
    const list = async (tenant: string, state?: string) =>
      (await listApprovals(it.parts, tenant, { limit: 10 }, state)).rows.map((row) => row.id);
    expect([
      (await list('default')).toSorted(),
      await list('default', 'REQUESTED'),
      await list('default', 'DENIED'),
      await list('other'),
    ]).toEqual([[id, other.approval?.id].toSorted(), [other.approval?.id], [id], []]);
  });

  it('leaves out of what waits what has expired, and counts the rest', async () => {
    const { it } = await asked();
    const waiting = async () => listApprovals(it.parts, 'default', { limit: 1 }, 'REQUESTED');
    expect(await waiting()).toMatchObject({ rows: [{ state: 'REQUESTED' }], total: 1 });
    await it.advance(600);
    expect(await waiting()).toEqual({ rows: [], total: 0 });
    expect((await listApprovals(it.parts, 'default', { limit: 1 })).rows).toMatchObject([{ state: 'EXPIRED' }]);
  });

  it('shows as expired what the clock has ended, before anything stored it', async () => {
    const { it, id } = await asked();
    const expired = async (limit: number, cursor?: string) =>
      listApprovals(it.parts, 'default', { limit, ...(cursor === undefined ? {} : { cursor }) }, 'EXPIRED');
    expect(await expired(10)).toEqual({ rows: [], total: 0 });
    await it.advance(600);
    await it.call('initiate_purchase', { ...wish, reference: 'order-2' });
    expect(await expired(10)).toMatchObject({ rows: [{ id, state: 'EXPIRED' }], total: 1 });
  });

  it('counts the same on every page, whether its expiry is stored or not', async () => {
    const { it, id } = await asked();
    await it.advance(600);
    // The same call again stores that the first has expired.
    const second = (await it.call('initiate_purchase', wish)).approval?.id;
    const third = (await it.call('initiate_purchase', { ...wish, reference: 'order-2' })).approval?.id;
    await it.advance(600);
    await it.call('initiate_purchase', { ...wish, reference: 'order-3' });
    const page = (cursor?: string) =>
      listApprovals(it.parts, 'default', { limit: 1, ...(cursor === undefined ? {} : { cursor }) }, 'EXPIRED');
    const pages = [await page()];
    for (let more = pages[0]?.more; more !== undefined; more = pages.at(-1)?.more) {
      await it.advance(1); // a cursor serves at any time
      pages.push(await page(more));
    }
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    expect(pages.flatMap(({ rows }) => rows.map((row) => row.id)).toSorted()).toEqual([id, second, third].toSorted());
  });

  it('is the operations of their tenant, of the states they ask for', async () => {
    const { it, operation } = await asked();
    const list = async (tenant: string, states?: readonly string[]) =>
      (await listOperations(it.parts, tenant, { limit: 10 }, states)).rows;
    expect([(await list('default')).length, await list('other')]).toEqual([2, []]);
    expect((await list('default', ['PROPOSED'])).map((row) => row.id)).toEqual([operation]);
  });

  it('is no approval that is not theirs', async () => {
    const { it, id } = await asked();
    expect([await findApproval(it.parts, 'other', id), await findApproval(it.parts, 'default', 'apr_none')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('an outcome that a person finds out', () => {
  it('did not happen only where the quiet period is over', async () => {
    const { it, operation } = await lost('5xx');
    const finding = { happened: false, note: 'It is not there.' };
    await it.advance(119);
    expect(await settleUnknown(it.parts, operation, finding, over)).toEqual({
      ok: false,
      because: 'It may still take effect until 2026-01-15T09:02:00.000Z.',
    });
    expect((await it.operation(operation))?.state).toBe('UNKNOWN');
    await it.advance(1);
    expect(await settleUnknown(it.parts, operation, finding, over)).toMatchObject({ ok: true, state: 'FAILED' });
  });

  it.each([
    [
      true,
      'RESOLVED',
      { outcome: 'done', said: 'A person recorded that it took effect.' },
      '"all" has 10.00 EUR left, which is less than this call.',
    ],
    [
      false,
      'FAILED',
      { outcome: 'declined', said: 'A person recorded that it did not take effect.' },
      expect.stringContaining('A person must approve this first'),
    ],
  ])('is its result, moves its budget and stands in the audit: happened %s', async (happened, state, result, next) => {
    const { it, operation } = await lost();
    await it.advance(120);
    const now = start + 120_000;
    expect(await settleUnknown(it.parts, operation, { happened, note: 'Looked.' }, over)).toEqual({
      ok: true,
      operation,
      state,
      text: 'Looked.',
    });
    expect(await it.operation(operation)).toMatchObject({
      state,
      updatedAt: now,
      result: { ...result, operation, next: ['get_operation'] },
    });
    expect((await it.audit()).at(-1)).toMatchObject({
      operationId: operation,
      event: 'resolved',
      body: { happened, note: 'Looked.', person: 'ada', channel: 'http' },
      at: now,
    });
    expect(await refusedBeyond(it)).toEqual(next);
  });

  it('says why there is nothing to find out', async () => {
    const it = await shop();
    const finding = { happened: true, note: 'x' };
    expect(await settleUnknown(it.parts, 'op_none', finding, over)).toEqual({
      ok: false,
      because: 'There is no operation with this id.',
      missing: true,
    });
  });

  it.each(['paid with 4929 4212 3460 0821', 'the CVV is 123', 'saw AgAAAAAABk4DWZ4C28yUQAAAAAA=', 'OTP: 482913'])(
    'takes no note that holds card data, keeps nothing of it and repeats nothing: %s',
    async (note) => {
      const { it, operation } = await lost();
      const before = await it.audit();
      expect(await settleUnknown(it.parts, operation, { happened: true, note }, over)).toEqual({
        ok: false,
        because: 'The note seems to contain a card number, security code or one-time code. Write it without.',
        field: 'note',
      });
      expect(await it.audit()).toEqual(before);
      expect(await it.operations()).toContainEqual(expect.objectContaining({ id: operation, state: 'UNKNOWN' }));
    },
  );

  it('is none where the outcome is known', async () => {
    const it = await shop();
    const { operation = '' } = await it.call('enroll_card', { card: 'card_ada' });
    for (const happened of [true, false])
      expect(await settleUnknown(it.parts, operation, { happened, note: 'x' }, over)).toEqual({
        ok: false,
        because: 'It is SUCCEEDED; only an UNKNOWN operation can be resolved.',
      });
  });

  it('of an enrollment brings its card to the state that it was meant to reach', async () => {
    const it = await shop();
    await it.fault('enrollCard', 'timeout-after-commit');
    const { operation = '' } = await it.call('enroll_card', { card: 'card_ada' });
    const before = await it.thing('card_ada');
    await settleUnknown(it.parts, operation, { happened: true, note: 'It is there.' }, over);
    const after = await it.thing('card_ada');
    expect(after).toMatchObject({ state: (await it.operation(operation))?.request?.reaches, body: before?.body });
    expect(after?.state).not.toBe(before?.state);
  });

  it('leaves its thing where it was, where it did not happen', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const before = (await it.call('get_purchase', { instruction })).data?.state;
    await it.fault('cancelPurchase', '5xx');
    const { operation = '' } = await it.call('cancel_purchase', { instruction });
    await it.advance(120);
    await settleUnknown(it.parts, operation, { happened: false, note: 'It stands.' }, clerk);
    expect((await it.call('get_purchase', { instruction })).data?.state).toBe(before);
  });

  it('teaches of its thing what the request said, and forgets nothing else of it', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const known = async () => (await it.thing(instruction))?.body ?? {};
    const before = await known();
    await it.fault('retrieveCredentials', 'timeout-after-commit');
    const { operation = '' } = await it.call('retrieve_credentials', { instruction, ...pay });
    await settleUnknown(it.parts, operation, { happened: true, note: 'It was released.' }, clerk);
    const after = await known();
    expect(after).toMatchObject({ ...before, releases: after.releases });
    expect(after).not.toEqual(before);
  });
});

describe('recovery', () => {
  it('gives up every call that was left behind, more than one look takes, and none twice', async () => {
    const it = await shop();
    const [row] = await leftBehind(it);
    if (row === undefined) throw new Error('Nothing was left behind.');
    const { version: _, tenant: __, ...like } = row;
    const count = 120;
    await it.parts.ledger.transaction('default', async (tx) => {
      for (let index = 1; index < count; index += 1)
        await tx.operations.insert({
          ...like,
          id: `op_more${index}`,
          subject: `card_${index}`,
          argsDigest: `${index}`,
        });
    });
    await it.advance(120);
    expect([await recover(it.parts), await recover(it.parts)]).toEqual([count, 0]);
    const { total } = await it.parts.ledger.transaction('default', (tx) =>
      tx.operations.list({ states: ['UNKNOWN'] }, { limit: 1 }),
    );
    expect(total).toBe(count);
  });

  it('leaves alone what has ended since it was claimed, and what was sent again', async () => {
    for (const change of [{ state: 'SUCCEEDED' }, { quietUntil: start + 240_000 }]) {
      const it = await shop();
      const [row] = await leftBehind(it);
      await it.advance(120);
      let claimed = false;
      const claimOverdue: Shop['parts']['ledger']['claimOverdue'] = async (...given) => {
        const rows = claimed ? [] : await it.parts.ledger.claimOverdue(...given);
        claimed = true;
        await it.parts.ledger.transaction('default', async (tx) => {
          const now = await tx.operations.find(row?.id ?? '');
          if (now !== undefined && rows.length > 0) await tx.operations.update(now, change);
        });
        return rows;
      };
      await recover({ ...it.parts, ledger: { ...it.parts.ledger, claimOverdue } });
      expect(await it.operation(row?.id ?? '')).toMatchObject({ state: 'SENDING', ...change });
    }
  });
});

/** Leaves an enrollment behind, as a process does that dies when its request is about to go out. */
async function leftBehind(it: Shop) {
  const ports = {
    ...it.parts.ports,
    failpoint: (point: string) => {
      if (point === 'F2') throw new Error('killed');
    },
  };
  await createEngine({ ...it.parts, ports })
    .call('enroll_card', { card: 'card_ada' }, agent)
    .catch(() => undefined);
  return it.operations();
}
