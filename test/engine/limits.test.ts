import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { agent, clerk, shop, wish } from './shop.ts';

const terms = (change: Partial<SpendingPolicy> = {}): SpendingPolicy => ({
  name: 'small',
  tools: ['initiate_purchase'],
  currency: 'EUR',
  per: [],
  ...change,
});
const order = (reference: string, amount = '40.00', currency = 'EUR') => ({
  ...wish,
  reference,
  limit: { amount, currency },
});
const beyond = (said: string) => ({
  outcome: 'refused',
  said,
  next: ['get_limits'],
  error: { rule: 'EN-11', code: 'RULE' },
});

/** A shop with an enrolled card, under these limits or mandates. */
async function bounded(configure: {
  readonly limits?: readonly SpendingPolicy[];
  readonly mandates?: readonly SpendingPolicy[];
}) {
  const it = await shop({ configure });
  await it.call('enroll_card', { card: 'card_ada' });
  return it;
}

describe('a limit', () => {
  // Every term of every tool is in test/promises/limits.test.ts; these are what the ledger counts, and the sentences.
  it.each<[string, Partial<SpendingPolicy>, string]>([
    ['for one call', { perCall: '39.99' }, '40.00 EUR is above the 39.99 EUR that "small" allows for one call.'],
    ['in sum', { total: '39.99' }, '"small" has 39.99 EUR left, which is less than this call.'],
    ['in number', { count: 0 }, '"small" has no calls left: its limit is 0.'],
    [
      'of a day',
      { total: '39.99', per: ['day'] },
      '"small" has 39.99 EUR left today (UTC), which is less than this call.',
    ],
    ['in calls of a day', { count: 0, per: ['day'] }, '"small" has no calls left today (UTC): its limit is 0.'],
    ['in currency', { currency: 'USD' }, 'No limit allows EUR for initiate_purchase.'],
  ])('refuses what is beyond it %s, and nobody is asked', async (_, change, says) => {
    const it = await bounded({ limits: [terms(change)] });
    expect(await it.call('initiate_purchase', wish)).toMatchObject(beyond(says));
    expect([(await it.operations()).length, it.sent.length]).toEqual([1, 1]);
  });

  it('lets pass what is exactly within it', async () => {
    const it = await bounded({ limits: [terms({ perCall: '40.00', total: '40.00', count: 1 })] });
    expect((await it.approved('initiate_purchase', wish)).outcome).toBe('done');
  });

  it('counts a call that moves nothing as a call, whatever its currency', async () => {
    const it = await bounded({
      limits: [terms({ tools: ['cancel_purchase'], currency: 'USD', count: 1 })],
    });
    const [one, two] = [await it.bought({ reference: 'order-a' }), await it.bought({ reference: 'order-b' })];
    expect((await it.call('cancel_purchase', { instruction: one })).outcome).toBe('done');
    expect(await it.call('cancel_purchase', { instruction: two })).toMatchObject(
      beyond('"small" has no calls left: its limit is 1.'),
    );
  });

  it('counts of a wider purchase what it has on top', async () => {
    const it = await bounded({ limits: [terms({ tools: ['initiate_purchase', 'update_purchase'], total: '50.00' })] });
    const instruction = await it.bought();
    const { card: _, reference: __, ...purchase } = wish;
    const wider = (amount: string) => ({ ...purchase, instruction, limit: { amount, currency: 'EUR' } });
    expect(await it.call('update_purchase', wider('50.01'))).toMatchObject(
      beyond('"small" has 10.00 EUR left, which is less than this call.'),
    );
    expect((await it.approved('update_purchase', wider('50.00'))).outcome).toBe('done');
    expect(await it.call('get_limits', {})).toMatchObject({ data: { limits: [{ left: '0.00 EUR' }] } });
  });

  it('counts a purchase that is changed after its payment as another one, unless it only shrinks', async () => {
    const both = terms({ tools: ['initiate_purchase', 'update_purchase'], total: '100.00' });
    const it = await bounded({ limits: [both], mandates: [{ ...both, name: 'standing', total: '50.00' }] });
    const { data } = await it.call('initiate_purchase', wish);
    const { instruction } = data as { instruction: string };
    const pay = (reference: string) =>
      it.call('retrieve_credentials', { instruction, amount: '40.00', currency: 'EUR', reference });
    const left = async () => (await it.call('get_limits', {})).data;
    // The approved payment is still to come, so a change is no further one.
    expect(await it.call('update_purchase', { instruction, description: 'Earphones' })).toMatchObject({
      outcome: 'done',
    });
    expect(await pay('one')).toMatchObject({ outcome: 'done' });
    expect(await left()).toMatchObject({ limits: [{ left: '60.00 EUR' }], mandates: [{ left: '10.00 EUR' }] });
    // It would allow 40.00 EUR once more: the mandate has no more than 10.00.
    const again = { instruction, description: 'Headphones' };
    const asked = await it.call('update_purchase', again);
    expect(asked).toMatchObject({ outcome: 'needs_approval' });
    expect(await pay('two')).toMatchObject({ outcome: 'needs_approval' });
    await it.approve(asked);
    expect(await it.call('update_purchase', again)).toMatchObject({ outcome: 'done' });
    expect(await left()).toMatchObject({ limits: [{ left: '20.00 EUR' }], mandates: [{ left: '10.00 EUR' }] });
    await it.approve(await pay('two'));
    expect(await pay('two')).toMatchObject({ outcome: 'done' });
    expect(await it.call('update_purchase', { instruction, description: 'Earphones' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'EN-11' },
    });
    const less = { instruction, limit: { amount: '30.00', currency: 'EUR' } };
    expect(await it.approved('update_purchase', less)).toMatchObject({ outcome: 'done' }); // asked by EN-14 alone
    expect(await left()).toMatchObject({ limits: [{ left: '20.00 EUR' }], mandates: [{ left: '10.00 EUR' }] });
    expect(
      await it.call('retrieve_credentials', {
        ...{ instruction, reference: 'four' },
        amount: '30.00',
        currency: 'EUR',
      }),
    ).toMatchObject({
      outcome: 'needs_approval',
    });
  });

  it('without a total refuses what could not be counted exactly', async () => {
    const it = await bounded({ limits: [terms({ currency: 'KWD' })] });
    const all = (reference: string) => order(reference, '999999999999.999', 'KWD');
    for (let calls = 1; calls <= 9; calls++)
      expect((await it.approved('initiate_purchase', all(`order-${calls}`))).outcome).toBe('done');
    expect(await it.call('initiate_purchase', all('order-10'))).toMatchObject(
      beyond('"small" has 7199254741.000 KWD left, which is less than this call.'),
    );
    expect((await it.approved('initiate_purchase', order('order-11', '1.000', 'KWD'))).outcome).toBe('done');
  });

  it('in another currency bounds nothing where one is in the call’s', async () => {
    const it = await bounded({ limits: [terms({ name: 'dollars', currency: 'USD', total: '0' }), terms()] });
    expect((await it.approved('initiate_purchase', wish)).outcome).toBe('done');
  });

  it('adds up over calls: a purchase that is split goes no further', async () => {
    const it = await bounded({ limits: [terms({ total: '100.00' })] });
    const outcomes = [];
    for (const reference of ['a', 'b', 'c'])
      outcomes.push((await it.approved('initiate_purchase', order(reference))).outcome);
    const last = await it.call('initiate_purchase', order('d', '20.01'));
    expect([outcomes, last.said]).toEqual([
      ['done', 'done', 'refused'],
      '"small" has 20.00 EUR left, which is less than this call.',
    ]);
    expect((await it.approved('initiate_purchase', order('e', '20.00'))).outcome).toBe('done');
  });

  it('counts in the minor units of its currency', async () => {
    const it = await bounded({ limits: [terms({ currency: 'JPY', total: '4000' })] });
    expect((await it.call('initiate_purchase', order('a', '4001', 'JPY'))).said).toBe(
      '"small" has 4000 JPY left, which is less than this call.',
    );
    expect((await it.call('initiate_purchase', order('b', '4000', 'JPY'))).outcome).toBe('needs_approval');
  });

  it.each(['shopper', 'session', 'day', 'instruction'] as const)('is counted by %s', async (part) => {
    const it = await bounded({
      limits: [terms({ tools: ['initiate_purchase', 'retrieve_credentials'], per: [part], count: 1 })],
    });
    await it.call('enroll_card', { card: 'card_cleo' });
    const caller = { ...agent, session: 's1' };
    const first = await it.approved('initiate_purchase', order('a'), caller);
    const next = {
      shopper: () => it.approved('initiate_purchase', { ...order('b'), card: 'card_cleo' }, caller),
      session: () => it.approved('initiate_purchase', order('b'), { ...caller, session: 's2' }),
      day: async () => {
        await it.advance(86_400);
        return it.approved('initiate_purchase', { ...order('b'), until: '2026-01-17T09:00:00Z' }, caller);
      },
      instruction: () =>
        it.call(
          'retrieve_credentials',
          { instruction: first.data?.instruction, amount: '1.00', currency: 'EUR' },
          caller,
        ),
    }[part];
    const same =
      part === 'instruction'
        ? it.call('initiate_purchase', order('c'), caller)
        : it.call('initiate_purchase', { ...order('c') }, caller);
    expect([first.outcome, (await same).outcome, (await next()).outcome]).toEqual(['done', 'refused', 'done']);
  });

  it('goes on being held while an outcome is unknown, and comes back when a person says it did not happen', async () => {
    const it = await bounded({ limits: [terms({ total: '40.00' })] });
    await it.fault('initiatePurchase', '5xx');
    const { operation = '' } = await it.approved('initiate_purchase', order('a'));
    const held = await it.call('initiate_purchase', order('b', '0.01'));
    await it.advance(120);
    await settleUnknown(it.parts, operation, { happened: false, note: 'x' }, clerk);
    const free = await it.call('initiate_purchase', order('c'));
    expect([held.outcome, free.outcome]).toEqual(['refused', 'needs_approval']);
  });

  it('stays used when a person says that it happened', async () => {
    const it = await bounded({ limits: [terms({ total: '40.00' })] });
    await it.fault('initiatePurchase', '5xx-after-commit');
    const { operation = '' } = await it.approved('initiate_purchase', order('a'));
    await settleUnknown(it.parts, operation, { happened: true, note: 'x' }, clerk);
    expect((await it.call('initiate_purchase', order('b', '0.01'))).outcome).toBe('refused');
  });

  it('comes back when the platform says no', async () => {
    const it = await bounded({ limits: [terms({ total: '40.00', count: 1 })] });
    await it.fault('initiatePurchase', 'decline');
    const declined = await it.approved('initiate_purchase', order('a'));
    expect([declined.outcome, (await it.approved('initiate_purchase', order('b'))).outcome]).toEqual([
      'declined',
      'done',
    ]);
  });

  it('is taken where it is used, not where it was asked for: two approvals share one budget', async () => {
    const it = await bounded({ limits: [terms({ total: '40.00' })] });
    const asks = [await it.call('initiate_purchase', order('a')), await it.call('initiate_purchase', order('b'))];
    const sent = [
      await it.approved('initiate_purchase', order('a')),
      await it.approved('initiate_purchase', order('b')),
    ];
    expect([...asks, ...sent].map(({ outcome }) => outcome)).toEqual([
      'needs_approval',
      'needs_approval',
      'done',
      'refused',
    ]);
  });
});

