import { decimal, money } from '../../src/core/money.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { answered, convert, isAbout, isZero, neighbours, rateText } from '../../src/domains/conversion/amounts.ts';
import { offer as machine } from '../../src/domains/conversion/machines.ts';
import { type Price, priceIn } from '../../src/domains/conversion/price.ts';
import { platformTools } from '../../src/engine/tool.ts';
import { field, handle, labelled, optional, reference, sum } from '../../src/engine/tool-arguments.ts';
import { inLocalCurrency, offerOutput, showOffer } from './presentation.ts';
import { reasonOf } from './reasons.ts';

// The tool for rate offers.

const amounts = 'orderInformation.amountDetails';

export interface Answered {
  readonly body: {
    readonly id: string;
    readonly status: string;
    readonly errorInformation?: { readonly reason?: string | undefined } | undefined;
    readonly orderInformation?:
      | {
          readonly currencyConversion?:
            | {
                readonly reconciliationId: string;
                readonly disclaimer?: string | undefined;
                readonly offer?: readonly Offered[] | undefined;
              }
            | undefined;
        }
      | undefined;
  };
}

interface Offered {
  readonly originalAmount?: string | undefined;
  readonly originalCurrency?: string | undefined;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly exchangeRate?: string | undefined;
  readonly exchangeRateInverted?: boolean | undefined;
  readonly marginRate?: string | undefined;
  readonly rateSource?: string | undefined;
  readonly exchangeRateTimeUtc?: string | undefined;
  readonly exchangeRateExpirationTimeUtc?: string | undefined;
}

/** The platform offers one rate; the first counts where it lists more. What isn't an offer for this price counts as none. */
function offeredIn({ body }: Answered, price: Price, inverted = false): Offered | undefined {
  const offered = body.status === 'PENDING' ? body.orderInformation?.currencyConversion?.offer?.[0] : undefined;
  return offered !== undefined && isFor(offered, price, inverted) ? offered : undefined;
}

function isFor(offered: Offered, price: Price, known: boolean): boolean {
  const { originalAmount, originalCurrency, amount, currency, exchangeRate } = offered;
  const isPrice = isAbout(money(price.amount, price.currency), {
    amount: originalAmount,
    currency: originalCurrency,
  });
  const billing = answered(amount ?? '', currency ?? '');
  if (!isPrice || billing === undefined || billing.minor <= 0n || currency === price.currency) return false;
  if (exchangeRate === undefined || !rateText.test(exchangeRate)) return true; // which nobody can choose (DC-13)
  const { exchangeRateInverted: inverted = known } = offered;
  if (isZero(exchangeRate)) return false;
  const asked = money(price.amount, price.currency);
  const [one = 0n, other = 0n] = neighbours(exchangeRate).map(
    (rate) => convert(asked, billing.currency, { exchangeRate: rate, inverted }).minor,
  );
  const [least, most] = one < other ? [one, other] : [other, one];
  return least - minorUnitsApart <= billing.minor && billing.minor <= most + minorUnitsApart;
}

/** How far a platform's rounding may take an amount from its price at the rate, in minor units. Own reading. */
const minorUnitsApart = 2n;

/** What an answer says of an offer. `inverted`: what an earlier one said of its rate, where this one doesn't. */
export function termsIn(answer: Answered, price: Price, inverted = false) {
  const offered = offeredIn(answer, price, inverted);
  const billing = answered(offered?.amount ?? '', offered?.currency ?? '');
  const conversion = answer.body.orderInformation?.currencyConversion;
  return {
    offerId: answer.body.id,
    reconciliationId: conversion?.reconciliationId,
    reason: offered === undefined ? reasonOf(answer.body.errorInformation?.reason) : '',
    billingAmount: billing && decimal(billing),
    billingCurrency: offered?.currency,
    exchangeRate: offered?.exchangeRate,
    inverted: offered?.exchangeRateInverted ?? inverted,
    markup: rateText.test(offered?.marginRate ?? '') ? offered?.marginRate : undefined,
    rateTime: offered?.exchangeRateTimeUtc,
    expires: offered?.exchangeRateExpirationTimeUtc,
    rateSource: offered?.rateSource,
    disclaimer: conversion?.disclaimer,
  };
}

/** A time in milliseconds; undefined for text that is no time. */
const timeOf = (text: unknown): number | undefined => {
  const at = platformTime(String(text));
  return Number.isNaN(at) ? undefined : at;
};

export const offers = platformTools({
  offerConversion: {
    description:
      "Ask whether a purchase can be paid in the card's own currency. Gives both prices, rate and markup to show the customer. Nothing is charged.",
    input: {
      args: () => ({
        card: handle('card', 'Card handle from list_cards.'),
        reference: labelled('Order', reference("Merchant's order number.")),
        price: sum(`${amounts}.originalAmount`, `${amounts}.originalCurrency`, "In the shop's currency."),
        type: optional(field('offerConversion')('orderInformation.currencyConversion.type', 'Only DCC.')),
      }),
      reference: ({ args }) => String(args.reference),
      // An agent's shop is no terminal: e-commerce counts as keyed.
      computes: () => ({ 'pointOfSaleInformation.entryMode': 'KEYED' }),
    },
    observe: {
      moves: {
        kind: 'offer',
        entity: (_, __, answer, args) => ({
          state: 'none',
          eligible: answer !== undefined && offeredIn(answer, priceIn({ args })) !== undefined,
          ...{ expired: false, opted: false },
        }),
      },
      // A rate may have expired on its way.
      stateFromResponse: (answer, args, _, now) => {
        const offered = offeredIn(answer, priceIn({ args }));
        const ends = timeOf(offered?.exchangeRateExpirationTimeUtc);
        const it = { eligible: offered !== undefined, expired: ends !== undefined && ends <= now };
        const of = (state: string) => ({ ...it, state, opted: false });
        const move = machine.move(of('none'), 'offer');
        return move.ok ? machine.settle(of(move.to)) : '';
      },
      observations: ({ args, things, reference: code }, answer, { mint }) => {
        const price = priceIn({ args });
        return [
          {
            kind: 'offer',
            handle: mint('offer'),
            body: {
              ...termsIn(answer, price),
              ...{ reference: code, card: things.card?.handle ?? '' },
              ...{ localAmount: price.amount, localCurrency: price.currency },
            },
          },
        ];
      },
    },
    present: {
      messages: {
        PENDING:
          "The purchase can be paid in the card's currency. Show the customer both prices, the rate and the markup, then call choose_currency: a person answers it.",
        INELIGIBLE: `There is no conversion. ${inLocalCurrency}`,
        EXPIRED: `The rate had expired when it arrived. Ask for a new offer, or: ${inLocalCurrency}`,
      },
      next: {
        PENDING: {
          tools: ['choose_currency', 'authorize_payment'],
          because: 'The customer chooses; without a choice the local currency counts.',
        },
        EXPIRED: { tools: ['offer_conversion', 'authorize_payment'], because: 'Nobody can pay at this rate.' },
        INELIGIBLE: { tools: ['authorize_payment'], because: 'The rest of the conversion is skipped.' },
      },
      without: { tools: ['authorize_payment'], because: inLocalCurrency },
      outputSchema: offerOutput,
      shows: (things) => showOffer(things),
    },
    waits: {
      ...{ tool: 'choose_currency', argument: 'offer', thing: 'offer', states: ['PENDING'], linkedBy: 'app' },
      says: "The customer may also choose in the merchant's app, or on the page that it opens: get_conversion_offer then says so.",
      until: ({ body }) => timeOf(body.expires),
    },
  },
});
