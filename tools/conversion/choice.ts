import { z } from 'zod';
import { currency } from '../../src/core/fields.ts';
import { spokenSum } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { isSameRate } from '../../src/domains/conversion/amounts.ts';
import { isExpired, isOpted } from '../../src/domains/conversion/guards.ts';
import { isWithdrawn, offer as machine } from '../../src/domains/conversion/machines.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { kindTable } from '../../src/domains/index.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import type { CustomerPage } from '../../src/engine/customer-page.ts';
import { possibleIn } from '../../src/engine/next.ts';
import { iso } from '../../src/engine/render.ts';
import { type LocalTool, localTool, platformTools } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { type Answered, termsIn } from './offers.ts';
import {
  conversionLines,
  inLocalCurrency,
  offerOutput,
  paymentLines,
  rateSentence,
  showOffer,
} from './presentation.ts';

// The tools for the customer's choice of a currency: to record it, and to look whether it was made.

/** The offer of a call, as its machine reads it. */
const offerEntity = (things: Things, now: number, answer: Answered | undefined, args: Facts['args']) => ({
  state: things.offer?.state ?? 'none',
  eligible: things.offer?.body.reason === '',
  expired: isExpired(things, now),
  opted: isOpted(things, args),
  withdrawn: answer !== undefined && !isStillOffered(things, now, answer),
});

/** Whether the platform, asked again, offers what the customer was shown (DC-04). What its answer leaves out contradicts nothing. */
function isStillOffered({ offer }: Things, now: number, answer: Answered): boolean {
  if (offer === undefined) return false;
  const { localAmount, localCurrency, ...shown } = offer.body;
  const { reason, expires, ...told } = termsIn(
    answer,
    { amount: localAmount, currency: localCurrency },
    shown.inverted,
  );
  const isSame = (one: string | undefined, other: string | undefined) =>
    one === undefined || other === undefined || isSameRate(one, other);
  return (
    reason === '' &&
    (expires === undefined || platformTime(expires) > now) &&
    told.billingCurrency === shown.billingCurrency &&
    told.billingAmount === shown.billingAmount &&
    told.inverted === shown.inverted &&
    isSame(told.exchangeRate, shown.exchangeRate) &&
    isSame(told.markup, shown.markup)
  );
}

const withdrawn = 'The platform no longer offers what the customer was shown.';

/** What a yes and a no mean, and what the customer must read. */
function choiceLines({ offer }: Things): readonly string[] {
  if (offer === undefined) return [];
  const { billingAmount, billingCurrency, localAmount, localCurrency, disclaimer } = offer.body;
  return [
    `Yes: charged ${spokenSum(billingAmount, billingCurrency)}`,
    `No: charged ${spokenSum(localAmount, localCurrency)}`,
    ...(disclaimer === undefined ? [] : [`Notice: ${quoted(disclaimer)}`]),
  ];
}

/** The page on which the customer chooses. It shows everything before it takes anything, and prefers neither currency. */
const choicePage: CustomerPage = {
  title: 'In which currency do you want to pay?',
  text: ({ things: { offer }, merchant }) => [
    `${merchant.name} can charge your card in its own currency. You choose; without a choice you pay in the shop's currency.`,
    ...(offer?.body.disclaimer === undefined
      ? []
      : [`If you pay in ${offer.body.billingCurrency}, you agree to this: ${quoted(offer.body.disclaimer)}`]),
  ],
  table: ({ things: { offer } }) => {
    if (offer === undefined) return [];
    const { localAmount, localCurrency, billingAmount, billingCurrency, markup, rateSource, expires } = offer.body;
    return [
      ["In the shop's currency", spokenSum(localAmount, localCurrency)],
      ["In your card's currency", spokenSum(billingAmount, billingCurrency)],
      ['Exchange rate', rateSentence(offer.body)],
      ['Markup in this rate', `${markup} %`],
      ...(rateSource === undefined ? [] : [['Source of the rate', quoted(rateSource)] as const]),
      ...(expires === undefined ? [] : [['Valid until', timeText(expires)] as const]),
    ];
  },
  fields: [],
  submit: {
    argument: 'currency',
    options: ({ things: { offer } }) =>
      offer === undefined
        ? []
        : [
            [offer.body.localAmount, offer.body.localCurrency],
            [offer.body.billingAmount, offer.body.billingCurrency],
          ].map(([amount, code = '']) => ({ value: code, label: `Pay ${spokenSum(amount, code)}` })),
  },
  messages: {
    done: 'Thank you. Your choice is recorded.',
    declined: "The shop couldn't record your choice. Nothing is charged. Go back to the shop.",
    reached: { WITHDRAWN: 'This price is no longer offered. Nothing is charged. Go back to the shop.' },
  },
};

