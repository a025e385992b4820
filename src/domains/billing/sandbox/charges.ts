import type { World } from '../../../sandbox/world.ts';
import type { ChargeOutcome, SubscriptionDocument } from './documents.ts';

/** Endings of a billing amount that decide the outcome of a charge, whatever the card. */
export const chargeEndings: { readonly [ending: string]: ChargeOutcome } = {
  '.51': 'declined',
  '.52': 'doNotRetry',
};

/**
 * The outcome of the next attempt to charge a subscription: by the ending of its amount, or else by its card's `charges`,
 * in order; the last applies to all that follow. A card without `charges` pays.
 */
export function chargeOf(world: World, { terms, cardId, attempts }: SubscriptionDocument): ChargeOutcome {
  const charges = world.get('cardFixture', cardId)?.charges ?? [];
  return chargeEndings[terms.amount.slice(-3)] ?? charges[attempts] ?? charges.at(-1) ?? 'paid';
}

/** Whether a zero-amount authorization of a card succeeds. */
export const verifies = (world: World, cardId: string): boolean => world.get('cardFixture', cardId)?.verifies ?? true;
