import { describe, expect, it } from 'vitest';
import { compact } from '../support/compact.ts';
import { shop, wish } from './shop.ts';

const pay = { amount: '39.90', currency: 'EUR' };

describe('the rules', () => {
  it('are held before anything is sent: AP-09, more than was approved', async () => {
    const it = await shop();
    const instruction = await it.bought();
    expect(await it.call('retrieve_credentials', { instruction, ...pay, amount: '40.01' })).toMatchObject({
      outcome: 'refused',
      said: '40.01 EUR is above the approved limit of 40.00 EUR.',
      next: ['update_purchase'],
      error: { code: 'RULE', retry: 'changed_call', field: 'amount', rule: 'AP-09' },
    });
    expect(it.sent).toHaveLength(2);
  });

  it('are held before anything is sent: AP-04, a card that is not enrolled', async () => {
    const it = await shop();
    expect(await it.call('initiate_purchase', wish)).toMatchObject({ outcome: 'refused', error: { rule: 'AP-04' } });
    expect([it.sent, await it.operations()]).toEqual([[], []]);
  });

  it('are held before anything is sent: AP-10 and AP-12, a payment that nobody reported or over another sum', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const early = await it.call('confirm_transaction', { instruction });
    await it.call('retrieve_credentials', { instruction, ...pay });
    const unpaid = await it.call('confirm_transaction', { instruction });
    await it.pay(instruction, { amount: '39.91' });
    const other = await it.call('confirm_transaction', { instruction });
    await it.pay(instruction, { transactionStatus: 'DECLINED' });
    const declined = await it.call('confirm_transaction', { instruction });
    await it.pay(instruction);
    const right = await it.call('confirm_transaction', { instruction });
    expect([early, unpaid, other, declined].map(({ error }) => error?.rule)).toEqual([
      'AP-10',
      'AP-10',
      'AP-12',
      'AP-10',
    ]);
    expect([right.outcome, it.sent.length]).toEqual(['done', 4]);
  });

  it('are held before anything is sent: AP-11, a purchase that is completed', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('retrieve_credentials', { instruction, ...pay });
    await it.pay(instruction);
    await it.call('confirm_transaction', { instruction });
    const calls = [
      await it.call('cancel_purchase', { instruction }),
      await it.call('retrieve_credentials', { instruction, ...pay, reference: 'payment-2' }),
      await it.call('update_purchase', { ...update, instruction }),
    ];
    expect(calls.map(({ error }) => error?.rule)).toEqual(['AP-11', 'AP-11', 'AP-11']);
    expect(it.sent).toHaveLength(4);
  });

  it('may be told to warn or to say nothing, each by its id', async () => {
    for (const [level, warnings] of [
      ['warn', ['AP-05: The token requester id and the relationship id of the passkey service are not configured.']],
      ['off', undefined],
    ] as const) {
      const it = await shop({ configuration: { levels: { 'AP-05': level } } });
      const settings = { ...it.parts.settings, passkey: undefined };
      const { createEngine } = await import('../../src/engine/engine.ts');
      const engine = createEngine({ ...it.parts, settings });
      const answer = await engine.call('enroll_card', { card: 'card_ada' }, { tenant: 'default', principal: 'agent' });
      expect([answer.outcome, answer.warnings]).toEqual(['done', warnings]);
    }
  });

  it('say which tools lead out of a state', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('cancel_purchase', { instruction });
    const late = await it.call('retrieve_credentials', { instruction, ...pay });
    expect(late).toMatchObject({
      outcome: 'refused',
      next: ['initiate_purchase'],
      error: { rule: 'AP-08', field: 'instruction' },
    });
  });
});

const { reference: _, card: __, ...update } = wish;

describe('a request', () => {
  it('is filled from the session, the card and the configuration, and from the model where the model may write', async () => {
    const it = await shop();
    const instruction = await it.bought({ merchant: 'Harbour Audio', quantity: 2 });
    await it.call('retrieve_credentials', { instruction, ...pay, shipping: '4.90' });
    const [enroll, initiate, retrieve] = it.sent.map(({ body }) => body);
    expect(compact(enroll)).toMatchSnapshot('enroll');
    expect(compact(initiate)).toMatchSnapshot('initiate');
    expect(compact(retrieve)).toMatchSnapshot('retrieve');
  });

  it('of a confirmation holds what the receipt says and nothing of the model’s', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.call('retrieve_credentials', { instruction, ...pay });
    await it.pay(instruction, { approvalCode: '831000' });
    await it.call('confirm_transaction', { instruction });
    expect(compact(it.sent.at(-1))).toMatchSnapshot();
  });

  it('that lacks what the merchant’s app must give is refused with the field, the rule and who can mend it', async () => {
    const it = await shop();
    const { registerShopper } = await import('../../src/engine/register.ts');
    const { sandboxSeed } = await import('../../src/sandbox/index.ts');
    const { cards, deviceInformation: ___, ...session } = sandboxSeed.shoppers.shopper_ada;
    const known = cards.map(({ label: ____, ...card }) => card);
    await registerShopper(it.parts, 'default', { handle: 'shopper_ada', ...session, cards: known });
    expect(await it.call('enroll_card', { card: 'card_ada' })).toMatchObject({
      outcome: 'refused',
      error: { code: 'RULE', rule: 'AP-01', field: 'deviceInformation' },
    });
    expect(it.sent).toEqual([]);
  });
});
