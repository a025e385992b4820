import { z } from 'zod';
import type { SandboxDomain } from '../../../sandbox/domain.ts';
import { billing as contract } from '../contract.ts';
import { settleSubscription } from './clock.ts';
import { earlierPayments } from './customers.ts';
import { chargeOutcomes } from './documents.ts';
import { plans } from './plans.ts';
import { subscriptions } from './subscriptions.ts';

/** The most outcomes of charges that a fixture lists. Own choice. */
const mostCharges = 10_000;

/** How the sandbox simulates recurring billing. */
export const billing: SandboxDomain<typeof contract> = {
  contract,
  handlers: { ...plans, ...subscriptions },
  settlers: { subscription: settleSubscription },
  cards: {
    fields: {
      network: z.string().min(1).max(255).optional(),
      charges: z.array(z.enum(chargeOutcomes)).min(1).max(mostCharges).optional(),
      verifies: z.boolean().optional(),
    },
    seeded: {
      card_ada: { charges: ['paid'] },
      card_bo: { charges: ['declined', 'paid'] },
      card_cleo: { charges: ['paid', 'declined'] },
      card_cleo_declines: { charges: ['declined'] },
      card_dan: { charges: ['paid', 'doNotRetry'], network: 'DISCOVER' },
    },
  },
  seed(world) {
    for (const payment of earlierPayments) world.put('transaction', payment);
  },
};
