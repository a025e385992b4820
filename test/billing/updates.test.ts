import { expect, it } from 'vitest';
import { billing, type Story } from './story.ts';

// What an update comes to at once: it is told as the platform says it, and so is what can follow.

const today = '2027-01-15T09:00:00Z';

/** One that was charged today, and the plan that it is to move to, which charges at once. */
async function moving({ card, plan, subscription }: Story, second: string) {
  await card('card_ada', { charges: ['paid', second] });
  const made = await subscription({ start: today });
  return { subscription: made, plan: await plan({ amount: '3.00', unit: 'week' }) };
}

const cases: readonly {
  readonly of: string;
  readonly update: (story: Story) => Promise<object>;
  readonly state: string;
  readonly said: string;
  readonly next: readonly string[];
}[] = [
  {
    of: 'a move to another plan whose first payment is paid',
    update: (story) => moving(story, 'paid'),
    state: 'ACTIVE',
    said: 'The subscription is changed, and active.',
    next: [
      'list_subscription_payments',
      'skip_subscription_payments',
      'update_subscription',
      'suspend_subscription',
      'cancel_subscription',
    ],
  },
  {
    of: 'a move to another plan whose first payment is declined',
    update: (story) => moving(story, 'declined'),
    state: 'DELINQUENT',
    said: 'The subscription is changed. A payment was declined and is being retried: have the customer see to the card.',
    next: ['list_subscription_payments', 'cancel_subscription'],
  },
  {
    of: 'a move to another plan whose first payment is declined for good',
    update: (story) => moving(story, 'doNotRetry'),
    state: 'SUSPENDED',
    said: 'The subscription is changed, and suspended: nothing is charged. The customer needs another card before it is reactivated.',
    next: ['list_subscription_payments', 'reactivate_subscription', 'cancel_subscription'],
  },
  {
    of: 'no more payments than were made',
    update: async ({ subscription }) => ({
      subscription: await subscription({ start: today, payments: 5 }),
      payments: 1,
    }),
    state: 'COMPLETED',
    said: 'The subscription is changed, and completed: all its payments were made.',
    next: ['list_subscription_payments'],
  },
  {
    of: 'a start that is moved to this morning',
    update: async ({ subscription }) => ({ subscription: await subscription(), start: '2027-01-15T08:00:00Z' }),
    state: 'ACTIVE',
    said: 'The subscription is changed, and active.',
    next: [
      'list_subscription_payments',
      'skip_subscription_payments',
      'update_subscription',
      'suspend_subscription',
      'cancel_subscription',
    ],
  },
  {
    of: 'a start that is moved to tomorrow',
    update: async ({ subscription }) => ({ subscription: await subscription(), start: '2027-01-16T08:00:00Z' }),
    state: 'PENDING',
    said: 'The subscription is changed. Its first payment is still to come.',
    next: ['list_subscription_payments', 'skip_subscription_payments', 'update_subscription', 'cancel_subscription'],
  },
];

it.each(cases)('$of: $state', async ({ update, state, said, next }) => {
  const story = await billing();
  const { answer } = await story.agent.call('update_subscription', await update(story));
  expect(answer).toMatchObject({ outcome: 'done', said, data: { state }, next });
  expect(await story.state(answer.data.subscription)).toBe(state);
});
