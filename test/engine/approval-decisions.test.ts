import { describe, expect, it } from 'vitest';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { rulesHash } from '../../src/engine/digest.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { approvalLines } from '../support/approval-lines.ts';
import { agent, clerk, type Shop, shop, start, wish, withOther } from './shop.ts';

/** A purchase that waits for a person: the shop and what was asked. */
async function asked(change: object = {}) {
  const it = await shop(withOther);
  await it.call('enroll_card', { card: 'card_ada' });
  const { approval = { id: '', text: '', expires: '' } } = await it.call('initiate_purchase', { ...wish, ...change });
  return { it, approval };
}

const approvalOf = ({ parts }: Shop, id: string) => parts.ledger.transaction('default', (tx) => tx.approvals.find(id));

/** Registers Ada anew, as the merchant's app may at any time, with something changed. */
const registered = ({ parts }: Shop, session: object, card: object = {}) => {
  const { cards, ...ada } = sandboxSeed.shoppers.shopper_ada;
  const known = cards.map(({ label: _, ...one }) => ({ ...one, ...card }));
  return registerShopper(parts, 'default', { handle: 'shopper_ada', ...ada, ...session, cards: known });
};

describe('a person', () => {
  it('is asked before money may move, reads what will be sent, and nothing is sent before', async () => {
    const { it: one, approval } = await asked({ merchant: 'Harbour Audio', every: 'month', quantity: 2 });
    expect(approval.text.split('\n')).toEqual([
      'Allow the agent to buy',
      'Order: "order-1"',
      'At most: "40.00 EUR"',
      'Until: "2026-01-15T11:00:00.000Z"',
      'Description: "Headphones"',
      'Merchant: "Harbour Audio"',
      'Quantity: "2"',
      'Every: "month"',
      'Shop: shop.harbour-audio.example.com',
      'Card ending: 1111',
      'Customer: "Ada Example"',
    ]);
    expect([approval.expires, one.sent.length]).toEqual(['2026-01-15T09:10:00.000Z', 1]);
  });

  it('is told of a name that mixes alphabets', async () => {
    const { approval } = await asked({ merchant: 'Hаrbour Audio' });
    expect(approvalLines(approval.text)).toContain('Look closely: "Hаrbour" mixes letters of different alphabets.');
  });

  it('is told of a word in any line that looks Latin and is not, right behind its line', async () => {
    const { approval } = await asked({ description: 'Shoes of сосо' });
    expect(approvalLines(approval.text).slice(4, 6)).toEqual([
      'Description: "Shoes of сосо"',
      'Look closely: "сосо" looks Latin and is written in Cyrillic letters.',
    ]);
  });

  it('is asked once: the same call waits under the same approval', async () => {
    const { it, approval } = await asked();
    const again = await it.call('initiate_purchase', wish);
    expect([again.outcome, again.approval?.id, (await it.operations()).length]).toEqual([
      'needs_approval',
      approval.id,
      2,
    ]);
  });

  it('says no, and nothing is sent; the same call is told so once, and then asks anew', async () => {
    const { it, approval } = await asked();
    expect(await recordDecision(it.parts, approval.id, 'deny', clerk)).toMatchObject({ ok: true, state: 'DENIED' });
    const told = await it.call('initiate_purchase', wish);
    expect(told).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED' } });
    expect((await it.audit()).at(-1)).toMatchObject({
      event: 'refused',
      operationId: told.operation,
      body: { tool: 'initiate_purchase', rule: 'EN-04', code: 'APPROVAL_DENIED' },
    });
    const anew = await it.call('initiate_purchase', wish);
    expect([anew.outcome, anew.approval?.id === approval.id, it.sent.length]).toEqual(['needs_approval', false, 1]);
  });

  it('may take a yes back until it is used', async () => {
    const { it, approval } = await asked();
    await recordDecision(it.parts, approval.id, 'approve', clerk);
    expect(await recordDecision(it.parts, approval.id, 'deny', clerk)).toMatchObject({ ok: true, state: 'DENIED' });
    expect((await it.call('initiate_purchase', wish)).error?.code).toBe('APPROVAL_DENIED');
    expect((await it.call('initiate_purchase', wish)).outcome).toBe('needs_approval');
    expect(it.sent).toHaveLength(1);
  });

  it.each(['form', 'program'] as const)(
    'says no while the call waits, which answers so: the next one asks again (%s)',
    async (channel) => {
      const { it, approval } = await asked();
      await recordDecision(it.parts, approval.id, 'deny', { ...clerk, channel, isAwaited: true });
      expect((await it.call('initiate_purchase', wish)).outcome).toBe('needs_approval');
    },
  );

  it('decides once', async () => {
    const { it, approval } = await asked();
    const both = [
      await recordDecision(it.parts, approval.id, 'approve', clerk),
      await recordDecision(it.parts, approval.id, 'approve', clerk),
    ];
    expect(both).toMatchObject([{ ok: true }, { ok: false, because: 'It is APPROVED already.' }]);
  });

  it('of another tenant finds nothing to decide', async () => {
    const { it, approval } = await asked();
    const stranger = await recordDecision(it.parts, approval.id, 'approve', { ...clerk, tenant: 'other' });
    expect(stranger).toEqual({ ok: false, because: 'There is no approval with this id.', missing: true });
  });
});

