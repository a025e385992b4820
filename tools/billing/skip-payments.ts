import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { handleShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { refreshPayments } from './list-payments.ts';
import { refreshSubscription } from './read-subscriptions.ts';
import { theSubscriptionArg } from './subscription.ts';

export const skipSubscriptionPayments: ToolSpec<'skipSubscriptionPayments'> = {
  description: 'Set which coming cycles are skipped; others are charged. Not within two hours of a payment.',
  input: {
    args: () => ({
      subscription: theSubscriptionArg,
      cycles: {
        schema: z.array(z.int().positive()).max(limits.arrayElements).describe('All to skip; [] restores every one.'),
        fills: [{ path: 'billingCyclesToSkip[]', value: (given) => given }],
        rule: 'SB-14',
      },
    }),
  },
  refresh: [...refreshSubscription, ...refreshPayments],
  policy: {
    lockKey: ({ things }) => things.subscription?.handle ?? '',
  },
  observe: {
    contradicts: ({ args }, { body }) =>
      isSameSet(args.cycles, body.billingCyclesToSkip) ? undefined : 'billingCyclesToSkip',
    observations: (_, { body }) => [{ kind: 'subscription', body: { skipped: body.billingCyclesToSkip } }],
  },
  present: {
    messages: { done: 'These cycles are skipped; all others are charged.' },
    next: { '': { tools: ['list_subscription_payments'], because: 'The list shows which cycles are skipped now.' } },
    outputSchema: () => z.looseObject({ subscription: handleShown, skipped: z.array(z.number()) }),
    toOutput: ({ subscription }, _, { body }) => ({
      subscription: subscription?.handle,
      skipped: body.billingCyclesToSkip,
    }),
  },
};

/** Whether both are the same cycles, in whatever order. */
function isSameSet(asked: unknown, told: readonly number[]): boolean {
  const [one, other] = [new Set(asked as readonly number[]), new Set(told)]; // by the tool's schema
  return one.size === other.size && told.every((cycle) => one.has(cycle));
}
