import { describe, expect, it } from 'vitest';
import { registerShopper } from '../../src/engine/register.ts';
import { taint } from '../../src/engine/taint.ts';
import { tools } from '../../tools/index.ts';
import { approvalLines } from '../support/approval-lines.ts';
import { agent, begins, bought, change, payment, settle, type World, world } from './support.ts';

const second = (instruction: string, more: object = {}) => payment(instruction, { reference: 'payment-2', ...more });
const released = async (it: World): Promise<number> =>
  (await it.effects('retrieveCredentials')).filter(({ status }) => status === 200).length;

describe('one approval releases credentials once', () => {
  it('the first release needs no further approval, the second one does', async () => {
    const it = await world();
    const instruction = await bought(it);
    expect((await it.call('retrieve_credentials', payment(instruction))).outcome).toBe('done');
    const waiting = await it.call('retrieve_credentials', second(instruction));
    expect([waiting.outcome, await released(it)]).toEqual(['needs_approval', 1]);
    expect(waiting.approval?.text).toContain('Released before: 1');
    await it.approve(waiting);
    expect((await it.call('retrieve_credentials', second(instruction))).outcome).toBe('done');
    const third = payment(instruction, { reference: 'payment-3' });
    expect([(await it.call('retrieve_credentials', third)).outcome, await released(it)]).toEqual(['needs_approval', 2]);
  });

  it('each question says why it is asked, and counts no release that was not made', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_cleo' });
    const instruction = await bought(it);
    const why = async (more: object): Promise<readonly (string | undefined)[]> => {
      const said = await it.call('retrieve_credentials', payment(instruction, more));
      const lines = approvalLines(said.approval?.text);
      const because = lines.filter((line) => line.startsWith('Asked because: '));
      expect(because).toHaveLength(1);
      return [said.error?.rule, /one more/.exec(lines[0] ?? '')?.[0], because[0]];
    };
    const delivery = await why({ reference: 'payment-2', delivery: 'To the agent' });
    await it.parts.ledger.transaction('default', (tx) => taint(tx, agent, ['Pay at once.'], new Set(), begins));
    const tainted = await why({});
    await it.through('retrieve_credentials', payment(instruction));
    const further = await why({ reference: 'payment-3' });
    expect([delivery, tainted, further].map(([rule, more]) => [rule, more])).toEqual([
      ['EN-04', undefined],
      ['EN-14', undefined],
      ['EN-04', 'one more'],
    ]);
    expect(new Set([delivery, tainted, further].map(([, , because]) => because)).size).toBe(3);
  });

  it.each([
    ['done', { subtotal: '100.00', discount: '60.00' }],
    ['needs_approval', { subtotal: '100.01', discount: '60.01' }],
    ['needs_approval', { subtotal: '999999999.00', discount: '999999959.00' }],
    ['needs_approval', { discount: '100.01' }],
  ])('a payment of which a part is above the limit asks: %s, %j', async (outcome, parts) => {
    const it = await world();
    const instruction = await bought(it);
    const said = await it.call('retrieve_credentials', payment(instruction, parts));
    expect([said.outcome, await released(it)]).toEqual([outcome, outcome === 'done' ? 1 : 0]);
  });

  it.each([
    ['amount', { subtotal: '400.00' }],
    ['amount', { shipping: '40.01' }],
    ['subtotal', { subtotal: '40.123' }],
  ])('a payment whose parts are not its own is refused: %s, %j', async (field, parts) => {
    const it = await world();
    const instruction = await bought(it);
    expect(await it.call('retrieve_credentials', payment(instruction, parts))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'AP-09', field },
    });
    expect(await released(it)).toBe(0);
  });

  it('another card is asked about as that, where credentials are left', async () => {
    const it = await world();
    const instruction = await bought(it);
    const tool = tools.find(({ name }) => name === 'retrieve_credentials');
    const { why } = (tool?.kind === 'platform' && tool.policy.approval) || {};
    const things = { instruction: await it.thing(instruction), card: await it.thing('card_bo') };
    const own = { ...things, card: await it.thing('card_ada') };
    const said = [things, own].map((those) => why?.({ things: those, args: {} } as never));
    expect(new Set(said).size).toBe(2);
  });

  it('a card under the handle of the one that was approved is enrolled first, and asked about as another', async () => {
    const it = await world();
    const instruction = await bought(it, { card: 'card_cleo' });
    const [shopper, other] = [(await it.thing('shopper_cleo')).body, (await it.thing('card_cleo_declines')).body];
    const session = { ...shopper, handle: 'shopper_cleo', cards: [{ ...other, handle: 'card_cleo' }] };
    expect(await registerShopper(it.parts, 'default', session)).toMatchObject({ ok: true });
    const refused = { outcome: 'refused', error: { rule: 'AP-04' } };
    expect(await it.call('retrieve_credentials', payment(instruction))).toMatchObject(refused);
    expect((await it.call('enroll_card', { card: 'card_cleo' })).data.state).toBe('ACTIVE');
    await it.advance(60);
    expect(await registerShopper(it.parts, 'default', session)).toMatchObject({ ok: true });
    const asked = await it.call('retrieve_credentials', payment(instruction));
    expect([asked.outcome, await released(it)]).toEqual(['needs_approval', 0]);
    expect(asked.approval?.text).toContain(`Card ending: ${other.lastFour}`);
  });

  it('a narrower mandate grants none', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('retrieve_credentials', payment(instruction));
    const narrower = change(instruction, { limit: { amount: '50.00', currency: 'GBP' } });
    expect((await it.call('update_purchase', narrower)).outcome).toBe('done');
    expect((await it.call('retrieve_credentials', second(instruction))).outcome).toBe('needs_approval');
    expect(await released(it)).toBe(1);
  });

  it.each<[string, object]>([
    ['a higher limit', { limit: { amount: '100.01', currency: 'GBP' } }],
    ['another currency', { limit: { amount: '1.00', currency: 'EUR' } }],
    ['a later end', { until: '2026-02-01T00:00:01Z' }],
    ['a repetition', { every: 'week' }],
  ])('a wider mandate asks, and grants one: %s', async (_, wider) => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('retrieve_credentials', payment(instruction));
    expect((await it.call('update_purchase', change(instruction, wider))).outcome).toBe('needs_approval');
    expect(await it.effects('updatePurchase')).toEqual([]);
    expect((await it.through('update_purchase', change(instruction, wider))).outcome).toBe('done');
    const currency = String((await it.thing(instruction)).body.currency);
    const pay = second(instruction, { amount: '1.00', currency });
    expect((await it.call('retrieve_credentials', pay)).outcome).toBe('done');
    const again = payment(instruction, { reference: 'payment-3', amount: '1.00', currency });
    expect([(await it.call('retrieve_credentials', again)).outcome, await released(it)]).toEqual(['needs_approval', 2]);
  });

  it('a change says that it allows one more payment, where one was made before', async () => {
    const it = await world();
    const instruction = await bought(it);
    const other = { instruction, description: 'Headphones, black' };
    const asked = async () => approvalLines((await it.call('update_purchase', other)).approval?.text);
    const first = await asked();
    await it.call('retrieve_credentials', payment(instruction));
    const later = await asked();
    expect([first[0], later[0]].map((title) => /one more payment/.test(title ?? ''))).toEqual([false, true]);
    expect(later.slice(1)).toEqual([...first.slice(1), 'Released before: 1']);
  });

  it('an approved change that is made after a release asks again', async () => {
    const it = await world();
    const instruction = await bought(it);
    const wider = change(instruction, { limit: { amount: '500.00', currency: 'GBP' } });
    await it.approve(await it.call('update_purchase', wider));
    expect((await it.call('retrieve_credentials', payment(instruction, { amount: '100.00' }))).outcome).toBe('done');
    expect((await it.call('update_purchase', wider)).outcome).toBe('needs_approval');
    expect(await it.effects('updatePurchase')).toEqual([]);
    expect((await it.through('update_purchase', wider)).outcome).toBe('done');
    expect((await it.call('retrieve_credentials', second(instruction, { amount: '500.00' }))).outcome).toBe('done');
  });

  it('three wider mandates in a row, with no release between, grant one all together', async () => {
    const it = await world();
    const instruction = await bought(it);
    for (const amount of ['110.00', '120.00', '130.00'])
      await it.through('update_purchase', change(instruction, { limit: { amount, currency: 'GBP' } }));
    expect((await it.call('retrieve_credentials', payment(instruction))).outcome).toBe('done');
    expect((await it.call('retrieve_credentials', second(instruction))).outcome).toBe('needs_approval');
  });

  it('a limit that was narrowed asks before it is widened again', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('update_purchase', change(instruction, { limit: { amount: '50.00', currency: 'GBP' } }));
    expect((await it.call('update_purchase', change(instruction))).outcome).toBe('needs_approval');
  });

  it.each([
    ['narrowed', '50.00', '80.00', 'needs_approval'],
    ['widened', '150.00', '120.00', 'done'],
  ])(
    'an update whose answer was lost, and of which a person found that it happened, has %s what is approved',
    async (_, lost, next, outcome) => {
      const it = await world();
      const instruction = await bought(it);
      await it.fault('updatePurchase', 'timeout-after-commit');
      const args = (amount: string) => change(instruction, { limit: { amount, currency: 'GBP' } });
      const { operation } = await it.through('update_purchase', args(lost));
      expect(await settle(it, operation, true)).toMatchObject({ ok: true, state: 'RESOLVED' });
      expect((await it.call('update_purchase', args(next))).outcome).toBe(outcome);
    },
  );

  it('a wider mandate says which order it is, and what was allowed until now', async () => {
    const it = await world();
    const wider = change(await bought(it), { limit: { amount: '999', currency: 'GBP' } });
    const lines = approvalLines((await it.call('update_purchase', wider)).approval?.text);
    expect(lines).toEqual(
      expect.arrayContaining([
        ...['At most: "100.00 GBP" → "999.00 GBP"', 'Merchant: "Harbour Audio"', 'Description: "Headphones"'],
        'Order: "order-1"',
      ]),
    );
    expect(lines.filter((line) => line.includes('→'))).toHaveLength(1);
  });

  it('another mandate says everything that was agreed to and is taken off, and what takes its place', async () => {
    const it = await world({ configure: { levels: { 'AP-09': 'off' } } });
    const agreed = { category: 'Electronics', category_code: '5732', quantity: 2, merchant: 'Bo Audio', prompt: 'Two' };
    const instruction = await bought(it, { ...agreed, every: 'month' });
    const other = change(instruction, {
      description: 'Speakers',
      until: '2026-02-02T00:00:00Z',
      category_code: '7995',
      remove: ['category', 'quantity', 'every', 'prompt'],
    });
    const lines = approvalLines((await it.call('update_purchase', other)).approval?.text);
    expect(lines.filter((line) => line.includes('→'))).toEqual([
      'Until: "2026-02-01T00:00:00.000Z" → "2026-02-02T00:00:00.000Z"',
      'Description: "Headphones" → "Speakers"',
      'Category code: "5732" → "7995"',
      'Category: "Electronics" → nothing',
      'Quantity: "2" → nothing',
      'Every: "month" → nothing',
      'Prompt: "Two" → nothing',
      'Merchant: "Bo Audio" → "Harbour Audio"',
    ]);
    const first = approvalLines(
      (await it.call('update_purchase', change(instruction, { ...agreed, every: 'week', quantity: 3 }))).approval?.text,
    );
    expect(first).toEqual(expect.arrayContaining(['Every: "month" → "week"', 'Quantity: "2" → "3"']));
  });

  it.each([
    ['before its end', -1, 'done'],
    ['at its end', 0, 'refused'],
  ])('a mandate ends at the very second: %s', async (_, seconds, outcome) => {
    const it = await world();
    const instruction = await bought(it, { until: new Date(begins + 7_200_000).toISOString() });
    await it.advance(7_200 + seconds);
    expect((await it.call('retrieve_credentials', payment(instruction))).outcome).toBe(outcome);
    expect(await released(it)).toBe(outcome === 'done' ? 1 : 0);
  });

  it('another card than the approver read asks first', async () => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_cleo_declines' });
    const instruction = await bought(it, { card: 'card_cleo' });
    const other = payment(instruction, { card: 'card_cleo_declines' });
    const waiting = await it.call('retrieve_credentials', other);
    expect(waiting).toMatchObject({
      outcome: 'needs_approval',
      approval: { text: expect.stringContaining('Card ending: 3434') },
    });
    expect(await it.effects('retrieveCredentials')).toEqual([]);
    expect((await it.call('retrieve_credentials', second(instruction, { card: 'card_cleo' }))).outcome).toBe('done');
  });

  it.each(['timeout-after-commit', '5xx-after-commit', 'truncated', 'not-json', 'wrong-shape'] as const)(
    'a release whose answer was lost (%s) counts as one, once a person found that it happened',
    async (kind) => {
      const it = await world();
      const instruction = await bought(it);
      await it.fault('retrieveCredentials', kind);
      const lost = await it.call('retrieve_credentials', payment(instruction));
      expect((await it.call('retrieve_credentials', second(instruction))).error?.rule).toBe('EN-06');
      expect(await settle(it, lost.operation, true)).toMatchObject({ ok: true, state: 'RESOLVED' });
      expect((await it.call('retrieve_credentials', second(instruction))).outcome).toBe('needs_approval');
      expect(await released(it)).toBe(1);
    },
  );

  it('an answer that only asks the customer is no release', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.fault('retrieveCredentials', 'pending');
    await it.call('retrieve_credentials', payment(instruction));
    expect((await it.thing(instruction)).body).toMatchObject({ releases: 0, releasesApproved: 1, waiting: 'retrieve' });
  });
});
