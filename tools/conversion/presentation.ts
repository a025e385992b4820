import { z } from 'zod';
import { spokenSum } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { Both } from '../../src/domains/conversion/facts.ts';
import type { Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { handleShown, momentShown, ownWords, rateShown, stateShown } from '../../src/engine/shown.ts';
import { sumOf, sumShown } from '../sums.ts';
import { meanings, reasonOf } from './reasons.ts';

// What agents and people read about offers and payments.

export const inLocalCurrency = 'The order goes on in the local currency: authorize_payment with the price.';

export const offerOutput = once(() =>
  z.looseObject({
    offer: handleShown,
    state: stateShown,
    local: sumShown(),
    billing: sumShown().optional(),
    rate: rateShown.optional(),
    per: ownWords.optional(),
    markup_percent: rateShown.optional(),
    source: z.string().optional(),
    expires: momentShown.optional(),
    disclaimer: z.string().optional(),
    reason: ownWords.optional(),
    meaning: ownWords.optional(),
  }),
);

/** An offer as the agent sees it, in a state. */
export function showOffer({ offer }: Things, state = offer?.state) {
  if (offer === undefined) return {};
  const { body } = offer;
  const reason = body.reason === '' ? undefined : reasonOf(body.reason);
  return {
    offer: offer.handle,
    state,
    local: sumOf(body.localAmount, body.localCurrency),
    ...(body.billingAmount === undefined || body.billingCurrency === undefined
      ? {}
      : { billing: sumOf(body.billingAmount, body.billingCurrency) }),
    ...(body.exchangeRate === undefined ? {} : { rate: body.exchangeRate, per: rateSentence(body) }),
    ...(body.markup === undefined ? {} : { markup_percent: body.markup }),
    ...(body.rateSource === undefined ? {} : { source: untrusted(body.rateSource) }),
    ...(body.expires === undefined ? {} : { expires: momentText(body.expires) }),
    ...(body.disclaimer === undefined ? {} : { disclaimer: untrusted(body.disclaimer) }),
    ...(reason === undefined ? {} : { reason, meaning: meanings[reason] }),
  };
}

interface Rated {
  readonly exchangeRate?: string | undefined;
  readonly inverted?: boolean | undefined;
  readonly localCurrency: string;
  readonly billingCurrency?: string | undefined;
}

/** "1 USD = 1.57 AUD". */
export const rateSentence = ({ exchangeRate = '', inverted, localCurrency, billingCurrency = '' }: Rated): string =>
  inverted === true
    ? `1 ${billingCurrency} = ${exchangeRate} ${localCurrency}`
    : `1 ${localCurrency} = ${exchangeRate} ${billingCurrency}`;

/** The lines of a person's approval that tell both prices, the rate and the markup. */
export function conversionLines({ offer }: Things): readonly string[] {
  if (offer === undefined) return [];
  const { body } = offer;
  return [
    `In the shop's currency: ${spokenSum(body.localAmount, body.localCurrency)}`,
    `In the card's currency: ${spokenSum(body.billingAmount, body.billingCurrency)}`,
    `Rate: ${rateSentence(body)}`,
    `Markup: ${body.markup} %`,
    ...(body.rateSource === undefined ? [] : [`Source of the rate: ${quoted(body.rateSource)}`]),
    ...(body.expires === undefined ? [] : [`Valid until: ${momentText(body.expires)}`]),
  ];
}

/** Whom and what a payment is about. */
export const paymentLines = ({ card, shopper }: Things): readonly string[] => [
  `Card ending: ${card?.body.lastFour ?? 'unknown'}`,
  `Customer: ${quoted(shopper?.body.displayName ?? 'unknown')}`,
];

export const paymentOutput = once(() =>
  z.looseObject({
    charge: handleShown,
    state: stateShown,
    status: stateShown,
    reference: z.string(),
    local: sumShown(),
    billing: sumShown(),
    captured: sumShown(),
    card: handleShown,
    offer: handleShown.optional(),
  }),
);

export const showPayment = ({ charge }: Things) => {
  if (charge === undefined) return {};
  const { body } = charge;
  return {
    charge: charge.handle,
    state: charge.state,
    status: body.status,
    reference: body.reference,
    ...inBoth(body, body),
    captured: sumOf(body.capturedLocal, body.localCurrency),
    card: body.card,
    ...(body.offer === '' ? {} : { offer: body.offer }),
  };
};

/** An amount in both currencies. */
const inBoth = (both: Both, of: { readonly localCurrency: string; readonly billingCurrency: string }) => ({
  local: sumOf(both.localAmount, of.localCurrency),
  billing: sumOf(both.billingAmount, of.billingCurrency),
});

export const captureOutput = once(() =>
  z.looseObject({
    capture: handleShown,
    charge: handleShown,
    state: stateShown,
    local: sumShown(),
    billing: sumShown(),
    refunded: sumShown(),
  }),
);

export const showCapture = ({ charge, capture }: Things) =>
  charge === undefined || capture === undefined
    ? {}
    : {
        capture: capture.handle,
        charge: charge.handle,
        state: capture.state,
        ...inBoth(capture.body, charge.body),
        refunded: sumOf(capture.body.refundedLocal, charge.body.localCurrency),
      };

export const refundOutput = once(() =>
  z.looseObject({
    refund: handleShown,
    capture: handleShown,
    state: stateShown,
    local: sumShown(),
    billing: sumShown(),
  }),
);

export const showRefund = ({ charge, capture, refund }: Things) =>
  charge === undefined || capture === undefined || refund === undefined
    ? {}
    : {
        refund: refund.handle,
        capture: capture.handle,
        state: refund.state,
        ...inBoth(refund.body, charge.body),
      };
