import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';

/** What is approved beforehand in every replica: anything in EUR; in USD one purchase of a conversation. */
export const mandates: readonly SpendingPolicy[] = [
  { name: 'anything in EUR', tools: ['initiate_purchase'], currency: 'EUR', perCall: '500.00', per: [] },
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

/** The same purchase with a later end. A person must approve it. */
export const change = (instruction: string) => ({
  instruction,
  limit: { amount: '120.00', currency: 'GBP' },
  until: '2026-02-02T00:00:00Z',
  description: 'Headphones',
});

export const plan = (name: string) => ({
  name,
  reference: name.replace(' ', '-'),
  ...{ every: 1, unit: 'month', amount: '7.50', currency: 'GBP', payments: 6 },
});

/** A subscription by it, charged from today on. */
export const subscription = (reference: string, planHandle: string) => ({
  reference,
  plan: planHandle,
  name: reference,
  start: '2026-01-15T09:00:00Z',
});

/** What the merchant's payment system reports. */
export const receipt = (instruction: string) => ({
  instruction,
  transactionType: 'PURCHASE',
  transactionStatus: 'APPROVED',
  amount: '40.00',
  currency: 'GBP',
});
