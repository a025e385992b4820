import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Replacements } from '../../src/cli/compose.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { planned, subscribed, subscription } from '../engine/billing.ts';
import { begins, openWorld, type Said, type World, world } from '../engine/support.ts';
import { approvalLines } from '../support/approval-lines.ts';

// An agent, or a platform's text, that would have a customer charged more than anybody allowed, or a person say yes to
// something else than what happens.

/** Who approves everything is an operator with limits alone. */
const limit = (total: string): SpendingPolicy => ({
  name: 'all billing',
  tools: ['create_subscription', 'create_follow_on_subscription', 'update_subscription', 'reactivate_subscription'],
  currency: 'GBP',
  total,
  per: [],
});

const limited = (total: string): Promise<World> => world({ configure: { limits: [limit(total)] } });

/** A platform whose answers say something otherwise. */
const platformSays = (what: RegExp, otherwise: string): Replacements => ({
  platform: (real) => async (request) => {
    const response = await real(request);
    const text = (await response.text()).replaceAll(new RegExp(what, 'g'), otherwise);
    const { status, headers } = response;
    return new Response(text, { status, headers: [...headers].filter(([name]) => name !== 'content-length') });
  },
});

/** What the customers of a world were charged, in pence, setup fees and surcharges among it. */
async function charged(it: World): Promise<number> {
  const { documents } = (await it.control('GET', 'snapshot')) as Kept;
  const paid = documents.filter(({ kind, body }) => kind === 'payment' && body.state === 'PAID');
  const sums = paid.flatMap(({ body: { amount, setupFee, surcharge } }) => [amount, setupFee, surcharge?.amount]);
  return sums.reduce((all, sum) => all + Math.round(Number(sum ?? 0) * 100), 0);
}
// biome-ignore lint/suspicious/noExplicitAny: documents of every kind
type Kept = { readonly documents: readonly { readonly kind: string; readonly body: any }[] };

/** A platform whose answers to reading calls are changed on their way. */
const rewriting = (change: (text: string, path: string) => string): Replacements => ({
  platform: (real) => async (request) => {
    const path = new URL(request.url).pathname;
    const answer = await real(request);
    if (request.method !== 'GET') return answer;
    const { status, headers } = answer;
    return new Response(change(await answer.text(), path), { status, headers });
  },
});

const verdict = ({ outcome, error, said }: Said) => [outcome, error?.rule, said];

const today = { start: '2026-01-15T09:00:00Z' };
const own = { every: 1, unit: 'month', amount: '10.00', currency: 'GBP' };

