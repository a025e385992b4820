import { z } from 'zod';
import { isCurrency } from '../../src/core/currencies.ts';
import { amount, currency } from '../../src/core/fields.ts';
import { decimal, money, sameMoney, spokenSum } from '../../src/core/money.ts';
import type { Output } from '../../src/core/operation.ts';
import { answered, convert, isAbout } from '../../src/domains/conversion/amounts.ts';
import type { conversion } from '../../src/domains/conversion/contract.ts';
import type { Both, ChargeFacts } from '../../src/domains/conversion/facts.ts';
import { isHeldUncaptured, isReversed, isUndecided, charge as machine } from '../../src/domains/conversion/machines.ts';
import { type Price, priceOf } from '../../src/domains/conversion/price.ts';
import { chargeFields, reversalFields } from '../../src/domains/conversion/request-fields.ts';
import { paymentStatuses, verdictOf } from '../../src/domains/conversion/statuses.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { platformTools, readBack } from '../../src/engine/tool.ts';
import { field, handle, labelled, optional, reference } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { ofAnother } from '../echo.ts';
import { evidence, evidenceDecided, evidenceGone, evidenceOfReversal } from './evidence.ts';
import { chargeEntity, foundAs, heldLines, madeBefore } from './parts.ts';
import { conversionLines, paymentLines, paymentOutput, showPayment } from './presentation.ts';

// The tools for authorizations: to make one, to look at it, to give it up.

/** What the card is charged. */
const chargeOf = (facts: Facts): Price => {
  const { billingAmount, billingCurrency } = facts.things.offer?.body ?? {};
  return billingAmount === undefined || billingCurrency === undefined
    ? priceOf(facts)
    : { amount: billingAmount, currency: billingCurrency };
};

type Asked = Pick<ChargeFacts, keyof Both | 'localCurrency' | 'billingCurrency'> & {
  readonly exchangeRate?: string | undefined;
  readonly inverted?: boolean | undefined;
};

/** What an authorization asks for, in both currencies. */
const askedIn = (facts: Facts): Asked => {
  const [price, charge, offer] = [priceOf(facts), chargeOf(facts), facts.things.offer?.body];
  return {
    ...{ localAmount: price.amount, localCurrency: price.currency },
    ...{ billingAmount: charge.amount, billingCurrency: charge.currency },
    ...{ exchangeRate: offer?.exchangeRate, inverted: offer?.inverted },
  };
};

type PaymentBody = Output<(typeof conversion)['authorizePayment']>['body'];

/** The sum that an answer says is held. */
const sumIn = ({ orderInformation }: PaymentBody) => {
  const { authorizedAmount, totalAmount, currency } = orderInformation?.amountDetails ?? {};
  return { amount: authorizedAmount ?? totalAmount, currency };
};

/** What is held of what was asked for: all of it, or the part that was authorized, at the payment's own rate (DC-12). */
const heldOf = (asked: Asked, { status, orderInformation }: PaymentBody): Both => {
  const { localAmount, localCurrency, billingAmount, billingCurrency, exchangeRate, inverted = false } = asked;
  const { authorizedAmount = '' } = orderInformation?.amountDetails ?? {};
  const held = verdictOf(status).declined ? undefined : answered(authorizedAmount, billingCurrency);
  if (held === undefined || sameMoney(held, money(billingAmount, billingCurrency)) || !isCurrency(localCurrency))
    return { localAmount, billingAmount };
  // Without conversion both are the same.
  const local = exchangeRate && convert(held, localCurrency, { exchangeRate, inverted: !inverted });
  return { localAmount: decimal(local || held), billingAmount: decimal(held) };
};

/** The state of a payment after a look at it. What was captured doesn't show in a status. */
const stateFound = (things: Things, status: PaymentBody['status']): string => {
  const move = machine.move({ ...chargeEntity(things), ...verdictOf(status) }, 'decide');
  const { state }: { readonly state?: string } = paymentStatuses[status];
  return state ?? (move.ok ? move.to : (things.charge?.state ?? ''));
};

/** What is held once the platform has decided: never more than was approved. */
const heldSince = ({ charge }: Things, body: PaymentBody): Partial<Both> => {
  if (charge === undefined) return {};
  const { billingAmount, billingCurrency } = charge.body;
  return isAbout(money(billingAmount, billingCurrency), sumIn(body), true) ? heldOf(charge.body, body) : {};
};

/** The purchase that is paid, its limit, and what else may pay it. */
const purchaseLines = ({ instruction, credentials }: Things): readonly string[] => {
  if (instruction === undefined) return [];
  const { reference, limit, currency, releases } = instruction.body;
  const sum = credentials && `, last for ${spokenSum(credentials.body.amount, credentials.body.currency)}`;
  return [
    `Purchase: ${quoted(reference)}`,
    `Limit of the purchase: ${spokenSum(limit, currency)}`,
    ...(releases > 0 ? [`Credentials released for it, which may pay it, too: ${releases}${sum ?? ''}`] : []),
  ];
};

