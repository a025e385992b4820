import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { InvalidCaller } from '../../src/engine/demand-caller.ts';
import { UnknownTenant } from '../../src/engine/unknown-tenant.ts';
import { agent, order, world } from './support.ts';

// A program that embeds Purser lists what waits for a person, and brings the decision later.

const ada = { tenant: agent.tenant, approver: 'ada@shop.example', channel: 'program' } as const;

/** A purchase that waits for a person. */
async function waiting(options: Parameters<typeof world>[0] = {}) {
  const here = await world(options);
  const { engine } = here.running;
  await here.call('enroll_card', { card: 'card_ada' });
  const call = () => here.call('initiate_purchase', order());
  const { approval } = await call();
  return { here, engine, call, id: approval?.id ?? '' };
}

it('an approval that waits is listed with its exact text, and the call goes on once it is approved', async () => {
  const { here, engine, call, id } = await waiting();
  const { items, total } = await engine.approvals('default', { state: 'REQUESTED' });
  expect([items.length, total]).toEqual([1, 1]);
  expect(items[0]).toMatchObject({ approval: id, state: 'REQUESTED', askedBy: agent.principal });
  expect(items[0]?.text).toContain('100.00 GBP');
  const decided = await engine.decide(id, 'approve', ada);
  expect(decided).toMatchObject({
    ok: true,
    approval: { approval: id, state: 'APPROVED', approver: ada.approver, channel: 'program' },
  });
  expect(await call()).toMatchObject({ outcome: 'done' });
  expect((await engine.approvals('default', { state: 'REQUESTED' })).items).toEqual([]);
  expect(await here.effects()).toHaveLength(2);
});

it('an approval is decided once: a second yes changes nothing, and a no before it is used takes it back', async () => {
  const { engine, call, id } = await waiting();
  await engine.decide(id, 'approve', ada);
  expect(await engine.decide(id, 'approve', ada)).toMatchObject({ ok: false });
  expect(await engine.decide(id, 'deny', ada)).toMatchObject({ ok: true, approval: { state: 'DENIED' } });
  expect(await call()).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED' } });
});

it('nothing is decided for another tenant, about an unknown approval, after its time, or where programs do not count', async () => {
  const { here, engine, id } = await waiting();
  await expect(engine.decide(id, 'approve', { ...ada, tenant: 'other' })).rejects.toBeInstanceOf(UnknownTenant);
  await expect(engine.approvals('other')).rejects.toBeInstanceOf(UnknownTenant);
  expect(await engine.decide('apr_nobody', 'approve', ada)).toMatchObject({ ok: false, missing: true });
  await here.advance(limits.approvalMinutes * 60 + 1);
  expect(await engine.decide(id, 'approve', ada)).toMatchObject({ ok: false });
  expect((await engine.approvals('default')).items).toMatchObject([{ approval: id, state: 'EXPIRED' }]);
  const off = await waiting({ configure: { channels: ['cli'] } });
  expect(await off.engine.decide(off.id, 'approve', ada)).toMatchObject({ ok: false, isOff: true });
  expect((await off.engine.approvals('default')).items).toMatchObject([{ state: 'REQUESTED' }]);
});

it('what a program names wrongly is told, and decides nothing', async () => {
  const { engine, id } = await waiting();
  const wrong = { ...ada, channel: 'phone' as typeof ada.channel };
  await expect(engine.decide(id, 'approve', wrong)).rejects.toBeInstanceOf(TypeError);
  await expect(engine.decide(id, 'approved' as 'approve', ada)).rejects.toBeInstanceOf(TypeError);
  for (const approver of ['', 'a\nb', 'x'.repeat(limits.textCharacters + 9)])
    await expect(engine.decide(id, 'approve', { ...ada, approver })).rejects.toBeInstanceOf(InvalidCaller);
  await expect(engine.approvals('default', { state: 'WAITING' })).rejects.toBeInstanceOf(RangeError);
  for (const limit of [0, 1.5, limits.pageRowsMost + 1])
    await expect(engine.approvals('default', { limit })).rejects.toBeInstanceOf(RangeError);
  expect((await engine.approvals('default')).items).toMatchObject([{ state: 'REQUESTED' }]);
});

it('a page has a cursor for the next', async () => {
  const { here, engine } = await waiting();
  await here.call('initiate_purchase', order({ reference: 'order-2' }));
  const first = await engine.approvals('default', { limit: 1 });
  const second = await engine.approvals('default', { limit: 1, cursor: first.more });
  expect([first.total, second.total, second.more]).toEqual([2, 2, undefined]);
  expect(first.items[0]?.approval).not.toBe(second.items[0]?.approval);
});