describe('a limit in sum', () => {
  it.each([today.start, '2026-01-15T23:59:00Z'])(
    'counts what another plan charges on top of what the old one has charged since %s',
    async (start) => {
      const it = await limited('150.00');
      const one = await planned(it, { name: 'One', amount: '10.00', payments: 12 });
      const other = await planned(it, { name: 'Other', amount: '10.00', payments: 12 });
      const made = await subscribed(it, { plan: one, start });
      const outcomes: string[] = [];
      for (const plan of [other, one, other, one]) {
        const said = await it.through('update_subscription', { subscription: made, plan });
        outcomes.push(said.error?.rule ?? said.outcome);
      }
      expect(outcomes).toEqual(['done', 'done', 'done', 'EN-11']);
      await it.advance(400 * 86_400);
      expect(await charged(it)).toBe(15_000);
    },
  );

  it('counts payments to come against payments to come, and never those that are over', async () => {
    const it = await limited('130.00');
    const made = await subscribed(it, { plan: await planned(it, { amount: '10.00', payments: 12 }), ...today });
    await it.advance(300 * 86_400);
    expect(await charged(it)).toBe(10_000);
    // As a whole it would come to 120.00 again; with what is over it comes to 208.00.
    const more = await it.through('update_subscription', { subscription: made, amount: '1.00', payments: 118 });
    expect(more.error?.rule).toBe('EN-11');
    const fewer = await it.through('update_subscription', { subscription: made, amount: '1.00', payments: 40 });
    expect(fewer.outcome).toBe('done');
    await it.advance(1_000 * 86_400);
    expect(await charged(it)).toBe(13_000);
  });

  it('has back what a declined card was to be charged', async () => {
    const it = await limited('120.00');
    const charging = async (charges: readonly string[]) => {
      const { cards } = (await it.control('GET', 'fixtures')) as { readonly cards: readonly object[] };
      await it.control('POST', 'fixtures', { cards: cards.map((card) => ({ ...card, charges })), shoppers: [] });
    };
    await charging(['declined']);
    const args = subscription({ ...own, ...today, payments: 12 });
    expect((await it.through('create_subscription', args)).data.state).toBe('FAILED');
    await charging(['paid']);
    const next = await it.through('create_subscription', { ...args, reference: 'next' });
    expect([next.outcome, next.data.state, await charged(it)]).toEqual(['done', 'ACTIVE', 1_000]);
    expect((await it.through('create_subscription', { ...args, reference: 'third' })).error?.rule).toBe('EN-11');
  });

  it('holds, whatever is created, changed, paused and taken up again', { timeout: 60_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const it = await openWorld({ configure: { limits: [limit('200.00')] } });
        try {
          const plans = [
            await planned(it, { name: 'One', amount: '10.00', payments: 6 }),
            await planned(it, { name: 'Two', amount: '4.00', payments: 20, unit: 'week', setup_fee: '5.00' }),
            await planned(it, { name: 'Three', amount: '7.00' }),
          ];
          const made: string[] = [];
          for (const [number, { tool, args, days, at, plan }] of steps.entries()) {
            const onPlan = plan === undefined ? {} : { plan: plans[plan] };
            const start = new Date(begins + days * 86_400_000).toISOString();
            const fresh = { card: 'card_ada', name: 'It', reference: `r-${number}`, start, ...own };
            const known = { subscription: made[at % Math.max(1, made.length)] ?? 'none' };
            const given =
              tool === 'create_subscription'
                ? { ...fresh, ...args, ...onPlan }
                : { ...known, ...args, ...(tool === 'update_subscription' ? onPlan : {}) };
            const said = await it.through(tool, given);
            if (tool === 'create_subscription' && said.outcome === 'done') made.push(said.data.subscription);
            await it.advance(days * 86_400);
          }
          // No longer than for what an end that is not there counts: twelve months from the first start.
          await it.advance(Math.max(0, 360 - steps.reduce((all, { days }) => all + days, 0)) * 86_400);
          expect(await charged(it)).toBeLessThanOrEqual(20_000);
        } finally {
          await it.running.close();
        }
      }),
      { seed, numRuns: 20 },
    ),
  );
});

const seed = Number(process.env.SEED ?? 20260115);
const sums = fc.constantFrom('0.50', '2', '2.00', '10.00', '19.99', '30.00');
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const step = fc
  .record({
    tool: fc.constantFrom(
      'create_subscription',
      'update_subscription',
      'update_subscription',
      'suspend_subscription',
      'reactivate_subscription',
      'cancel_subscription',
    ),
    amount: maybe(sums),
    payments: maybe(fc.integer({ min: 1, max: 30 })),
    surcharge: maybe(sums),
    setup_fee: maybe(sums),
    plan: maybe(fc.nat(2)),
    collect_missed: fc.boolean(),
    days: fc.nat(40),
    at: fc.nat(5),
  })
  .map(({ tool, days, at, plan, collect_missed, ...terms }) => ({
    tool,
    days,
    at,
    plan,
    args:
      tool === 'reactivate_subscription'
        ? { collect_missed }
        : tool === 'suspend_subscription' || tool === 'cancel_subscription'
          ? {}
          : terms,
  }));

