import { isCurrency } from '../../core/currencies.ts';
import { money, moneyFault, spoken, spokenSum, within } from '../../core/money.ts';
import { platformTime } from '../../core/platform-time.ts';
import type { RuleId } from '../../core/rules.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import { allowsPayment } from '../purchase/facts.ts';
import { isWaiting, instruction as purchase } from '../purchase/machines.ts';
import { isPayment, mayBePayment } from '../purchase/shapes.ts';
import { type Balance, fits, isZero, left, part } from './amounts.ts';
import { amountOf, toCapture, toRefund } from './balances.ts';
import type { conversion } from './contract.ts';
import { isChosen, isIneligible, isKeptLocal, isUsed } from './machines.ts';
import { priceIn, priceOf } from './price.ts';
import { isProcessing } from './processing.ts';

const guard = guardOn<keyof typeof conversion>();

/** The guards of conversion and its payments. What a machine or a shape already states is not said again here. */
export const guards: readonly Guard[] = [
  guard('DC-12', {
    on: ['offerConversion', 'authorizePayment'],
    holds: (facts) => facts.args.price === undefined || (priceFault(facts) === null && !isZero(priceIn(facts).amount)),
    sees: (facts) =>
      priceFault(facts) ?? 'A price of zero can be neither converted nor paid. Give the price of the order.',
    field: 'price',
    instead: [],
  }),
  guard('DC-01', {
    on: ['offerConversion'],
    holds: ({ things }) => things.card?.body.bin !== undefined,
    sees: () =>
      "The merchant's app hasn't registered the first digits of this card, so no rate can be offered. Pay in the local currency.",
    field: 'card',
    instead: ['authorize_payment', 'list_cards'],
  }),
  guard('DC-03', {
    on: ['authorizePayment'],
    holds: ({ things: { offer } }) => offer === undefined || !isIneligible(offer.state),
    sees: ({ things }) =>
      `There is no conversion for this purchase (${things.offer?.body.reason}). Pay in the local currency.`,
    field: 'offer',
    instead: ['authorize_payment'],
  }),
  guard('DC-05', {
    on: ['authorizePayment'],
    holds: ({ things, now }) => !isExpired(things, now),
    sees: ({ things: { offer } }) =>
      `${Number.isNaN(platformTime(offer?.body.expires ?? '')) ? "The platform didn't say until when the rate is valid" : `The rate expired at ${offer?.body.expires}`}. Ask for a new offer, or pay in the local currency.`,
    field: 'offer',
    instead: ['offer_conversion', 'authorize_payment'],
  }),
  guard('DC-04', {
    on: ['chooseCurrency'],
    holds: ({ args, things: { offer } }) =>
      offer === undefined || [offer.body.localCurrency, offer.body.billingCurrency].includes(String(args.currency)),
    sees: ({ things: { offer } }) =>
      `The customer chooses between ${offer?.body.localCurrency} and ${offer?.body.billingCurrency}.`,
    field: 'currency',
    instead: ['get_conversion_offer'],
  }),
  guard('DC-13', {
    on: ['chooseCurrency'],
    holds: ({ args, things }) => !isOpted(things, args) || isComplete(things),
    sees: () =>
      "The platform left out a price, the rate or the markup, so the customer can't be shown it. Pay in the local currency.",
    field: 'offer',
    instead: ['authorize_payment'],
  }),
  guard('DC-04', {
    on: ['chooseCurrency'],
    holds: ({ args, things }) => !isChosen(things.offer?.state ?? '') || !isOpted(things, args),
    sees: () => "The customer has chosen the card's currency already. Authorize the payment with this offer.",
    field: 'offer',
    instead: ['authorize_payment'],
  }),
  ...unusable(),
  guard('DC-04', {
    on: ['authorizePayment'],
    holds: ({ things }) => things.offer === undefined || things.card?.handle === things.offer.body.card,
    sees: () => 'The offer is for another card. Pay with the card of the offer, or ask for an offer for this one.',
    field: 'card',
    instead: ['get_conversion_offer', 'offer_conversion'],
  }),
  guard('AP-08', {
    on: ['authorizePayment'],
    holds: ({ things }) => things.instruction === undefined || things.instruction.owner === things.card?.owner,
    sees: () => "The purchase belongs to another shopper than the card. Name one of this shopper's purchases, or none.",
    field: 'instruction',
    instead: ['get_purchase'],
  }),
  ...ofPurchase(),
  guard('EN-09', {
    on: ['authorizePayment'],
    holds: ({ args, things }) => args.price === undefined || things.card !== undefined,
    sees: () => "A payment in the local currency needs a card. Name one of the customer's cards.",
    field: 'card',
    instead: ['list_cards'],
  }),
  guard('DC-06', {
    on: ['authorizePayment'],
    holds: ({ things }) => things.offer === undefined || !Number.isNaN(platformTime(things.offer.body.rateTime ?? '')),
    sees: () => 'The platform left out the time of the rate, which a payment must carry. Pay in the local currency.',
    field: 'offer',
    instead: ['authorize_payment'],
  }),
  guard('DC-07', {
    on: ['authorizePayment'],
    holds: ({ things, merchant }) => things.offer === undefined || isProcessing(merchant.processing),
    sees: () =>
      "How the merchant's acquirer processes converted payments is not configured (`merchant.processing`), so their fields are not known. Pay in the local currency.",
    instead: ['authorize_payment'],
  }),
  // D-120: in the local currency, too.
  guard('DC-08', {
    on: ['authorizePayment'],
    holds: ({ args }) => args.capture !== true,
    sees: () => 'Authorization and capture are separate calls. Authorize without `capture`, then capture.',
    field: 'capture',
    instead: ['authorize_payment', 'capture_payment'],
  }),
  guard('DC-11', {
    on: ['capturePayment'],
    holds: ({ things: { charge } }) =>
      charge === undefined || !charge.body.converted || isZero(charge.body.capturedBilling),
    sees: () => 'A converted order is not split, and its one capture is made. The rest needs a payment of its own.',
    field: 'charge',
    instead: ['get_payment', 'authorize_payment'],
  }),
  ...(['capturePayment', 'refundCapture'] as const).map((name) =>
    guard('DC-12', {
      on: [name],
      holds: (facts) => amountFault(balances[name](facts.things), facts) === null,
      sees: (facts) => amountFault(balances[name](facts.things), facts) ?? '',
      field: 'amount',
      instead: [],
    }),
  ),
  ...bounds(),
];

