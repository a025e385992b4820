import type { Facts } from '../facts.ts';

// What a payment costs, in the shop's currency.

export interface Price {
  readonly amount: string;
  readonly currency: string;
}

/** The price in the arguments of a call that has one. */
export const priceIn = ({ args }: Pick<Facts, 'args'>): Price => args.price as Price; // by the tool's shape

/** The price of a payment: its offer's, or the one that the call names. */
export const priceOf = (facts: Pick<Facts, 'args' | 'things'>): Price => {
  const { offer } = facts.things;
  return offer === undefined ? priceIn(facts) : { amount: offer.body.localAmount, currency: offer.body.localCurrency };
};
