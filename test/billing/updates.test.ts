import { expect, it } from 'vitest';
import { updateSubscription } from '../../tools/billing/update-subscription.ts';
import { billing, type Story } from './story.ts';

// The state that an update reaches at once decides the message and the next actions.

const today = '2027-01-15T09:00:00Z';

/** One that was charged today, and the plan that it is to move to, which charges at once. */
async function moving({ card, plan, subscription }: Story, second: string) {
  await card('card_ada', { charges: ['paid', second] });
  const made = await subscription({ start: today });
  return { subscription: made, plan: await plan({ amount: '3.00', unit: 'week' }) };
}

const going = [
  'list_subscription_payments',
  'skip_subscription_payments',
  'update_subscription',
  'suspend_subscription',
  'cancel_subscription',
];

const cases: readonly {
  readonly of: string;
  readonly update: (story: Story) => Promise<object>;
  readonly state: string;
  readonly next: readonly string[];
}[] = [
  {
    of: 'a move to another plan whose first payment is paid',
    update: (story) => moving(story, 'paid'),
    state: 'ACTIVE',
    next: going,
  },
  {
    of: 'a move to another plan whose first payment is declined',
    update: (story) => moving(story, 'declined'),
    state: 'DELINQUENT',
    next: ['list_subscription_payments', 'cancel_subscription'],
  },
  {
    of: 'a move to another plan whose first payment is declined for good',
    update: (story) => moving(story, 'doNotRetry'),
    state: 'SUSPENDED',
    next: ['list_subscription_payments', 'reactivate_subscription', 'cancel_subscription'],
  },
  {
    of: 'no more payments than were made',
    update: async ({ subscription }) => ({
      subscription: await subscription({ start: today, payments: 5 }),
      payments: 1,
    }),
    state: 'COMPLETED',
    next: ['list_subscription_payments'],
  },
  {
    of: 'a start that is moved to this morning',
    update: async ({ subscription }) => ({ subscription: await subscription(), start: '2027-01-15T08:00:00Z' }),
    state: 'ACTIVE',
    next: going,
  },
  {
    of: 'a start that is moved to tomorrow',
    update: async ({ subscription }) => ({ subscription: await subscription(), start: '2027-01-16T08:00:00Z' }),
    state: 'PENDING',
    next: ['list_subscription_payments', 'skip_subscription_payments', 'update_subscription', 'cancel_subscription'],
  },
];

it('a reactivation whose first payment is declined for good leaves everything as missed', async () => {
  const story = await billing();
  const subscription = await story.subscription({ start: today });
  await story.does('suspend_subscription', { subscription });
  await story.at('2027-03-20T00:00:00Z');
  await story.card('card_ada', { charges: ['doNotRetry'] });
  const answered = await story.does('reactivate_subscription', { subscription, collect_missed: true });
  const missed = { payments: 2, amount: '15.00' };
  expect(answered).toMatchObject({ state: 'SUSPENDED', missed });
  expect(await story.does('get_subscription', { subscription })).toMatchObject({ state: 'SUSPENDED', missed });
});

const { messages } = updateSubscription.present;

it.each(cases)('$of: $state', async ({ update, state, next }) => {
  const said = messages[state];
  expect(said).toBeDefined();
  const story = await billing();
  const { answer } = await story.agent.call('update_subscription', await update(story));
  expect(answer).toMatchObject({ outcome: 'done', said, data: { state }, next });
  expect(await story.state(answer.data.subscription)).toBe(state);
});