/** What is paid for a purchase is within what was approved for it, as credentials are, and it is paid once. */
function ofPurchase(): readonly Guard[] {
  const cases: readonly (readonly [RuleId, holds: Of<boolean>, sees: Of<string>, field: string, instead: string])[] = [
    [
      'AP-11',
      ({ state }) => purchase.final[state] === undefined,
      ({ state }) => `The purchase is ${state}, which is final: it is paid.`,
      'instruction',
      'get_purchase',
    ],
    [
      'AP-08',
      (it, { now }) => allowsPayment(it, now) && !isWaiting(it.state),
      ({ state }) => `Only an open purchase is paid; this one is ${state}, or its end has passed.`,
      'instruction',
      'initiate_purchase',
    ],
    [
      'AP-09',
      ({ body }, facts) => {
        const { amount, currency } = priceOf(facts);
        if (moneyFault(amount, currency) !== null) return true; // which another guard says
        return currency === body.currency && within(money(amount, currency), money(body.limit, currency));
      },
      ({ body }, facts) =>
        `${priceOf(facts).amount} ${priceOf(facts).currency} is beyond what was approved for the purchase: at most ${spokenSum(body.limit, body.currency)}.`,
      'instruction',
      'update_purchase',
    ],
    [
      'AP-09',
      ({ body }, { things: { receipt } }) =>
        body.recurring === true || receipt === undefined || !mayBePayment(receipt.body),
      (_, { things: { receipt } }) =>
        `This purchase has a payment of ${spokenSum(receipt?.body.amount, receipt?.body.currency)} already${receipt === undefined || isPayment(receipt.body) ? '' : ', which is not decided yet'}. Reverse or refund that payment first, or name no purchase.`,
      'instruction',
      'get_purchase',
    ],
  ];
  return cases.map(([rule, holds, sees, field, tool]) =>
    guard(rule, {
      on: ['authorizePayment'],
      holds: (facts) => facts.things.instruction === undefined || holds(facts.things.instruction, facts),
      sees: (facts) => (facts.things.instruction === undefined ? '' : sees(facts.things.instruction, facts)),
      field,
      instead: [tool, 'authorize_payment'],
    }),
  );
}

