import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { Things } from '../../src/domains/facts.ts';
import { monthText } from '../../src/engine/render.ts';
import {
  amountShown,
  currencyShown,
  digitsShown,
  handleShown,
  momentShown,
  monthShown,
  stateShown,
} from '../../src/engine/shown.ts';

export const cardShown = once(() =>
  z.looseObject({
    card: handleShown,
    last_four: digitsShown,
    expires: monthShown,
    state: stateShown,
  }),
);
export const showCard = ({ card }: Things) => ({
  card: card?.handle,
  last_four: card?.body.lastFour,
  expires: card && monthText(card.body.expires),
  state: card?.state,
});

export const purchaseShown = once(() =>
  z.looseObject({
    instruction: handleShown,
    state: stateShown,
    reference: z.string(),
    limit: z.looseObject({ amount: amountShown, currency: currencyShown }),
    until: momentShown,
    card: handleShown,
  }),
);
export const showPurchase = ({ instruction, card }: Things) => ({
  instruction: instruction?.handle,
  state: instruction?.state,
  reference: instruction?.body.reference,
  limit: instruction && {
    amount: inDecimals(instruction.body.limit, instruction.body.currency),
    currency: instruction.body.currency,
  },
  until: instruction && isoOf(instruction.body.until),
  card: card?.handle,
});

const isoOf = (epoch: string): string => new Date(Number(epoch) * 1_000).toISOString();
