import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../src/cli/configuration.ts';
import type { rules } from '../../src/core/rules.ts';
import { bought, order, paid, payment, type Said, type World, world } from './support.ts';

/** A breach of each rule that is a guard's or a machine's: what breaks it, and nothing else. */
const breaches: readonly (readonly [keyof typeof rules, (it: World) => Promise<Said>])[] = [
  ['AP-04', async (it) => it.call('initiate_purchase', order())],
  ['AP-09', async (it) => it.call('retrieve_credentials', payment(await bought(it), { amount: '100.01' }))],
  [
    'AP-10',
    async (it) => {
      const instruction = await bought(it);
      await it.call('retrieve_credentials', payment(instruction));
      await it.receipt(instruction, { transactionType: 'REFUND' });
      return it.call('confirm_transaction', { instruction });
    },
  ],
  [
    'AP-12',
    async (it) => {
      const instruction = await bought(it);
      await it.call('retrieve_credentials', payment(instruction));
      await it.receipt(instruction, { amount: '39.99' });
      return it.call('confirm_transaction', { instruction });
    },
  ],
  [
    'AP-11',
    async (it) => {
      const instruction = await paid(it);
      await it.call('confirm_transaction', { instruction });
      return it.call('cancel_purchase', { instruction });
    },
  ],
  [
    'AP-07',
    async (it) => {
      const instruction = await bought(it);
      await it.call('cancel_purchase', { instruction });
      return it.call('cancel_purchase', { instruction });
    },
  ],
];

const levelled = (rule: string, level: 'warn' | 'off'): Partial<Configuration> => ({ levels: { [rule]: level } });

describe.each(breaches)('%s', (rule, breach) => {
  it('refuses by default, and nothing is sent', async () => {
    const it = await world();
    const said = await breach(it);
    const { length } = await it.effects();
    expect(said).toMatchObject({ outcome: 'refused', error: { code: 'RULE', rule } });
    expect(said.operation).toBeUndefined();
    expect(await it.effects()).toHaveLength(length);
  });

  it('as a warning lets the call go on, and says so', async () => {
    const it = await world({ configure: levelled(rule, 'warn') });
    const said = await breach(it);
    expect(said.outcome).not.toBe('refused');
    expect(said.warnings?.filter((warning) => warning.startsWith(`${rule}: `))).toHaveLength(1);
  });

  it('turned off is silent', async () => {
    const it = await world({ configure: levelled(rule, 'off') });
    const said = await breach(it);
    expect(said.outcome).not.toBe('refused');
    expect(said.warnings).toBeUndefined();
  });
});

it('a card that waits for its customer is told from one that was never enrolled', async () => {
  const it = await world();
  await it.call('enroll_card', { card: 'card_bo' });
  expect(await it.call('initiate_purchase', order({ card: 'card_bo' }))).toMatchObject({
    outcome: 'refused',
    next: ['enroll_card'],
    error: { rule: 'AP-03' },
  });
});

describe('what no level turns off', () => {
  it.each(['EN-01', 'EN-02', 'EN-03', 'EN-04', 'EN-05', 'EN-06', 'EN-10', 'EN-11'] as const)('%s', async (rule) => {
    const cap = { name: 'cap', tools: ['initiate_purchase'], currency: 'GBP', perCall: '100.00', per: [] } as const;
    const it = await world({ configure: { levels: { [rule]: 'off' }, limits: [cap] } });
    const instruction = await bought(it);
    await it.fault('cancelPurchase', 'timeout-after-commit');
    await it.call('cancel_purchase', { instruction });
    const before = await it.effects();
    const calls: { readonly [rule: string]: () => Promise<Said> } = {
      'EN-01': () => it.call('initiate_purchase', order({ reference: 'order-2', extra: 1 })),
      'EN-02': () => it.call('initiate_purchase', order({ reference: 'order-2', card: 'card_nobody' })),
      'EN-03': () => it.call('initiate_purchase', order({ description: 'Other' })),
      'EN-04': () => it.call('initiate_purchase', order({ reference: 'order-2' })),
      'EN-05': () => it.call('initiate_purchase', order({ reference: 'order-2', description: '4111111111111111' })),
      'EN-06': () => it.call('retrieve_credentials', payment(instruction)),
      'EN-10': () => it.call('initiate_purchase', order({ reference: 'order-2', description: 'a\nb' })),
      'EN-11': () =>
        it.call('initiate_purchase', order({ reference: 'order-2', limit: { amount: '100.01', currency: 'GBP' } })),
    };
    expect(await calls[rule]?.()).toMatchObject({
      outcome: rule === 'EN-04' ? 'needs_approval' : 'refused',
      error: { rule },
    });
    expect(await it.effects()).toEqual(before);
  });

  it.each(['warn', 'off'] as const)('a limit holds for what is no amount of its currency: AP-09 %s', async (level) => {
    const cap = { name: 'cap', tools: ['initiate_purchase'], currency: 'JPY', perCall: '100', per: [] } as const;
    const it = await world({ configure: { levels: { 'AP-09': level }, limits: [cap] } });
    await it.call('enroll_card', { card: 'card_ada' });
    const said = await it.call('initiate_purchase', order({ limit: { amount: '99999.50', currency: 'JPY' } }));
    expect(said).toMatchObject({ outcome: 'refused', error: { rule: 'AP-09' } });
  });
});