const nothingHeld = 'Nothing is held on the card';

/** What is said of a payment of which the platform hasn't decided, or not that it may be taken. */
const unsettled = {
  PENDING:
    'The platform has not authorized the payment yet, and may still do so. Look again later: until then charge no other card for it, unless this one was reversed.',
  PENDING_REVIEW:
    'The payment is in review: the merchant accepts or rejects it at the platform. The amount may be held on the card; it can be captured once get_payment says that the payment is authorized.',
  RISK_DECLINED:
    "The amount is held on the card, but the platform's risk check declined the payment. Nothing of it is captured: reverse the payment, unless the merchant accepts it at the platform.",
  PARTIAL_AUTHORIZED:
    'Only a part of the price is held on the card: the answer says how much. No more than that can be captured. Reverse the payment, or have the customer say how the rest is paid: a payment of the rest names no purchase.',
} as const;

const lookAgain = { tools: ['get_payment', 'reverse_payment'], because: 'The platform tells once it is decided.' };
const nextUnsettled = {
  ...{ PENDING: lookAgain, PENDING_REVIEW: lookAgain },
  RISK_DECLINED: { tools: ['reverse_payment', 'get_payment'], because: 'A payment that is a risk is given up.' },
};

export const authorizations = platformTools({
  authorizePayment: {
    description:
      "Hold the price on a card: with `offer` in the card's currency, if the customer chose that; else with `price` and `card` in the shop's. A person approves.",
    input: {
      args: () => ({
        offer: optional(handle('offer', 'Offer that the customer chose.')),
        reference: labelled('Order', reference("Merchant's order number; one per payment.")),
        price: optional<never>({
          schema: z
            .strictObject({ amount: amount.describe('Such as 40.00.'), currency: currency.describe('Such as USD.') })
            .describe("In the shop's currency."),
          fills: [],
          approvalText: (given) => spokenSum((given as Price).amount, (given as Price).currency), // by the shape
        }),
        card: optional(handle('card', 'Card for `price`.')),
        instruction: optional(handle('instruction', 'Purchase that this pays, if any.')),
        capture: optional(
          field('authorizePayment')('processingInformation.capture', 'Only false: capture_payment captures.'),
        ),
      }),
      oneOf: { names: ['offer', 'price'], exactly: true },
      reference: ({ args }) => String(args.reference),
      computes: chargeFields,
    },
    policy: {
      // Two payments for one purchase, or a payment and its cancellation, are not under way at once.
      lockKey: ({ things }) => things.instruction?.handle ?? things.offer?.handle ?? '',
      restsOn: ({ things }) => (things.instruction === undefined ? '' : (things.offer?.handle ?? '')),
      spend: (facts) => ({
        ...priceOf(facts),
        payee: facts.merchant.name,
        instrument: facts.things.card?.handle ?? '',
      }),
      approval: {
        needed: always,
        title: () => "Allow the agent to charge the customer's card",
        text: (facts) => [
          ...conversionLines(facts.things),
          `Charged: ${spokenSum(chargeOf(facts).amount, chargeOf(facts).currency)}`,
          `Shop: ${quoted(facts.merchant.name)}`,
          ...paymentLines(facts.things),
          ...purchaseLines(facts.things),
          'Its capture needs no second approval, unless the agent reads text from others before it.',
        ],
      },
    },
    observe: {
      moves: {
        kind: 'charge',
        entity: (_, __, answer) => ({
          ...chargeEntity({}),
          ...(answer === undefined ? {} : verdictOf(answer.body.status)),
        }),
      },
      // Its capture needs no second approval, so an answer never raises what was approved.
      contradicts: (facts, { body }, sent) => {
        const { amount, currency } = chargeOf(facts);
        return verdictOf(body.status).declined || isAbout(money(amount, currency), sumIn(body), true)
          ? ofAnother(sent, body, 'clientReferenceInformation.code')
          : 'orderInformation.amountDetails.authorizedAmount';
      },
      observations: (facts, { body }, { mint }) => {
        const { things, merchant } = facts;
        const offer = things.offer?.body;
        const asked = askedIn(facts);
        const held = heldOf(asked, body);
        const handleOf = mint('charge');
        return [
          {
            kind: 'charge',
            handle: handleOf,
            body: {
              ...{
                paymentId: body.id,
                status: body.status,
                reference: facts.reference,
                card: things.card?.handle ?? '',
              },
              ...asked,
              ...held,
              ...{ converted: offer !== undefined, offer: things.offer?.handle ?? '' },
              ...{ rateTime: offer?.rateTime, markup: offer?.markup, processing: merchant.processing ?? '' },
              ...{ capturedLocal: '0', capturedBilling: '0' },
              instruction: things.instruction?.handle,
            },
          },
          ...(things.offer !== undefined && !verdictOf(body.status).declined
            ? [{ kind: 'offer' as const, state: 'USED', body: { charge: handleOf } }]
            : []),
          ...evidence(things, () => mint('receipt'), {
            ...{ payment: handleOf, amount: held.localAmount, currency: asked.localCurrency },
            ...{ transactionType: 'AUTHORIZATION', transactionStatus: paymentStatuses[body.status].evidence },
          }),
        ];
      },
    },
    present: {
      messages: {
        ...unsettled,
        AUTHORIZED: 'The amount is held on the card. Capture it when the order is shipped.',
        NOT_AUTHORIZED: `The payment was not authorized. ${nothingHeld}; the customer may choose another card.`,
      },
      next: {
        ...nextUnsettled,
        AUTHORIZED: {
          tools: ['capture_payment', 'get_payment', 'reverse_payment'],
          because: 'Capturing takes the money.',
        },
        NOT_AUTHORIZED: { tools: ['list_cards'], because: 'Another card may be authorized.' },
      },
      outputSchema: paymentOutput,
      shows: showPayment,
    },
    reconcile: {
      noChargeStates: ['NOT_AUTHORIZED'],
      openStates: machine.existing.filter(isUndecided),
      reservedStates: machine.startsOf('decide').filter((state) => !isHeldUncaptured(state)),
      doubled: madeBefore,
      // The payment gets no handle: only the platform knows its id. Its rate is used up (DC-04).
      confirmed: ({ things }) => (things.offer === undefined ? [] : [{ kind: 'offer', state: 'USED', body: {} }]),
    },
  },

  getPayment: {
    description: 'Look at a payment as the platform has it: state, price, charge, what is captured.',
    input: { args: () => ({ charge: handle('charge', 'From authorize_payment or list_payments.') }) },
    observe: {
      looksAt: { kind: 'charge', machine: machine.on('capture').machine, entity: chargeEntity },
      stateFromResponse: ({ body }, _, things) => stateFound(things, body.status),
      observations: ({ things }, { body }) => {
        const state = stateFound(things, body.status);
        const hasDecided = state !== things.charge?.state && !isReversed(state);
        const held = hasDecided ? heldSince(things, body) : {};
        return [
          { kind: 'charge', state, body: { status: body.status, ...held } },
          ...(isReversed(state) ? evidenceGone(things) : []),
          ...(hasDecided ? evidenceDecided(things, paymentStatuses[body.status].evidence, held.localAmount) : []),
        ];
      },
    },
    present: {
      messages: { done: 'This is the payment.', ...unsettled },
      next: nextUnsettled,
      outputSchema: paymentOutput,
      shows: showPayment,
    },
  },

  reversePayment: {
    description: "Release a payment of which nothing is captured, for good. The customer isn't charged.",
    input: {
      args: () => ({
        charge: handle('charge', 'Payment to release.'),
        reason: optional(field('reversePayment')('reversalInformation.reason', 'Why.')),
      }),
      computes: reversalFields,
    },
    policy: {
      lockKey: ({ things }) => things.charge?.handle ?? '',
      approval: {
        needed: always,
        title: () => "Allow the agent to release a hold on the customer's card",
        text: ({ things }) => [...heldLines(things), ...paymentLines(things)],
      },
    },
    observe: {
      moves: { kind: 'charge', entity: chargeEntity },
      contradicts: ({ things: { charge } }, { body }, sent) => {
        const { reversedAmount: amount, currency } = body.reversalAmountDetails ?? {};
        const { billingAmount = '0', billingCurrency = '' } = charge?.body ?? {};
        if (charge !== undefined && !isAbout(money(billingAmount, billingCurrency), { amount, currency }))
          return 'reversalAmountDetails.reversedAmount';
        return ofAnother(sent, body, 'clientReferenceInformation.code');
      },
      observations: ({ things }, _, { mint }) => [
        { kind: 'charge', body: { status: 'REVERSED' } },
        ...evidenceOfReversal(things, () => mint('receipt')),
      ],
    },
    present: {
      messages: { REVERSED: `The payment is reversed. ${nothingHeld}. That is final.` },
      next: { REVERSED: { tools: ['authorize_payment'], because: 'The customer may still want the order.' } },
      outputSchema: paymentOutput,
      shows: showPayment,
    },
    reconcile: {
      confirmed: ({ things }) => [{ kind: 'charge', body: { status: 'REVERSED' } }, ...evidenceGone(things)],
      readBack: readBack('getPayment', {
        with: ({ names }) => ({ names }),
        finds: foundAs('REVERSED'),
      }),
    },
  },
});
