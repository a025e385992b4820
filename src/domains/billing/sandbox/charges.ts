import type { World } from '../../../sandbox/world.ts';
import type { ChargeOutcome, SubscriptionDocument } from './documents.ts';

/** Endings of a billing amount that decide what becomes of a charge, whatever the card. */
export const chargeEndings: { readonly [ending: string]: ChargeOutcome } = {
  '.51': 'declined',
  '.52': 'doNotRetry',
};

/**
 * What becomes of the next attempt to charge a subscription: by the ending of its amount, or else by its card, whose
 * `charges` are taken one after the other, the last for all that follow. A card that nothing is said of pays.
 */
export function chargeOf(world: World, { terms, cardId, attempts }: SubscriptionDocument): ChargeOutcome {
  const charges = world.get('cardFixture', cardId)?.charges ?? [];
  return chargeEndings[terms.amount.slice(-3)] ?? charges[attempts] ?? charges.at(-1) ?? 'paid';
}

/** Whether a zero-amount authorization of a card succeeds. */
export const verifies = (world: World, cardId: string): boolean => world.get('cardFixture', cardId)?.verifies ?? true;
