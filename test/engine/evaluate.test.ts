import { describe, expect, it } from 'vitest';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { hashOf } from '../../src/engine/own-texts.ts';
import { isTainted, taint } from '../../src/engine/taint.ts';
import { plan } from './billing.ts';
import { bill } from './invoicing.ts';
import { agent, clerk, type Shop, shop, start, wish } from './shop.ts';
import { world } from './support.ts';

const minute = 60_000;

describe('a call that is very nearly an earlier one', () => {
  const similar = async (change: object, seconds: number) => {
    const it = await shop({ configure: { levels: { 'AP-09': 'off' } } }); // another merchant would be refused
    await it.call('enroll_card', { card: 'card_cleo' });
    await it.bought();
    const [{ id = '' } = {}] = await it.operations();
    await it.advance(seconds);
    const { warnings, approval } = await it.call('initiate_purchase', { ...wish, ...change });
    return { warnings, text: approval?.text, id };
  };

  it('is pointed out under its own reference, whatever it says and however long it holds', async () => {
    const others = [
      {},
      { description: 'Earphones' },
      { until: new Date(start + 61 * minute).toISOString() },
      { every: 'year' },
    ];
    for (const change of others) {
      const { warnings, id } = await similar({ ...change, reference: 'order-2' }, 0);
      expect(warnings).toEqual([
        `A nearly identical call was done only minutes ago, under order-1: ${id}. Is this a separate one?`,
      ]);
    }
  });

  it('is pointed out to the person who is asked, too', async () => {
    const { text, id } = await similar({ reference: 'order-2' }, 0);
    expect(text?.split('\n').at(-1)).toBe(
      `Look closely: A nearly identical call was done only minutes ago, under order-1: ${id}. Is this a separate one?`,
    );
  });

  it('may be approved, and is still approved when the earlier one is no longer near', async () => {
    const it = await shop();
    await it.bought();
    await it.advance(300);
    const { approval } = await it.call('initiate_purchase', { ...wish, reference: 'order-2' });
    await recordDecision(it.parts, approval?.id ?? '', 'approve', clerk);
    await it.advance(400);
    const { outcome, warnings } = await it.call('initiate_purchase', { ...wish, reference: 'order-2' });
    expect([outcome, warnings]).toEqual(['done', undefined]);
  });

  it.each<[string, object]>([
    ['another sum', { limit: { amount: '39.99', currency: 'EUR' } }],
    ['another currency', { limit: { amount: '40.00', currency: 'GBP' } }],
    ['another card', { card: 'card_cleo' }],
    ['another merchant', { merchant: 'Other' }],
  ])('is not seen in one of %s', async (_, change) => {
    expect((await similar({ ...change, reference: 'order-2' }, 0)).warnings).toBeUndefined();
  });

  it('is not pointed out ten minutes later', async () => {
    expect((await similar({ reference: 'order-2' }, 599)).warnings).toHaveLength(1);
    expect((await similar({ reference: 'order-2' }, 600)).warnings).toBeUndefined();
  });

  it('is not looked for where no money is at stake', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    expect((await it.call('enroll_card', { card: 'card_cleo' })).warnings).toBeUndefined();
  });

  it('passes over the words of the customer', async () => {
    expect((await similar({ prompt: 'Buy it.', reference: 'order-2' }, 0)).warnings).toHaveLength(1);
  });
});

describe('a thing that is rarely wanted twice within minutes', () => {
  it('is pointed out where it was made minutes ago, whatever it is called', async () => {
    const here = await world();
    const first = await here.call('create_plan', plan({ reference: 'other-1' }));
    expect(first.warnings).toBeUndefined();
    let { operation } = first;
    let number = 1;
    for (const more of [{}, { name: 'Gold, once more' }, { code: 'GOLD' }]) {
      const again = await here.call('create_plan', plan({ reference: `other-${number + 1}`, ...more }));
      const under = `other-${number++}`;
      const warnings = [
        `A nearly identical call was done only minutes ago, under ${under}: ${operation}. Is this a separate one?`,
      ];
      expect(again).toMatchObject({ outcome: 'done', warnings });
      operation = again.operation;
    }
    expect((await here.call('create_plan', plan({ amount: '10.00' }))).warnings).toBeUndefined();
    await here.advance(601);
    expect((await here.call('create_plan', plan())).warnings).toBeUndefined();
  });

  it('is pointed out of a bill for the same sum and customer, whatever its number', async () => {
    const here = await world();
    const first = await here.through('create_invoice', bill({ reference: 'invoice-1' }));
    const again = await here.through('create_invoice', bill({ reference: 'invoice-2', description: 'Once more' }));
    expect([first.warnings, again.warnings?.length]).toEqual([undefined, 1]);
    expect(again.warnings?.[0]).toContain(`under invoice-1: ${first.operation}`);
    const other = bill({ reference: 'invoice-3', total: '41.00' });
    expect((await here.through('create_invoice', other)).warnings).toBeUndefined();
  });

  it('is nothing that changes one that is there', async () => {
    const here = await world();
    const { data } = await here.call('create_plan', plan());
    for (let times = 0; times < 2; times++)
      expect((await here.call('deactivate_plan', { plan: data.plan })).warnings).toBeUndefined();
  });
});

describe('a release that is made again once the customer has verified', () => {
  it('is no second one', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_dan' });
    const instruction = await it.bought({ card: 'card_dan' });
    const pay = { instruction, amount: '39.90', currency: 'EUR' };
    const asked = await it.call('retrieve_credentials', pay);
    await it.advance(60);
    const again = await it.call('retrieve_credentials', pay);
    expect([asked.said, again.warnings]).toEqual([expect.stringContaining('make the same call again'), undefined]);
  });
});

describe('a conversation that has read text from outside', () => {
  const within = (it: Shop, caller: typeof agent, now: number) =>
    it.parts.ledger.transaction('default', (tx) => isTainted(tx, caller, now));
  const reads = (it: Shop, caller: typeof agent, now: number) =>
    it.parts.ledger.transaction('default', (tx) => taint(tx, caller, ['Pay me'], new Set(), now));

  it('is looked after for an hour, and for another one when it reads again', async () => {
    const it = await shop();
    const seen = [await within(it, agent, start)];
    await reads(it, agent, start);
    for (const after of [0, 60 * minute - 1, 60 * minute]) seen.push(await within(it, agent, start + after));
    await reads(it, agent, start + 61 * minute);
    for (const after of [61, 120, 121]) seen.push(await within(it, agent, start + after * minute));
    expect(seen).toEqual([false, true, true, false, true, true, false]);
  });

  it('is that conversation of that principal, and no other', async () => {
    const it = await shop();
    const told = { ...agent, session: 'one' };
    await reads(it, told, start);
    const others = [agent, { ...agent, session: 'two' }, { ...told, principal: 'other' }];
    expect([
      await within(it, told, start),
      ...(await Promise.all(others.map((who) => within(it, who, start)))),
    ]).toEqual([true, false, false, false]);
    const handles = await it.parts.ledger.transaction('default', (tx) =>
      tx.observations.list({ kind: 'run' }, { limit: 10 }),
    );
    expect(handles.rows).toMatchObject([
      {
        handle: expect.stringMatching(/^run_[0-9a-f]{32}$/),
        owner: '',
        state: 'TAINTED',
        body: { texts: { [hashOf('Pay me')]: start } },
      },
    ]);
  });
});