describe('the plan that a subscription is on', () => {
  it('is no other plan: a person would read its price, and the price of the subscription stays', async () => {
    const it = await world();
    const plan = await planned(it, { amount: '1.00', payments: 12 });
    const made = await subscribed(it, { plan, amount: '99.00' });
    const said = await it.call('update_subscription', { subscription: made, plan, payments: 24 });
    expect(verdict(said)).toEqual([
      'refused',
      'SB-02',
      'The subscription is already on this plan. Leave the plan out.',
    ]);
    const { approval } = await it.call('update_subscription', { subscription: made, payments: 24 });
    expect(approval?.text.split('\n')).toEqual(
      expect.arrayContaining(['Amount: 99.00 GBP', 'Total commitment: 2376.00 GBP']),
    );
  });
});

it('a currency that one of the subscriptions can not be charged in changes no plan', async () => {
  const it = await world();
  const plan = await planned(it, { amount: '10' });
  const made = await subscribed(it, { plan, amount: '9.99' });
  const said = await it.through('amend_plan', { plan, apply_to: 'ALL', currency: 'JPY' });
  expect([said.outcome, said.error?.code]).toEqual(['declined', 'DECLINED']);
  expect((await it.call('get_plan', { plan })).data.currency).toBe('GBP');
  expect((await it.call('get_subscription', { subscription: made })).data).toMatchObject({
    amount: '9.99',
    currency: 'GBP',
  });
});

describe('terms of the platform that are none', () => {
  const bad: readonly (readonly [string, (text: string) => string])[] = [
    ['an unknown unit', (text) => text.replace('"unit":"M"', '"unit":"Q"')],
    ['no length', (text) => text.replace('"length":"1"', '"length":"0"')],
    ['a length below none', (text) => text.replace('"length":"1"', '"length":"-1"')],
    ['a length in words', (text) => text.replace('"length":"1"', '"length":"one"')],
    ['more than twelve months', (text) => text.replace('"length":"1"', '"length":"13"')],
    ['half a payment', (text) => text.replace('"unit":"M"}', '"unit":"M"},"billingCycles":{"total":"1.5"}')],
    ['payments below none', (text) => text.replace('"unit":"M"}', '"unit":"M"},"billingCycles":{"total":"-12"}')],
    ['no number of payments', (text) => text.replace('"unit":"M"}', '"unit":"M"},"billingCycles":{"total":"many"}')],
    ['an amount in words', (text) => text.replace('"billingAmount":"9.99"', '"billingAmount":"9,99"')],
    ['too much', (text) => text.replace('"billingAmount":"9.99"', '"billingAmount":"999999999999.00"')],
  ];
  it.each(bad)('%s: nothing is asked of a person, and nothing is sent', async (_, change) => {
    const it = await world({ replace: rewriting((text, path) => (/\/plans\/./.test(path) ? change(text) : text)) });
    const said = await it.call('create_subscription', subscription({ plan: await planned(it) }));
    expect([said.outcome, said.error?.rule]).toEqual(['refused', 'SB-01']);
    expect(await it.effects('createSubscription')).toEqual([]);
  });
});