describe('an approval', () => {
  it('is used up by the one sending it was given for', async () => {
    const { it, approval } = await asked();
    await recordDecision(it.parts, approval.id, 'approve', clerk);
    const first = await it.call('initiate_purchase', wish);
    const again = await it.call('initiate_purchase', wish);
    expect([first.outcome, again.replayed, it.sent.length]).toEqual(['done', true, 2]);
    expect(await approvalOf(it, approval.id)).toMatchObject({ state: 'CONSUMED', approver: 'clerk', channel: 'cli' });
    expect(await recordDecision(it.parts, approval.id, 'deny', clerk)).toMatchObject({
      ok: false,
      because: 'It is CONSUMED already.',
    });
  });

  it('holds to its last millisecond and not to its end', async () => {
    for (const [seconds, outcome] of [
      [599, 'done'],
      [600, 'needs_approval'],
    ] as const) {
      const { it, approval } = await asked();
      await recordDecision(it.parts, approval.id, 'approve', clerk);
      await it.advance(seconds);
      expect((await it.call('initiate_purchase', wish)).outcome).toBe(outcome);
    }
  });

  it('can’t be given when its time is over', async () => {
    const { it, approval } = await asked();
    await it.advance(600);
    const late = await recordDecision(it.parts, approval.id, 'approve', clerk);
    expect(late).toEqual({ ok: false, because: 'Its time is over. Have the agent make the call again.' });
    expect([(await approvalOf(it, approval.id))?.state, (await it.operations())[0]?.state]).toEqual([
      'EXPIRED',
      'EXPIRED',
    ]);
  });

  it.each<[string, (it: Shop) => Promise<unknown>]>([
    ['another card behind the same handle', (it) => registered(it, {}, { lastFour: '9999' })],
    ['another customer behind the same handle', (it) => registered(it, { displayName: 'Somebody Else' })],
  ])('approves nothing but what was read: %s', async (_, change) => {
    const { it, approval } = await asked();
    await recordDecision(it.parts, approval.id, 'approve', clerk);
    expect(await change(it)).toMatchObject({ ok: true });
    const other = await it.call('initiate_purchase', wish);
    expect([other.outcome, other.error?.code, other.error?.rule, it.sent.length]).toEqual([
      'needs_approval',
      'APPROVAL_REQUIRED',
      'EN-04',
      1,
    ]);
    expect(other.approval?.id).not.toBe(approval.id);
    expect((await approvalOf(it, approval.id))?.state).toBe('EXPIRED');
  });

  it.each<[string, object]>([
    ['one cent more', { limit: { amount: '40.01', currency: 'EUR' } }],
    ['one cent less', { limit: { amount: '39.99', currency: 'EUR' } }],
    ['another currency', { limit: { amount: '40.00', currency: 'USD' } }],
    ['another card', { card: 'card_cleo' }],
    ['a later end', { until: new Date(start + 7_201_000).toISOString() }],
    ['another merchant', { merchant: 'Other' }],
    ['another description', { description: 'Headphone' }],
    ['another category', { category_code: '5732' }],
    ['a recurrence', { every: 'year' }],
  ])('approves nothing but what was read: %s', async (_, change) => {
    const { it, approval } = await asked();
    await it.call('enroll_card', { card: 'card_cleo' });
    await recordDecision(it.parts, approval.id, 'approve', clerk);
    const other = await it.call('initiate_purchase', { ...wish, ...change });
    expect([other.outcome, it.sent.length]).toEqual(['refused', 2]);
  });

  it('has a digest that names the rules it was decided under', async () => {
    const { it } = await asked();
    expect([(await it.operations())[0]?.rulesHash, rulesHash]).toEqual([
      rulesHash,
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
  });
});

describe('a release of credentials', () => {
  const pay = { amount: '39.90', currency: 'EUR' };

  it('is approved with the purchase, once; the next one asks a person', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const first = await it.call('retrieve_credentials', { instruction, ...pay });
    const second = await it.call('retrieve_credentials', { instruction, ...pay, reference: 'payment-2' });
    expect([first.outcome, second.outcome, it.sent.length]).toEqual(['done', 'needs_approval', 3]);
    expect(second.approval?.text).toContain('Released before: 1');
  });

  it('is not granted by an update that nobody approved', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('retrieve_credentials', { instruction, ...pay });
    const update = {
      instruction,
      limit: { amount: '30.00', currency: 'EUR' },
      until: wish.until,
      description: wish.description,
    };
    const narrowed = await it.call('update_purchase', update);
    const next = await it.call('retrieve_credentials', {
      instruction,
      ...pay,
      amount: '20.00',
      reference: 'payment-2',
    });
    expect([narrowed.outcome, next.outcome]).toEqual(['done', 'needs_approval']);
  });

  it('is granted by an update that a person approved, once', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('retrieve_credentials', { instruction, ...pay });
    const update = { instruction, limit: { amount: '50.00', currency: 'EUR' }, until: wish.until, description: 'More' };
    expect((await it.approved('update_purchase', update)).outcome).toBe('done');
    const next = await it.call('retrieve_credentials', { instruction, ...pay, reference: 'payment-2' });
    const last = await it.call('retrieve_credentials', { instruction, ...pay, reference: 'payment-3' });
    expect([next.outcome, last.outcome]).toEqual(['done', 'needs_approval']);
  });

  it.each<[string, object]>([
    ['a higher limit', { limit: { amount: '40.01', currency: 'EUR' } }],
    ['another currency', { limit: { amount: '1.00', currency: 'USD' } }],
    ['a later end', { until: new Date(start + 7_201_000).toISOString() }],
  ])('can’t be widened without a person: %s', async (_, change) => {
    const it = await shop();
    const instruction = await it.bought();
    const { limit, until, description } = { ...wish, ...change };
    expect((await it.call('update_purchase', { instruction, limit, until, description })).outcome).toBe(
      'needs_approval',
    );
    expect(it.sent).toHaveLength(2);
  });

  it('is widened by a person who reads which order it is, and what was allowed until now', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const { until, description } = wish;
    const limit = { ...wish.limit, amount: '999.00' };
    const asked = await it.call('update_purchase', { instruction, limit, until, description });
    expect(asked.approval?.text.split('\n')).toEqual(
      expect.arrayContaining([
        `Until now at most: ${wish.limit.amount} ${wish.limit.currency}`,
        `At most: "999.00 ${wish.limit.currency}"`,
        `Order: "${wish.reference}"`,
      ]),
    );
  });

  it('of a purchase for another merchant can’t be turned to the shop itself', async () => {
    const it = await shop();
    const instruction = await it.bought({ merchant: 'Quay Records' });
    const { limit, until, description } = wish;
    expect((await it.call('update_purchase', { instruction, limit, until, description })).outcome).toBe(
      'needs_approval',
    );
    const kept = { instruction, limit, until, description, merchant: 'Quay Records' };
    expect((await it.call('update_purchase', kept)).outcome).toBe('done');
  });

  it('ends with the mandate, at the very second', async () => {
    for (const [seconds, outcome] of [
      [7_199, 'done'],
      [7_200, 'refused'],
    ] as const) {
      const it = await shop();
      const instruction = await it.bought();
      await it.advance(seconds);
      const last = await it.call('retrieve_credentials', { instruction, ...pay });
      expect([last.outcome, it.sent.length]).toEqual([outcome, outcome === 'done' ? 3 : 2]);
    }
  });
});

