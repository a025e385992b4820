import { describe, expect, it } from 'vitest';
import type { Replacements } from '../../src/cli/compose.ts';
import { limits } from '../../src/core/limits.ts';
import { planned, subscribed, subscription } from '../engine/billing.ts';
import { type World, world } from '../engine/support.ts';

// A plan and the subscriptions on it: what one is decided by is not changed by another call meanwhile.

describe('a plan that is changed while a subscription begins on it', () => {
  /** A platform that holds one kind of request until it is let go. */
  const holding = (method: string, path = /(plans\/[\w-]+|subscriptions)$/) => {
    const held: (() => void)[] = [];
    const replace: Replacements = {
      platform: (real) => async (request) => {
        const isHeld = request.method === method && held.length === 0 && path.test(request.url);
        if (isHeld) await new Promise<void>((go) => held.push(go));
        return real(request);
      },
    };
    return { replace, release: () => held.shift()?.() };
  };
  const until = async (holds: () => Promise<boolean>) => {
    for (let tries = 0; tries < 1_000 && !(await holds()); tries++) await new Promise(setImmediate);
  };
  const isSending = async (it: World, name: string) =>
    (await it.operations()).some((row) => row.name === name && row.state === 'SENDING');

  it('waits for the subscription', async () => {
    const { replace, release } = holding('POST');
    const it = await world({ replace });
    const make = planned(it);
    await until(async () => isSending(it, 'createPlan'));
    release();
    const plan = await make;
    const args = subscription({ plan });
    await it.approve(await it.call('create_subscription', args));
    const creating = it.call('create_subscription', args);
    await until(() => isSending(it, 'createSubscription'));
    const amend = { plan, apply_to: 'NEW', every: 1, unit: 'day' };
    await it.advance(20);
    const said = await it.call('amend_plan', amend);
    expect([said.outcome, said.error?.rule, said.error?.code]).toEqual(['refused', 'EN-07', 'IN_FLIGHT']);
    expect(said.error?.wait).toBe(limits.quietSeconds - 20);
    release();
    expect((await creating).outcome).toBe('done');
    expect((await it.call('amend_plan', amend)).outcome).toBe('done');
  });

  const onIt = [
    ['update_subscription', 'updateSubscription', 'PATCH', /subscriptions\/[\w-]+$/, { amount: '12.00' }],
    [
      'reactivate_subscription',
      'activateSubscription',
      'POST',
      /subscriptions\/[\w-]+\/activate/,
      { collect_missed: true },
    ],
  ] as const;

  /** A subscription on a plan, suspended where the call takes it up again. */
  const begun = async (it: World, tool: (typeof onIt)[number][0]) => {
    const plan = await planned(it);
    const made = await subscribed(it, { start: '2026-01-15T09:00:00Z', plan });
    if (tool === 'reactivate_subscription') await it.call('suspend_subscription', { subscription: made });
    return { plan, made };
  };

  it.each(onIt)('waits for %s of a subscription on it', async (tool, operation, method, path, more) => {
    const { replace, release } = holding(method, path);
    const it = await world({ replace });
    const { plan, made } = await begun(it, tool);
    const args = { subscription: made, ...more };
    await it.approve(await it.call(tool, args));
    const calling = it.call(tool, args);
    await until(() => isSending(it, operation));
    const said = await it.call('amend_plan', { plan, apply_to: 'NEW', every: 1, unit: 'day' });
    expect([said.outcome, said.error?.rule, said.error?.code]).toEqual(['refused', 'EN-07', 'IN_FLIGHT']);
    release();
    expect((await calling).outcome).toBe('done');
  });

  it.each(onIt)('goes before %s of a subscription on it, which is decided after it', async (...row) => {
    const [tool, , , , more] = row;
    const { replace, release } = holding('PATCH');
    const it = await world({ replace });
    const { plan, made } = await begun(it, tool);
    const amending = it.call('amend_plan', { plan, apply_to: 'NEW', every: 1, unit: 'day' });
    await until(() => isSending(it, 'amendPlan'));
    const said = await it.call(tool, { subscription: made, ...more });
    expect([said.outcome, said.error?.rule, said.error?.code]).toEqual(['refused', 'EN-07', 'IN_FLIGHT']);
    release();
    expect((await amending).outcome).toBe('done');
    expect((await it.call(tool, { subscription: made, ...more })).outcome).toBe('needs_approval');
  });

  it('goes first, and a person is asked anew', async () => {
    const { replace, release } = holding('PATCH');
    const it = await world({ replace });
    const plan = await planned(it);
    const args = subscription({ plan });
    // A person has approved something for this customer before, so that her name is nobody else's words.
    expect((await it.through('create_subscription', subscription({ plan, reference: 'sub-0' }))).outcome).toBe('done');
    await it.approve(await it.call('create_subscription', args));
    const amending = it.call('amend_plan', { plan, apply_to: 'NEW', every: 1, unit: 'day' });
    await until(() => isSending(it, 'amendPlan'));
    const said = await it.call('create_subscription', args);
    expect([said.outcome, said.error?.rule, said.error?.code]).toEqual(['refused', 'EN-07', 'IN_FLIGHT']);
    release();
    expect((await amending).outcome).toBe('done');
    const asked = await it.call('create_subscription', args);
    expect([asked.outcome, asked.approval?.text.includes('Every: day')]).toEqual(['needs_approval', true]);
  });
});

it('PL-02: a part of a period is sent with the rest, which may have changed since it was read', async () => {
  const it = await world();
  const plan = await planned(it);
  expect((await it.call('amend_plan', { plan, every: 2 })).outcome).toBe('done');
  const row = (await it.operations()).find(({ name }) => name === 'amendPlan');
  expect(row?.request?.body).toMatchObject({
    planInformation: { billingPeriod: { length: '2', unit: 'M' } },
    processingInformation: { subscriptionBillingOptions: { applyTo: 'NEW' } },
  });
});
