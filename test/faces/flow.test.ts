import { describe, expect, it } from 'vitest';
import { playRowsOneIn } from '../support/drawn.ts';
import { type Scene, says, ways } from './agents.ts';
import { instrumentOf, nextWeek } from './support.ts';

playRowsOneIn(3);

// The whole purchase, from a card that waits for its customer to a confirmed payment, over every way to Purser.

const done = { outcome: 'done', environment: 'sandbox' };

/** Enrolls Bo's card, which waits for its customer first. */
async function enroll({ agent, others }: Scene): Promise<string> {
  const { data: shoppers } = (await agent.call('find_shopper', { name: 'Bo' })).answer;
  const { data: cards } = (await agent.call('list_cards', { shopper: shoppers.items[0].shopper })).answer;
  const { card } = cards.items[0];
  expect((await agent.call('enroll_card', { card })).answer).toMatchObject({ ...done, data: { state: 'PENDING' } });
  const verified = await others.http('POST', `/sandbox/cards/${instrumentOf(card)}/verify`, undefined, {});
  expect(verified.status).toBe(200);
  expect((await agent.call('enroll_card', { card })).answer).toMatchObject({ ...done, data: { state: 'ACTIVE' } });
  return card;
}

const order = async (card: string, { others }: Scene) => ({
  card,
  reference: 'order-1001',
  limit: { amount: '120.00', currency: 'GBP' },
  until: await nextWeek(others),
  description: 'Headphones',
});

/** From a registered purchase to its confirmation. */
async function pay({ agent, others }: Scene, instruction: string): Promise<void> {
  const released = await agent.call('retrieve_credentials', { instruction, amount: '99.50', currency: 'GBP' });
  expect(released.answer).toMatchObject({ ...done, data: { last_four: expect.stringMatching(/^\d{4}$/) } });
  expect(released.text).not.toMatch(/cryptogram|signedPayload|\d{12,}/);
  const redeemed = await others.http('POST', `/credentials/${released.answer.data.credentials}/redeem`, 'app');
  expect(redeemed).toMatchObject({ status: 200, body: { cryptogram: expect.any(String), number: expect.any(String) } });
  const receipt = {
    instruction,
    transactionType: 'PURCHASE',
    transactionStatus: 'APPROVED',
    amount: '99.50',
    currency: 'GBP',
  };
  expect((await others.http('POST', '/receipts', 'app', receipt)).status).toBe(201);
  const confirmed = await agent.call('confirm_transaction', { instruction });
  expect(confirmed).toMatchObject({ isError: false, answer: { ...done, data: { state: 'COMPLETED' }, next: [] } });
  expect(JSON.parse(confirmed.text)).toEqual(confirmed.answer);
}

describe.each(ways)('a purchase: $name', ({ open, asks }) => {
  it('goes through with a person who approves in the conversation, or elsewhere where no question reaches them', async () => {
    const heard: string[] = [];
    const scene = await open((message) => {
      heard.push(message);
      return says.yes();
    });
    const args = await order(await enroll(scene), scene);
    const first = await scene.agent.call('initiate_purchase', args);
    expect(heard.length).toBe(asks ? 1 : 0);
    if (!asks)
      await scene.others.http('POST', `/approvals/${first.answer.approval?.id}`, 'person', { decision: 'approve' });
    const begun = asks ? first : await scene.agent.call('initiate_purchase', args);
    expect(begun.answer).toMatchObject({ ...done, data: { state: 'ACTIVE', reference: 'order-1001' } });
    for (const message of heard) expect(message).toMatch(/Order: "order-1001"\nAt most: "120.00 GBP"\n/);
    await pay(scene, begun.answer.data.instruction);
  });
});

// The other processes over stdio differ in their era alone.
const unasked = ways.filter(({ asks, name }) => !asks || name.startsWith('2026'));

describe.each(unasked)('a purchase that nobody is asked about: $name', ({ open }) => {
  it('waits for a person elsewhere where the client has no elicitation, and goes on by the same call', async () => {
    const scene = await open();
    const args = await order(await enroll(scene), scene);
    const waiting = await scene.agent.call('initiate_purchase', args);
    expect(waiting).toMatchObject({
      isError: false,
      answer: {
        outcome: 'needs_approval',
        next: ['list_approvals'],
        approval: { text: expect.stringContaining('At most: "120.00 GBP"') },
        error: { code: 'APPROVAL_REQUIRED', rule: 'EN-04' },
      },
    });
    expect((await scene.agent.call('initiate_purchase', args)).answer.approval).toEqual(waiting.answer.approval);
    const approved = await scene.others.http('POST', `/approvals/${waiting.answer.approval?.id}`, 'person', {
      decision: 'approve',
    });
    expect(approved).toMatchObject({ status: 200, body: { state: 'APPROVED' } });
    const begun = await scene.agent.call('initiate_purchase', args);
    expect(begun.answer).toMatchObject({ ...done, data: { state: 'ACTIVE' } });
    await pay(scene, begun.answer.data.instruction);
  });
});