type Of<R> = (purchase: NonNullable<Facts['things']['instruction']>, facts: Facts) => R;

/** DC-04: an offer carries a payment only where the customer chose it, and one alone. */
function unusable(): readonly Guard[] {
  const cases = [
    [isUsed, 'Another payment carries this rate. Ask for a new offer', 'offer_conversion'],
    [isKeptLocal, 'The customer chose the local currency. Ask for a new offer', 'offer_conversion'],
    [
      (state: string) => !isChosen(state),
      "The customer hasn't chosen the card's currency for this offer. Have the customer choose",
      'choose_currency',
    ],
  ] as const;
  return cases.map(([isBarred, because, tool]) =>
    guard('DC-04', {
      on: ['authorizePayment'],
      holds: ({ things: { offer } }) => offer === undefined || !isBarred(offer.state),
      sees: () => `${because}, or pay in the local currency.`,
      field: 'offer',
      instead: [tool, 'authorize_payment'],
    }),
  );
}

/** What a call takes from. */
const balances = { capturePayment: toCapture, refundCapture: toRefund } as const;

/** DC-09 and DC-10: no more than is left, and all that is left only where there is something. */
function bounds(): readonly Guard[] {
  const rules = [
    ['DC-09', 'capturePayment', toCapture, 'authorized and not captured', 'get_payment'],
    ['DC-10', 'refundCapture', toRefund, 'captured and not refunded', 'get_capture'],
  ] as const;
  return rules.map(([rule, name, balanceOf, what, looker]) =>
    guard(rule, {
      on: [name],
      holds: (facts) => {
        const balance = balanceOf(facts.things);
        if (balance === undefined || amountFault(balance, facts) !== null) return true;
        return left(balance).local.minor > 0n && fits(balance, amountOf(facts));
      },
      sees: ({ things }) => {
        const balance = balanceOf(things);
        const rest = balance && left(balance).local;
        return rest === undefined || rest.minor === 0n
          ? `Nothing is ${what}.`
          : `Only ${spoken(rest)} is ${what}. Name no more than that.`;
      },
      field: 'amount',
      instead: [looker],
    }),
  );
}

/** Why a part can't be taken, whatever is left: its decimals, or that it comes to nothing. */
function amountFault(balance: Balance | undefined, facts: Facts): string | null {
  if (balance === undefined) return null;
  const given = amountOf(facts);
  const fault = given === undefined ? null : moneyFault(given, balance.localCurrency);
  if (fault !== null) return fault;
  const { local, billing } = part(balance, given);
  if (local.minor === 0n && given === undefined) return null; // nothing is left, which the next guard says
  const isAllThatIsLeft = local.minor === left(balance).local.minor;
  return local.minor === 0n || billing.minor === 0n
    ? `${spoken(local)} comes to nothing in ${billing.currency}. ${isAllThatIsLeft ? 'Nothing more can be taken.' : 'Name a larger amount.'}`
    : null;
}

const priceFault = (facts: Facts): string | null => moneyFault(priceIn(facts).amount, priceIn(facts).currency);

/** Whether a call names the currency of the card. */
export const isOpted = ({ offer }: Facts['things'], args: Facts['args']): boolean =>
  offer?.body.billingCurrency !== undefined && args.currency === offer.body.billingCurrency;

/** Whether the rate of an offer has expired. An offer without an end is not known to be valid, so it counts as expired. */
export function isExpired({ offer }: Facts['things'], now: number): boolean {
  if (offer === undefined || offer.body.reason !== '') return false;
  return !(platformTime(offer.body.expires ?? '') > now);
}

/** Whether an offer has all that the customer must see, and that a receipt shows. */
function isComplete({ offer }: Facts['things']): boolean {
  const { billingAmount, billingCurrency = '', exchangeRate, markup } = offer?.body ?? {};
  return (
    billingAmount !== undefined && isCurrency(billingCurrency) && exchangeRate !== undefined && markup !== undefined
  );
}