const inEnglish = once(
  () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }),
);

/** A time for a customer; text that is no time is not shown. */
const timeText = (text: string): string => {
  const at = platformTime(text);
  return Number.isNaN(at) ? '' : `${inEnglish().format(at)} UTC`;
};

export const choice = platformTools({
  chooseCurrency: {
    description:
      "Record the currency that the customer chose after reading both prices. A person confirms the card's currency; a no means the local one.",
    input: {
      args: () => ({
        offer: handle('offer', 'Offer from offer_conversion.'),
        currency: { schema: currency.describe('The one that the customer chose, such as AUD.'), fills: [] },
      }),
    },
    policy: {
      lockKey: ({ things }) => things.offer?.handle ?? '',
      approval: {
        // The local currency is what everybody pays who has not chosen.
        needed: ({ args, things }) => isOpted(things, args),
        givenBy: ['customer', 'app'],
        denied: {
          as: ({ args, things }) => ({ ...args, currency: things.offer?.body.localCurrency }),
          ...{ said: `The customer keeps the local currency. ${inLocalCurrency}`, next: ['authorize_payment'] },
        },
        title: () => "Pay in the card's currency?",
        text: ({ things }) => [...choiceLines(things), ...conversionLines(things), ...paymentLines(things)],
      },
    },
    observe: {
      moves: { kind: 'offer', entity: offerEntity },
      // The terms that the customer read stay as they are: the authorization carries them.
      observations: ({ now }, _, { state }) => [
        { kind: 'offer', body: isWithdrawn(state) ? {} : { chosenAt: iso(now) } },
      ],
    },
    present: {
      messages: {
        CHOSEN: "The choice is recorded: the card's currency. Authorize the payment with this offer before it expires.",
        LOCAL_CURRENCY: `The choice is recorded. ${inLocalCurrency}`,
        WITHDRAWN: `${withdrawn} No choice is recorded. Ask for a new offer, or: ${inLocalCurrency}`,
      },
      next: {
        WITHDRAWN: { tools: ['offer_conversion', 'authorize_payment'], because: 'A new offer shows what counts now.' },
        CHOSEN: { tools: ['authorize_payment'], because: 'The rate is valid for a short time.' },
        LOCAL_CURRENCY: { tools: ['authorize_payment'], because: 'The price is paid as it was named.' },
      },
      outputSchema: offerOutput,
      shows: (things) => showOffer(things),
    },
    page: choicePage,
  },
});

/** One offer, from the ledger. */
export const offerLookups: readonly LocalTool[] = [
  localTool('get_conversion_offer', {
    title: 'Look at a conversion offer',
    description: 'Look at an offer: prices, rate, markup, expiry, and whether the customer has chosen.',
    inputSchema: () => z.strictObject({ offer: z.string().max(64).describe('Handle of the offer.') }),
    foundBy: { offer: kindTable.offer.foundBy },
    outputSchema: offerOutput,
    run: async ({ offer }, context) => {
      const things = await context.resolve('offer', offer);
      const entity = offerEntity(things, context.now, undefined, {});
      const state = machine.settle(entity);
      const { said, next } = looks[state] ?? looks.PENDING;
      return {
        said,
        data: showOffer(things, state) as z.output<ReturnType<typeof offerOutput>>, // a resolved handle has its offer
        next: possibleIn('offer', machine.on('choose').machine, { ...entity, state }, next),
      };
    },
  }),
];

const looks: { readonly PENDING: Look; readonly [state: string]: Look | undefined } = {
  PENDING: { said: 'The customer has not chosen yet.', next: ['choose_currency', 'authorize_payment'] },
  CHOSEN: { said: "The customer chose the card's currency.", next: ['authorize_payment'] },
  LOCAL_CURRENCY: { said: `The customer chose the local currency. ${inLocalCurrency}`, next: ['authorize_payment'] },
  INELIGIBLE: { said: `There is no conversion. ${inLocalCurrency}`, next: ['authorize_payment'] },
  EXPIRED: {
    said: `The rate has expired. Ask for a new offer, or: ${inLocalCurrency}`,
    next: ['offer_conversion', 'authorize_payment'],
  },
  WITHDRAWN: {
    said: `${withdrawn} Ask for a new offer, or: ${inLocalCurrency}`,
    next: ['offer_conversion', 'authorize_payment'],
  },
  USED: { said: 'A payment carries this rate.', next: ['list_payments'] },
};

interface Look {
  readonly said: string;
  readonly next: readonly string[];
}