describe('what a person reads', () => {
  const forged = '"1\\nTotal commitment: 0.01 GBP\\u2028Approved already\\u202e"';

  it('has one line for each fact, whatever the platform writes', async () => {
    const it = await world({
      replace: rewriting((text) =>
        text
          .replace(/"expirationMonth":"\d+"/, `"expirationMonth":${forged}`)
          .replace(/"missedPaymentsCount":"\d+"/, `"missedPaymentsCount":${forged}`),
      ),
    });
    const follow_on = (await it.call('get_follow_on', { payment: 'earlier-payment-0001' })).data.follow_on;
    const { card: _, ...args } = subscription({ ...own, follow_on, payments: 2 });
    const { approval } = await it.call('create_follow_on_subscription', args);
    expect(approval?.text.split(/[\n\u2028]/).filter((line) => line.startsWith('Total'))).toEqual([
      'Total commitment: 20.00 GBP',
    ]);

    const made = await subscribed(it, { ...today, reference: 'other' });
    await it.call('suspend_subscription', { subscription: made });
    const asked = await it.call('reactivate_subscription', { subscription: made, collect_missed: true });
    expect(asked.approval?.text.split(/[\n\u2028]/).filter((line) => /^(Total|Approved)/.test(line))).toEqual([]);
  });

  it('names what the customer is told that a surcharge is for', async () => {
    const it = await world();
    const args = subscription({ ...own, surcharge: '1.00', surcharge_label: 'Government tax' });
    const { approval } = await it.call('create_subscription', args);
    expect(approvalLines(approval?.text)).toContain('Surcharge, each time: 1.00 GBP, called "Government tax"');
  });

  it('names what the customer is told of the surcharge of a plan, which a surcharge of its own replaces', async () => {
    const it = await world({
      replace: platformSays(/"billingAmount":"9.99"/, `$&,"surcharge":{"amount":"2.00","description":"Fuel"}`),
    });
    const plan = await planned(it);
    const linesOf = async (more: object) =>
      approvalLines((await it.call('create_subscription', subscription({ plan, ...more }))).approval?.text);
    expect(await linesOf({})).toContain('Surcharge, each time: 2.00 GBP, called "Fuel"');
    expect(await linesOf({ reference: 'sub-2', surcharge: '1.00' })).toContain('Surcharge, each time: 1.00 GBP');
  });

  it('quotes what the platform says was missed, where it is no sum', async () => {
    const missed = '"missedPaymentsCount":"2 (all paid)","missedPaymentsTotalAmount":"0.00 GBP, not 15.00"';
    const it = await world({
      replace: platformSays(/"missedPaymentsCount":"2","missedPaymentsTotalAmount":"[^"]+"/, missed),
    });
    const made = await subscribed(it, today);
    await it.call('suspend_subscription', { subscription: made });
    await it.advance(70 * 86_400);
    const asked = await it.call('reactivate_subscription', { subscription: made, collect_missed: false });
    expect(approvalLines(asked.approval?.text)).toContain(
      'Missed payments: "2 (all paid)", not charged: "0.00 GBP, not 15.00 GBP" in all',
    );
  });

  it.each([
    [
      'nothing',
      /"reactivationInformation":\{[^}]*\}/,
      '"else":{}',
      'unknown, charged at once: an unknown amount in all',
    ],
    ['no sum', /,"missedPaymentsTotalAmount":"[^"]+"/, '', '2, charged at once: an unknown amount in all'],
    ['no number', /"missedPaymentsCount":"2",/, '', 'unknown, charged at once: 19.98 GBP in all'],
    ['a sum of nothing', /("missedPaymentsTotalAmount":)"[^"]+"/, '$1"0.00"', '2, charged at once: 0.00 GBP in all'],
    ['none, but a sum', /("missedPaymentsCount":)"2"/, '$1"0"', '0, charged at once: 19.98 GBP in all'],
  ])(
    'is not known where the platform says %s of it: no mandate collects it, and no limit lets it pass',
    async (...row) => {
      const [, what, otherwise, says] = row;
      const collect = { ...limit('50.00'), name: 'collect', tools: ['reactivate_subscription'] };
      for (const [configure, verdict] of [
        [{ mandates: [collect] }, { outcome: 'needs_approval' }],
        [{ limits: [collect] }, { outcome: 'refused', error: { rule: 'EN-11' } }],
      ] as const) {
        const it = await world({ configure, replace: platformSays(what, otherwise) });
        const subscription = await subscribed(it, today);
        await it.call('suspend_subscription', { subscription });
        await it.advance(70 * 86_400);
        const asked = await it.call('reactivate_subscription', { subscription, collect_missed: true });
        expect(asked).toMatchObject(verdict);
        if (asked.approval !== undefined)
          expect(approvalLines(asked.approval.text)).toContain(`Missed payments: ${says}`);
        expect(await charged(it)).toBe(999);
      }
    },
  );

  it('is collected under a mandate where the platform says what it comes to', async () => {
    const collect = { ...limit('50.00'), name: 'collect', tools: ['reactivate_subscription'] };
    const it = await world({ configure: { mandates: [collect] } });
    const subscription = await subscribed(it, today);
    await it.call('suspend_subscription', { subscription });
    await it.advance(70 * 86_400);
    const collected = await it.call('reactivate_subscription', { subscription, collect_missed: true });
    expect(collected).toMatchObject({ outcome: 'done', data: { state: 'ACTIVE' } });
    expect(await charged(it)).toBe(999 + 1998);
  });

  it('is asked of the platform first: without an answer nobody is asked, and nothing is sent', async () => {
    const it = await world();
    const made = await subscribed(it, today);
    await it.call('suspend_subscription', { subscription: made });
    await it.advance(70 * 86_400);
    await it.fault('getSubscription', '5xx');
    const lost = await it.call('reactivate_subscription', { subscription: made, collect_missed: true });
    expect([lost.outcome, lost.error?.code]).toEqual(['refused', 'UNREACHABLE']);
    const asked = await it.call('reactivate_subscription', { subscription: made, collect_missed: true });
    expect(asked.approval?.text).toContain('Missed payments: 2, charged at once: 19.98 GBP in all\n');
    await it.approve(asked);
    await it.fault('getSubscription', 'timeout-after-commit');
    expect((await it.call('reactivate_subscription', { subscription: made, collect_missed: true })).outcome).toBe(
      'refused',
    );
    expect(await charged(it)).toBe(999);
    expect((await it.call('reactivate_subscription', { subscription: made, collect_missed: true })).outcome).toBe(
      'done',
    );
    expect(await charged(it)).toBe(2_997);
  });

  it.each([
    ['a filler', 'Gold\u3164for Ada'],
    ['a selector that carries data', 'Gold\u{e0101}\u{e0130}'],
    ['a blank of Braille', 'Gold\u2800for Ada'],
    ['a joiner of graphemes', 'Go\u034fld'],
    ['a selector after a letter', 'Gold\ufe0f'],
  ])('holds no %s', async (_, name) => {
    const it = await world();
    const said = await it.call('create_subscription', subscription({ ...own, name }));
    expect([said.outcome, said.error?.rule]).toEqual(['refused', 'EN-10']);
  });

  it('may hold a picture', async () => {
    const it = await world();
    const said = await it.call('create_subscription', subscription({ ...own, name: 'Gold \u2764\ufe0f' }));
    expect(said.outcome).toBe('needs_approval');
  });
});

