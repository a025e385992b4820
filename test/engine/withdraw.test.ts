import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { freezeTenant } from '../../src/engine/freeze.ts';
import { IntegrityError } from '../../src/engine/integrity-error.ts';
import { agent, deny, order, type Said, type World, withOther, world } from './support.ts';

const withdraw = (it: World, { operation }: Said) => it.call('withdraw_operation', { operation });

async function asked(it: World, args = order()): Promise<Said> {
  await it.call('enroll_card', { card: args.card });
  return it.call('initiate_purchase', args);
}

const approvalOf = async (it: World, { operation = '' }: Said) =>
  it.parts.ledger.transaction('default', (tx) => tx.approvals.ofOperation(operation));

/** Whether a person can still say yes. */
const approves = (it: World, said: Said): Promise<boolean> =>
  it.approve(said).then(
    () => true,
    () => false,
  );

describe('a call that waits for a person', () => {
  it('is withdrawn, and nobody can approve it any more', async () => {
    const it = await world();
    const waiting = await asked(it);
    expect(await withdraw(it, waiting)).toMatchObject({
      outcome: 'done',
      data: { operation: waiting.operation, state: 'WITHDRAWN' },
      next: ['initiate_purchase'],
    });
    expect(await approves(it, waiting)).toBe(false);
    expect(await deny(it, waiting)).toMatchObject({ ok: false });
    expect(await it.operation(waiting.operation)).toMatchObject({ state: 'WITHDRAWN', attempt: 0 });
    expect(await approvalOf(it, waiting)).toMatchObject({ state: 'WITHDRAWN', approver: null });
    const listed = await it.call('list_approvals');
    expect(listed.data.items).toMatchObject([{ approval: waiting.approval?.id, state: 'WITHDRAWN' }]);
    expect((await it.call('list_approvals', { state: 'REQUESTED' })).data.items).toEqual([]);
    expect((await it.call('list_approvals', { state: 'WITHDRAWN' })).data).toEqual(listed.data);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('gives its reference back, and asks anew when it is made again', async () => {
    const it = await world();
    const waiting = await asked(it);
    const other = order({ limit: { amount: '12.00', currency: 'GBP' } });
    expect(await it.call('initiate_purchase', other)).toMatchObject({
      outcome: 'refused',
      error: { code: 'CONFLICT' },
      next: ['list_approvals', 'withdraw_operation'],
    });
    await withdraw(it, waiting);
    const anew = await it.call('initiate_purchase', order());
    expect(anew).toMatchObject({ outcome: 'needs_approval' });
    expect(anew.approval?.id).not.toBe(waiting.approval?.id);
    await withdraw(it, anew);
    expect(await it.through('initiate_purchase', other)).toMatchObject({ outcome: 'done' });
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it('is withdrawn after it was approved, and its approval sends nothing', async () => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    expect(await withdraw(it, waiting)).toMatchObject({ outcome: 'done' });
    const anew = await it.call('initiate_purchase', order());
    expect(anew).toMatchObject({ outcome: 'needs_approval' });
    expect(anew.approval?.id).not.toBe(waiting.approval?.id);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('is withdrawn though its time is over', async () => {
    const it = await world();
    const waiting = await asked(it);
    await it.advance(3_600);
    expect(await withdraw(it, waiting)).toMatchObject({ outcome: 'done', data: { state: 'WITHDRAWN' } });
  });

  it('is withdrawn once: again, it is answered, and nothing is recorded', async () => {
    const it = await world();
    const waiting = await asked(it);
    const first = await withdraw(it, waiting);
    const recorded = await it.audit();
    expect(recorded.filter(({ event }) => event === 'withdrawn')).toMatchObject([
      { operationId: waiting.operation, body: { approval: waiting.approval?.id, principal: 'agent' } },
    ]);
    await it.advance(60);
    const again = await withdraw(it, waiting);
    expect(again).toMatchObject({ outcome: 'done', data: first.data });
    expect(await it.audit()).toEqual(recorded);
  });
});

describe('a call that no longer waits', () => {
  it.each([
    [
      'was sent',
      async (it: World, said: Said) => void (await it.approve(said).then(() => it.call('initiate_purchase', order()))),
    ],
    ['was denied', async (it: World, said: Said) => void (await deny(it, said))],
    [
      'is lost',
      async (it: World, said: Said) => {
        await it.approve(said);
        await it.fault('initiatePurchase', 'timeout-after-commit');
        await it.call('initiate_purchase', order());
      },
    ],
  ])('is not withdrawn: it %s', async (_, happens) => {
    const it = await world();
    const waiting = await asked(it);
    await happens(it, waiting);
    const before = [await it.operation(waiting.operation), await approvalOf(it, waiting)];
    expect(await withdraw(it, waiting)).toMatchObject({
      outcome: 'refused',
      error: { code: 'RULE', rule: expect.stringMatching(/^EN-0[34]$/), field: 'operation', retry: 'never' },
      next: ['get_operation'],
    });
    expect([await it.operation(waiting.operation), await approvalOf(it, waiting)]).toEqual(before);
  });

  it('is not withdrawn where nobody was asked', async () => {
    const it = await world();
    const enrolled = await it.call('enroll_card', { card: 'card_ada' });
    expect(await withdraw(it, enrolled)).toMatchObject({ outcome: 'refused', error: { code: 'RULE' } });
  });
});

describe('who withdraws', () => {
  it('sees the call: another principal and another tenant hear that there is none', async () => {
    const it = await world(withOther);
    const { operation } = await asked(it);
    for (const caller of [
      { tenant: 'default', principal: 'stranger' },
      { tenant: 'other', principal: 'agent' },
    ]) {
      const said = await it.call('withdraw_operation', { operation }, caller);
      const never = await it.call('withdraw_operation', { operation: 'op_never' }, caller);
      expect(said).toMatchObject({ outcome: 'refused', error: { code: 'NOT_FOUND', rule: 'EN-02' } });
      expect(said).toEqual(never);
    }
    expect(await it.operation(operation)).toMatchObject({ state: 'PROPOSED' });
  });

  it('hears in a preview what the call would answer, and nothing is withdrawn', async () => {
    const it = await world();
    const waiting = await asked(it);
    const preview = (operation: unknown) =>
      it.call('preview_call', { tool: 'withdraw_operation', arguments: { operation } });
    const recorded = await it.audit();
    expect((await preview(waiting.operation)).data.verdict).toMatchObject({ outcome: 'done' });
    expect((await preview('op_never')).data.verdict).toMatchObject({
      outcome: 'refused',
      error: { code: 'NOT_FOUND' },
    });
    expect(await it.audit()).toEqual(recorded);
    expect(await it.operation(waiting.operation)).toMatchObject({ state: 'PROPOSED' });
  });

  it('changes nothing while the tenant is halted', async () => {
    const it = await world();
    const waiting = await asked(it);
    await freezeTenant(it.parts, 'default', new IntegrityError('Found by a test.'));
    const verdict = { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13' } };
    const { data } = await it.call('preview_call', {
      tool: 'withdraw_operation',
      arguments: { operation: waiting.operation },
    });
    expect(data.verdict).toMatchObject(verdict);
    expect(await withdraw(it, waiting)).toMatchObject(verdict);
    expect(await it.operation(waiting.operation)).toMatchObject({ state: 'PROPOSED' });
  });
});

describe('at the same time', () => {
  it.each(Array.from({ length: 12 }, (_, ahead) => ahead))(
    'a withdrawal and a yes: one of them counts (%i steps apart)',
    async (ahead) => {
      const it = await world();
      const waiting = await asked(it);
      const [withdrawn, yes] = await Promise.all([
        later(ahead % 4, () => withdraw(it, waiting)),
        later(ahead >> 2, () => approves(it, waiting)),
      ]);
      // A yes before the withdrawal counted for a moment; after it, it doesn't.
      expect(withdrawn).toMatchObject({ outcome: 'done' });
      expect(typeof yes).toBe('boolean');
      expect(await approvalOf(it, waiting)).toMatchObject({ state: 'WITHDRAWN' });
      expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'needs_approval' });
      expect(await it.effects('initiatePurchase')).toEqual([]);
    },
  );

  it.each(Array.from({ length: 12 }, (_, ahead) => ahead))(
    'a withdrawal and the approved call: either it is sent, or it is withdrawn (%i steps apart)',
    async (ahead) => {
      const it = await world();
      const waiting = await asked(it);
      await it.approve(waiting);
      const [withdrawn, made] = await Promise.all([
        later(ahead % 4, () => withdraw(it, waiting)),
        later(ahead >> 2, () => it.call('initiate_purchase', order())),
      ]);
      const sent = (await it.effects('initiatePurchase')).length;
      expect([withdrawn.outcome, made.outcome, sent]).toEqual(
        sent === 1 ? ['refused', 'done', 1] : ['done', 'needs_approval', 0],
      );
      expect(await it.operation(waiting.operation)).toMatchObject({ state: sent === 1 ? 'SUCCEEDED' : 'WITHDRAWN' });
    },
  );
});

/** Begins work after so many turns of the event loop's queue. */
async function later<T>(turns: number, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  return work();
}

it('a tool that says it only reads withdraws nothing: the program that it belongs to is told', async () => {
  const it = await world();
  const waiting = await asked(it);
  const tools = it.parts.tools.map((tool) =>
    tool.name === 'withdraw_operation' ? { ...tool, effect: 'read' as const } : tool,
  ) as typeof it.parts.tools;
  const engine = createEngine({ ...it.parts, tools, offered: tools });
  const call = engine.call('withdraw_operation', { operation: waiting.operation }, agent);
  await expect(call).rejects.toThrow('withdraw_operation');
  expect(await approvalOf(it, waiting)).toMatchObject({ state: 'REQUESTED' });
});