it('takes a day that does not exist for no day', async () => {
  const it = await shop();
  await it.call('enroll_card', { card: 'card_ada' });
  for (const until of [
    '2026-02-30T09:00:00Z',
    '01-02-2027',
    '2026-01-15T24:00:00Z',
    '2026-01-16',
    'Jan 16 2026',
    '1800000000',
  ])
    expect(await it.call('initiate_purchase', { ...wish, until })).toMatchObject({
      outcome: 'refused',
      error: { code: 'INVALID_ARGUMENT', field: 'until', rule: 'EN-01' },
    });
  expect(it.sent).toHaveLength(1);
});

it('takes no argument that its tool does not state', async () => {
  const it = await shop();
  const odd = await it.call('enroll_card', { card: 'card_ada', amonut: '1' });
  expect(odd).toMatchObject({
    outcome: 'refused',
    error: { code: 'INVALID_ARGUMENT', field: 'arguments', rule: 'EN-01' },
  });
  const polluted = await it.call('enroll_card', JSON.parse('{"card":"card_ada","__proto__":{"x":1}}'));
  expect([polluted.outcome, it.sent.length]).toEqual(['refused', 0]);
});

it('knows no handle of another tenant', async () => {
  const it = await shop(withOther);
  const stranger = await it.call('enroll_card', { card: 'card_ada' }, { ...agent, tenant: 'other' });
  const nobody = await it.call('enroll_card', { card: 'card_zoe' });
  expect([stranger.error?.code, stranger.said]).toEqual(['NOT_FOUND', nobody.said]);
});