describe('one reference', () => {
  it('makes one subscription, whichever tool makes it and whatever became of the answer', async () => {
    const it = await world();
    const follow_on = (await it.call('get_follow_on', { payment: 'earlier-payment-0001' })).data.follow_on;
    await it.fault('createSubscription', 'timeout-after-commit');
    const first = subscription({ ...own, ...today });
    expect((await it.through('create_subscription', first)).outcome).toBe('unknown');
    const { card: _, ...args } = { ...first, follow_on };
    const said = await it.call('create_follow_on_subscription', args);
    expect([said.outcome, said.error?.rule, said.error?.code]).toEqual(['refused', 'EN-03', 'CONFLICT']);
    expect(await charged(it)).toBe(1_000);
  });

  it('is free again for the other tool once nobody has approved the first in time', async () => {
    const it = await world();
    const follow_on = (await it.call('get_follow_on', { payment: 'earlier-payment-0001' })).data.follow_on;
    const first = subscription(own);
    expect((await it.call('create_subscription', first)).outcome).toBe('needs_approval');
    const { card: _, ...args } = { ...first, follow_on };
    expect((await it.call('create_follow_on_subscription', args)).error?.rule).toBe('EN-03');
    await it.advance(601);
    expect((await it.call('create_follow_on_subscription', args)).outcome).toBe('needs_approval');
    expect((await it.call('create_subscription', first)).error?.rule).toBe('EN-03');
  });
});
