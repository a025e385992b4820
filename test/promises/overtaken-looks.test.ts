import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { toolName } from '../../src/engine/tool.ts';
import { type Changing, planned, subscribed } from '../engine/billing.ts';
import { changing } from '../engine/changing.ts';
import { bill, billed } from '../engine/invoicing.ts';
import { agent, until, world } from '../engine/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { prepared } from '../support/prepared.ts';
import { createHold, looksOf, pastIn, rowsOf } from './overtaken-looks.ts';

playRowsOneIn(3);

// The platform answers a look, then a call changes what it tells of, and only then does the answer arrive: it tells of the past.

describe.each(Object.keys(changing) as Changing[])('after %s', (name) => {
  const hold = createHold();
  const ready = prepared(async (it) => ({ args: await changing[name](it), looks: await looksOf(it) }), {
    replace: { platform: hold.platform, reader: hold.reader },
  });

  it('nothing is known as it was before, whichever look arrives late', async () => {
    const { made } = await ready();
    const past: string[] = [];
    let looked = 0;
    for (const { tool, args } of made.looks)
      for (let others = 0, isHeld = true; isHeld; others++) {
        const { it } = await ready();
        const look = () => it.call(tool, args);
        const begun = await hold.begin(look, others);
        isHeld = begun.isHeld;
        if (!isHeld) continue;
        looked++;
        expect(await it.through(toolName(name), made.args)).toMatchObject({ outcome: 'done' });
        const left = await rowsOf(it);
        hold.release();
        const late = await begun.said;
        const known = await rowsOf(it);
        const now = await look();
        past.push(...pastIn(known, left, await rowsOf(it)).map((it) => `${it}, from ${tool}`));
        if (Object.keys(args).length > 0 && late.data?.state !== now.data?.state) past.push(`the answer of ${tool}`);
      }
    expect(past).toEqual([]);
    expect(looked).toBeGreaterThan(5);
  });
});

describe('a look that calls overtake', () => {
  const hold = createHold();
  const begun = async () => {
    const it = await world({ replace: { platform: hold.platform } });
    return { it, invoice: await billed(it, bill()) };
  };
  /** Changes the bill each time before the answer arrives. */
  const overtaken = async (tool: string, args: (invoice: string) => object, times: number) => {
    const { it, invoice } = await begun();
    const { said } = await hold.begin(() => it.call(tool, args(invoice)), 0);
    for (let changed = 1; changed <= times; changed++) {
      await it.through('update_invoice', { invoice, total: `4${changed}.00` });
      if (changed < times) await hold.releaseForNext();
    }
    hold.release();
    const seen = await said;
    return { seen, known: (await it.thing(invoice)).body.total };
  };
  const one = (invoice: string) => ({ invoice });
  const all = () => ({});
  const mandates: SpendingPolicy[] = [
    { name: 'prices', tools: ['update_subscription'], per: [], currency: 'GBP', total: '30.00', until },
  ];
  const weekly = { apply_to: 'ALL', every: 1, unit: 'week' };

  it('lets no call cost less than it does', async () => {
    const it = await world({ replace: { platform: hold.platform }, configure: { mandates } });
    const subscription = await subscribed(it, { plan: await planned(it, { payments: 12 }) });
    const repriced = (amount: string) => it.call('update_subscription', { subscription, amount });
    const { said } = await hold.begin(() => repriced('9.99'), 0);
    expect(await repriced('5.00')).toMatchObject({ outcome: 'done' });
    hold.release();
    // It costs 59.88 more than now, and nothing more than before.
    expect(await said).toMatchObject({ outcome: 'needs_approval' });
    expect(await it.effects('updateSubscription')).toHaveLength(1);
  });

  it.each([
    ['get_invoice', one],
    ['list_invoices', all],
  ])('puts back nothing that a later one told: %s', async (tool, args) => {
    const { it, invoice } = await begun();
    const { link } = (await it.call('get_invoice', { invoice })).data;
    const { said } = await hold.begin(() => it.call(tool, args(invoice)), 0);
    await it.advance(1);
    await it.running.sandbox?.handle(new Request(link, { method: 'POST', body: '{}' }));
    const other = { ...agent, principal: 'other' };
    expect((await it.call('get_invoice', { invoice }, other)).data).toMatchObject({ state: 'PAID' });
    hold.release();
    expect(await said).toMatchObject({ outcome: 'done' });
    expect(await it.thing(invoice)).toMatchObject({ state: 'PAID' });
  });

  it('puts back nothing that a later one told, however often others are later', async () => {
    const { it, invoice } = await begun();
    const { link } = (await it.call('get_invoice', { invoice })).data;
    const other = { ...agent, principal: 'other' };
    const later = async () => {
      await it.advance(1);
      return it.call('get_invoice', { invoice }, other);
    };
    const { said } = await hold.begin(() => it.call('get_invoice', { invoice }), 0);
    for (let attempt = 1; attempt < limits.lookAttempts; attempt++) {
      await later();
      await hold.releaseForNext();
    }
    await it.running.sandbox?.handle(new Request(link, { method: 'POST', body: '{}' }));
    expect((await later()).data).toMatchObject({ state: 'PAID' });
    hold.release();
    expect(await said).toMatchObject({ outcome: 'done' });
    expect(await it.thing(invoice)).toMatchObject({ state: 'PAID' });
  });

  it('lets no call cost less than it does on a plan that was changed meanwhile', async () => {
    const it = await world({ replace: { platform: hold.platform }, configure: { mandates } });
    const plan = await planned(it);
    const subscription = await subscribed(it, { plan });
    const dearer = { subscription, amount: '11.99' };
    const { said } = await hold.begin(() => it.call('update_subscription', dearer), 0);
    expect(await it.through('amend_plan', { plan, ...weekly })).toMatchObject({ outcome: 'done' });
    hold.release();
    // Two more a month cost 24.00 more, two more a week 106.00.
    expect(await said).toMatchObject({ outcome: 'needs_approval' });
    expect(await it.effects('updateSubscription')).toEqual([]);
  });

  it('is made again, and shows what is so now', async () => {
    expect(await overtaken('get_invoice', one, limits.lookAttempts - 1)).toMatchObject({
      seen: { outcome: 'done', data: { total: '42.00' } },
      known: '42.00',
    });
  });

  it('is given up where that happens every time', async () => {
    expect(await overtaken('get_invoice', one, limits.lookAttempts)).toMatchObject({
      seen: { outcome: 'refused', error: { code: 'IN_FLIGHT', retry: 'same_call' } },
      known: '43.00',
    });
  });

  it('is answered where it names none of what changed, and what it tells of that is not kept', async () => {
    expect(await overtaken('list_invoices', all, limits.lookAttempts)).toMatchObject({
      seen: { outcome: 'done' },
      known: '43.00',
    });
  });
});
