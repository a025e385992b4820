import type { Terms } from '../../src/guards/money.ts';

/** What is approved beforehand in every replica: anything in EUR; in USD one purchase of a conversation. */
export const mandates: readonly Terms[] = [
  { name: 'anything in EUR', tools: ['initiate_purchase'], currency: 'EUR', perCall: '500.00', per: ['day'] },
  { name: 'one in USD', tools: ['initiate_purchase'], currency: 'USD', perCall: '500.00', count: 1, per: ['session'] },
];

export const card = 'card_ada';

/** A purchase as an agent asks for it. In GBP a person must approve it. */
export const order = (reference: string, amount = '100.00', currency = 'GBP') => ({
  card,
  reference,
  limit: { amount, currency },
  until: '2026-02-01T00:00:00Z',
  description: 'Headphones',
});

/** A payment within it. */
export const payment = (instruction: string, reference: string) => ({
  instruction,
  reference,
  amount: '40.00',
  currency: 'GBP',
});

/** What the merchant's payment system reports. */
export const receipt = (instruction: string) => ({
  instruction,
  transactionType: 'PURCHASE',
  transactionStatus: 'APPROVED',
  amount: '40.00',
  currency: 'GBP',
});
