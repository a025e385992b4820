import { describe, expect, it } from 'vitest';
import { bought, order, payment, settle, until, type World, world } from '../engine/support.ts';
import { approvalLines } from '../support/approval-lines.ts';

// The terms of a purchase: which may be asked for, what a change leaves as it is, and what answers show of them.

const more = {
  ...{ category: 'Electronics', category_code: '5732', quantity: 2, every: 'month', prompt: 'Two of them, monthly' },
  recurring: true,
} as const;
const lastMandate = (it: World) => it.sent.at(-1)?.body.mandates[0];
const shown = async (it: World, instruction: string) => (await it.call('get_purchase', { instruction })).data;

describe('a purchase at another merchant', () => {
  it.each(['Other Shop', 'Harbour', 'harbour audio'])('is refused before a person is asked: %s', async (merchant) => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    const refused = { outcome: 'refused', error: { rule: 'AP-09', field: 'merchant' } };
    expect(await it.call('initiate_purchase', order({ merchant }))).toMatchObject(refused);
    const { data } = await it.call('preview_call', { tool: 'initiate_purchase', arguments: order({ merchant }) });
    expect(data.verdict).toMatchObject(refused);
    expect(data).not.toHaveProperty('approval');
    const instruction = await bought(it);
    expect(await it.call('update_purchase', { instruction, merchant })).toMatchObject(refused);
    expect((await it.call('list_approvals')).data.total).toBe(1); // that of the purchase which was made
    expect(await it.effects('updatePurchase')).toEqual([]);
  });

  it('is no purchase at this one by its own name', async () => {
    const it = await world();
    const instruction = await bought(it, { merchant: 'Harbour Audio' });
    expect((await it.call('update_purchase', { instruction, merchant: 'Harbour Audio' })).outcome).toBe('done');
    expect((await it.call('retrieve_credentials', payment(instruction))).outcome).toBe('done');
  });

  it('which an earlier configuration let in is led back to this one', async () => {
    const it = await world({ configure: { levels: { 'AP-09': 'off' } } });
    const instruction = await bought(it, { merchant: 'Other Shop' });
    const said = await it.through('update_purchase', { instruction });
    expect([said.outcome, lastMandate(it).preferredMerchantName]).toEqual(['done', 'Harbour Audio']);
  });
});

describe('a change of a purchase', () => {
  it('leaves what is not given as it was, and asks nobody for less', async () => {
    const it = await world();
    const instruction = await bought(it, more);
    const { mandateId: _, ...was } = lastMandate(it);
    const said = await it.call('update_purchase', { instruction, limit: { amount: '90.00', currency: 'GBP' } });
    const { mandateId: __, ...now } = lastMandate(it);
    expect([said.outcome, now]).toEqual([
      'done',
      { ...was, declineThreshold: { amount: '90.00', currencyCode: 'GBP' } },
    ]);
    expect(it.sent.at(-1)?.body.consumerPrompt).toBe(more.prompt);
    expect(await shown(it, instruction)).toMatchObject({ ...more, limit: { amount: '90.00', currency: 'GBP' } });
  });

  it('that widens it shows a person what stays beside what changes', async () => {
    const it = await world();
    const instruction = await bought(it, more);
    const said = await it.call('update_purchase', { instruction, limit: { amount: '110.00', currency: 'GBP' } });
    expect(approvalLines(said.approval?.text).slice(1)).toEqual([
      'At most: "100.00 GBP" → "110.00 GBP"',
      `Until: "${new Date(until).toISOString()}"`,
      'Description: "Headphones"',
      'Category: "Electronics"',
      'Category code: "5732"',
      'Quantity: "2"',
      'Every: "month"',
      'Prompt: "Two of them, monthly"',
      'Merchant: "Harbour Audio"',
      'Shop: shop.harbour-audio.example.com',
      'Card ending: 1111',
      'Customer: "Ada Example"',
      'Order: "order-1"',
    ]);
  });

  it('takes off what it names, and a person reads it', async () => {
    const it = await world();
    const instruction = await bought(it, more);
    const off = { instruction, remove: ['quantity', 'category'] };
    const asked = await it.call('update_purchase', off);
    expect(approvalLines(asked.approval?.text)).toEqual(
      expect.arrayContaining(['Category: "Electronics" → nothing', 'Quantity: "2" → nothing', 'Every: "month"']),
    );
    await it.approve(asked);
    expect((await it.call('update_purchase', off)).outcome).toBe('done');
    const { category, quantity, ...left } = more;
    const data = await shown(it, instruction);
    expect(data).toMatchObject(left);
    expect([data.category, data.quantity]).toEqual([undefined, undefined]);
    expect(lastMandate(it)).not.toHaveProperty('quantity');
  });

  it('ends a repetition without asking', async () => {
    const it = await world();
    const instruction = await bought(it, more);
    expect((await it.call('update_purchase', { instruction, remove: ['every'] })).outcome).toBe('done');
    expect(lastMandate(it)).not.toHaveProperty('recurringPaymentInformation');
  });

  it.each([true, false])(
    'that was lost leaves its terms once a person found that it happened: %s',
    async (happened) => {
      const it = await world();
      const instruction = await bought(it, more);
      await it.fault('updatePurchase', happened ? 'timeout-after-commit' : 'late-apply', { times: 3 });
      const lost = await it.call('update_purchase', { instruction, limit: { amount: '90.00', currency: 'GBP' } });
      await it.advance(180);
      await settle(it, lost.operation, happened);
      expect(await shown(it, instruction)).toMatchObject({
        ...more,
        limit: { amount: happened ? '90.00' : '100.00', currency: 'GBP' },
      });
    },
  );
});

describe('get_purchase', () => {
  it('shows every term, and nothing in it makes the next payment ask', async () => {
    const it = await world();
    const instruction = await bought(it, more);
    expect(await shown(it, instruction)).toMatchObject({
      description: 'Headphones',
      merchant: 'Harbour Audio',
      ...more,
    });
    expect((await it.call('retrieve_credentials', payment(instruction))).outcome).toBe('done');
  });

  it('names no term that the purchase lacks', async () => {
    const it = await world();
    expect(Object.keys(await shown(it, await bought(it)))).toEqual([
      ...['instruction', 'state', 'reference', 'description', 'merchant', 'limit', 'until', 'card', 'releases'],
    ]);
  });
});
