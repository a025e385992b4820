import { expect, it } from 'vitest';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { type Guarded, provesRules } from './rules.ts';
import { billing, onPlan, type Story, subscriptionArgs } from './story.ts';

// The rules of subscriptions, through MCP and a real sandbox. Each begins on 31 January at 10:00 UTC.

const payment = Date.parse('2027-01-31T10:00:00Z');
const minute = 60_000;
const today = '2027-01-15T09:00:00Z';

/** A subscription that is charged on 31 January, a while before or after that. */
async function around(story: Story, after: number): Promise<string> {
  const subscription = await story.subscription();
  await story.at(payment + after);
  return subscription;
}

/** The token of Dan's card, registered by an app that knows its network. */
async function registersNetwork({ here }: Story): Promise<void> {
  const { shopper_dan: dan } = sandboxSeed.shoppers;
  const [card] = dan.cards;
  const known = { instrumentIdentifierId: 'FACE00000000000000000000000D0098', network: 'DISCOVER' };
  const session = { ...dan, handle: 'shopper_dana', cards: [{ ...card, ...known, handle: 'card_dana' }] };
  expect((await here.http('POST', '/shoppers', 'app', session)).status).toBe(201);
}
const byDana = (more: object = {}) =>
  subscriptionArgs({ card: 'card_dana', original_transaction: 'network-transaction-1', ...more });

// biome-ignore format: a table
const guarded: readonly Guarded[] = [
  { rule: 'SB-01', refuses: { when: 'there is neither a plan nor an amount', field: 'plan', next: ['list_plans'] },
    breach: async () => ['create_subscription', subscriptionArgs({ amount: undefined })],
    allows: 'an amount and a schedule of its own, from today on',
    served: async () => ['create_subscription', subscriptionArgs({ start: today })],
    shows: { state: 'ACTIVE', amount: '7.50', every: 1, unit: 'month' },
    platform: { reason: 'MISSING_FIELD', field: 'plan' } },
  { rule: 'SB-02', refuses: { when: 'its plan is a draft', field: 'plan', next: ['list_plans', 'activate_plan'] },
    breach: async ({ plan }) => ['create_subscription', onPlan(await plan({ draft: true }))],
    allows: 'moving to an active plan, and nothing else of it changes',
    served: async ({ plan, subscription }) => [
      'update_subscription',
      { subscription: await subscription(), plan: await plan({ amount: '3.00', every: 1, unit: 'week' }) },
    ],
    shows: { amount: '3.00', every: 1, unit: 'week', name: 'Gold for Ada' },
    platform: { reason: 'VALIDATION_ERROR', field: 'plan' } },
  { rule: 'SB-03', refuses: { when: 'its code has eleven characters', field: 'code' },
    breach: async () => ['create_subscription', subscriptionArgs({ code: 'A2345678901' })],
    allows: 'a code of ten, which a plan may have, too',
    served: async ({ plan }) => {
      await plan({ code: 'A234567890' });
      return ['create_subscription', subscriptionArgs({ code: 'A234567890' })];
    },
    shows: { code: 'A234567890', state: 'PENDING' },
    platform: {
      reason: 'DUPLICATE',
      field: 'code',
      breach: async ({ subscription }) => {
        await subscription({ code: 'A.1' });
        return ['create_subscription', subscriptionArgs({ code: 'A.1', reference: 'subscription-2' })];
      },
    } },
  { rule: 'SB-06', refuses: { when: 'its network asks for the amount that was authorized', field: 'original_amount' },
    breach: async (story) => {
      await registersNetwork(story);
      return ['create_subscription', byDana()];
    },
    allows: 'the same with that amount',
    served: async (story) => {
      await registersNetwork(story);
      return ['create_subscription', byDana({ original_amount: '7.50' })];
    },
    shows: { state: 'PENDING' }, platform: { reason: 'MISSING_FIELD', field: 'original_amount' } },
  { rule: 'SB-09',
    refuses: {
      when: 'a pending one is suspended',
      field: 'subscription',
      next: ['update_subscription', 'cancel_subscription'],
    },
    breach: async ({ subscription }) => ['suspend_subscription', { subscription: await subscription() }],
    allows: 'suspending an active one',
    served: async ({ subscription }) => [
      'suspend_subscription',
      { subscription: await subscription({ start: today }) },
    ],
    shows: { state: 'SUSPENDED' }, platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'SB-10',
    refuses: {
      when: 'an active one is reactivated',
      field: 'subscription',
      next: ['suspend_subscription'],
    },

    breach: async ({ subscription }) => [
      'reactivate_subscription',
      { subscription: await subscription({ start: today }), collect_missed: false },
    ],
    allows: 'reactivating a suspended one',
    served: async ({ subscription, does }) => {
      const made = await subscription({ start: today });
      await does('suspend_subscription', { subscription: made });
      return ['reactivate_subscription', { subscription: made, collect_missed: false }];
    },
    shows: { state: 'ACTIVE' }, platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'SB-11',
    refuses: {
      when: 'a payment was made ten minutes ago',
      field: 'subscription',
      next: ['list_subscription_payments'],
      retry: { retry: 'after', wait: 1 },
    },
    breach: async (story) => ['cancel_subscription', { subscription: await around(story, 10 * minute) }],
    allows: 'cancelling once that is over',
    served: async (story) => ['cancel_subscription', { subscription: await around(story, 11 * minute) }],
    shows: { state: 'CANCELLED' }, platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'SB-12',
    refuses: {
      when: 'one that made all its payments is cancelled',
      field: 'subscription',
      next: ['create_subscription', 'create_follow_on_subscription'],
      retry: { retry: 'never' },
    },

    breach: async ({ subscription }) => [
      'cancel_subscription',
      { subscription: await subscription({ start: today, payments: 1 }) },
    ],
    allows: 'cancelling one with a payment to come',
    served: async ({ subscription }) => ['cancel_subscription', { subscription: await subscription({ payments: 1 }) }],
    shows: { state: 'CANCELLED' }, platform: { reason: 'VALIDATION_ERROR' } },
  { rule: 'SB-14',
    refuses: {
      when: 'a cycle that begins within two hours is skipped',
      field: 'cycles',
      next: ['list_subscription_payments'],
    },

    breach: async (story) => [
      'skip_subscription_payments',
      { subscription: await around(story, -120 * minute), cycles: [1] },
    ],
    allows: 'skipping the one after it',
    served: async (story) => [
      'skip_subscription_payments',
      { subscription: await around(story, -120 * minute), cycles: [2] },
    ],
    shows: { skipped: [2] }, platform: { reason: 'UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 1', field: 'cycles' } },
];

provesRules('SB', guarded, ['SB-04', 'SB-05', 'SB-07', 'SB-08', 'SB-13', 'SB-15']);

it('SB-01: a surcharge that has a label and no amount is refused; the label of one that there is can change', async () => {
  const { agent, does, subscription } = await billing();
  const { answer } = await agent.call('create_subscription', subscriptionArgs({ surcharge_label: 'Fuel' }));
  expect(answer).toMatchObject({
    outcome: 'refused',
    error: { code: 'RULE', rule: 'SB-01', field: 'surcharge_label' },
  });
  const made = await subscription({ surcharge: '1.00' });
  expect(await does('update_subscription', { subscription: made, surcharge_label: 'Fuel' })).toMatchObject({
    surcharge: '1.00',
    surcharge_label: 'Fuel',
  });
});