describe('a standing mandate', () => {
  it('approves what is within it, and is used up', async () => {
    const it = await bounded({ mandates: [terms({ total: '50.00' })] });
    const [one, two] = [await it.call('initiate_purchase', order('a')), await it.call('initiate_purchase', order('b'))];
    expect([one.outcome, two.outcome]).toEqual(['done', 'needs_approval']);
    expect((await it.audit()).find(({ body }) => body.mandate !== undefined)?.body.mandate).toBe('small');
  });

  it('that does not fit leaves it to another that does', async () => {
    const it = await bounded({ mandates: [terms({ name: 'tiny', perCall: '1.00' }), terms()] });
    expect((await it.call('initiate_purchase', wish)).outcome).toBe('done');
  });

  it('approves nothing once the conversation has read text from outside, for an hour', async () => {
    for (const [seconds, outcome] of [
      [3_599, 'needs_approval'],
      [3_600, 'done'],
    ] as const) {
      const it = await bounded({ mandates: [terms()] });
      await it.fault('enrollCard', 'decline');
      const read = await it.call('enroll_card', { card: 'card_cleo' });
      expect(read.error?.untrusted).toEqual(expect.any(String));
      const other = await it.call('initiate_purchase', order('other'), { ...agent, session: 'another' });
      await it.advance(seconds);
      expect([other.outcome, (await it.call('initiate_purchase', wish)).outcome]).toEqual(['done', outcome]);
    }
  });

  it('approves nothing that a person has denied within a day, in whatever conversation and under whatever reference', async () => {
    const it = await bounded({ mandates: [terms()] });
    await it.fault('enrollCard', 'decline');
    await it.call('enroll_card', { card: 'card_cleo' });
    const asked = await it.call('initiate_purchase', wish);
    expect(asked).toMatchObject({ outcome: 'needs_approval', error: { rule: 'EN-14' } });
    const id = asked.approval?.id ?? '';
    expect(await recordDecision(it.parts, id, 'deny', clerk)).toMatchObject({ ok: true });
    expect(await it.call('initiate_purchase', wish)).toMatchObject({ error: { code: 'APPROVAL_DENIED' } });
    // Each in a conversation of its own: none of them has read anything.
    const until = '2026-02-15T00:00:00Z';
    let conversations = 0;
    const buy = (args: object, principal = 'agent') =>
      it.call('initiate_purchase', args, { ...agent, principal, conversation: `c${++conversations}` });
    const refused = { outcome: 'needs_approval', error: { rule: 'EN-04' } };
    expect(await buy(wish)).toMatchObject(refused);
    expect(await buy(order('numbered'))).toMatchObject(refused);
    expect(await buy(order('another-agents'), 'another')).toMatchObject(refused);
    expect((await buy(order('less', '39.99'))).outcome).toBe('done');
    await it.advance(limits.deniedHours * 3_600);
    expect(await buy({ ...order('late'), until })).toMatchObject(refused);
    await it.advance(limits.approvalMinutes * 60 + 1);
    expect((await buy({ ...order('later'), until })).outcome).toBe('done');
  });

  it('approves what was asked for and expired without an answer', async () => {
    const it = await bounded({ mandates: [terms()] });
    await it.fault('enrollCard', 'decline');
    await it.call('enroll_card', { card: 'card_cleo' });
    expect((await it.call('initiate_purchase', wish)).outcome).toBe('needs_approval');
    await it.advance(limits.approvalMinutes * 60);
    expect((await it.call('initiate_purchase', wish, { ...agent, session: 'another' })).outcome).toBe('done');
  });

  it('goes on approving after a platform that was not reached: those are Purser’s own words', async () => {
    const it = await bounded({ mandates: [terms()] });
    let gone = true;
    const { PlatformFault } = await import('../../src/client/errors.ts');
    const client = {
      ...it.parts.client,
      enrollCard: async (input: Parameters<typeof it.parts.client.enrollCard>[0]) => {
        if (gone) throw new PlatformFault('unreachable');
        return it.parts.client.enrollCard(input);
      },
    };
    const engine = createEngine({ ...it.parts, client });
    const missed = await engine.call('enroll_card', { card: 'card_cleo' }, agent);
    gone = false;
    expect(missed).toMatchObject({ outcome: 'refused', error: { code: 'UNREACHABLE', retry: 'same_call' } });
    expect((await engine.call('initiate_purchase', wish, agent)).outcome).toBe('done');
  });
});

it('tells what is left', async () => {
  const it = await bounded({ limits: [terms({ total: '100.00', count: 3 })], mandates: [terms({ name: 'open' })] });
  await it.call('initiate_purchase', wish);
  const { data } = await it.call('get_limits', {});
  expect(data).toEqual({
    limits: [expect.objectContaining({ name: 'small', left: '60.00 EUR', calls_left: 2 })],
    mandates: [expect.not.objectContaining({ left: expect.anything() })],
  });
});

it('tells that nothing is left of what has ended', async () => {
  const until = '2026-01-15T11:00:00+02:00'; // when every world begins
  const over = { until, left: '0.00 EUR', calls_left: 0 };
  const it = await bounded({ limits: [], mandates: [terms({ total: '100.00', count: 3, until }), terms({ until })] });
  const { data } = await it.call('get_limits', {});
  expect(data.mandates).toEqual([expect.objectContaining(over), expect.objectContaining({ until, left: '0.00 EUR' })]);
});
