import { z } from 'zod';
import { isCurrency } from '../../src/core/currencies.ts';
import { amount, currency } from '../../src/core/fields.ts';
import { decimal, inDecimals, type Money, money, sameMoney } from '../../src/core/money.ts';
import { answered, convert, isAbout } from '../../src/domains/conversion/amounts.ts';
import { isHeldUncaptured, isReversed, charge as machine } from '../../src/domains/conversion/machines.ts';
import { chargeFields, reversalFields } from '../../src/domains/conversion/request-fields.ts';
import { paymentStatuses } from '../../src/domains/conversion/statuses.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { type Observation, platformTools, readBack } from '../../src/engine/tool.ts';
import { field, handle, labelled, optional, reference } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { ofAnother } from '../echo.ts';
import { spokenSum } from '../sums.ts';
import { chargeEntity, foundAs, heldLines, madeBefore } from './parts.ts';
import { conversionLines, paymentLines, paymentOutput, showPayment } from './presentation.ts';

// The tools for authorizations: to make one, to look at it, to give it up.

interface Price {
  readonly amount: string;
  readonly currency: string;
}

/** The price of a payment, in the shop's currency. */
const priceOf = ({ args, things: { offer } }: Facts): Price =>
  offer === undefined
    ? (args.price as Price) // by the tool's shape
    : { amount: offer.body.localAmount, currency: offer.body.localCurrency };

/** What the card is charged. */
const chargeOf = (facts: Facts): Price => {
  const { billingAmount, billingCurrency } = facts.things.offer?.body ?? {};
  return billingAmount === undefined || billingCurrency === undefined
    ? priceOf(facts)
    : { amount: billingAmount, currency: billingCurrency };
};

/** What is held, in the shop's currency: the price, or the part of it that was authorized, at the offer's rate (DC-12). */
const heldLocally = (facts: Facts, held: Money): string => {
  const [price, charge] = [priceOf(facts), chargeOf(facts)];
  const { exchangeRate, inverted = false } = facts.things.offer?.body ?? {};
  if (exchangeRate === undefined) return decimal(held); // without conversion both are the same
  return sameMoney(held, money(charge.amount, charge.currency)) || !isCurrency(price.currency)
    ? price.amount
    : decimal(convert(held, price.currency, { exchangeRate, inverted: !inverted }));
};

/** The state of a payment after a look at it. */
const stateFound = ({ charge }: Things, status: keyof typeof paymentStatuses): string =>
  paymentStatuses[status].state ?? charge?.state ?? '';

const nothingHeld = 'Nothing is held on the card';

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
      lockKey: ({ things }) => things.offer?.handle ?? '',
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
          ...(facts.things.instruction === undefined
            ? []
            : [`Purchase: ${quoted(facts.things.instruction.body.reference)}`]),
          'Its capture needs no second approval, unless the agent reads text from others before it.',
        ],
      },
    },
    observe: {
      moves: {
        kind: 'charge',
        entity: (_, __, answer) => ({
          ...chargeEntity({}),
          declined: answer !== undefined && !paymentStatuses[answer.body.status].isHeld,
        }),
      },
      // Its capture needs no second approval, so an answer never raises what was approved.
      contradicts: (facts, { body }, sent) => {
        const { amount, currency } = chargeOf(facts);
        const { authorizedAmount, totalAmount, currency: held } = body.orderInformation?.amountDetails ?? {};
        const sum = { amount: authorizedAmount ?? totalAmount, currency: held };
        return !paymentStatuses[body.status].isHeld || isAbout(money(amount, currency), sum, true)
          ? ofAnother(sent, body, 'clientReferenceInformation.code')
          : 'orderInformation.amountDetails.authorizedAmount';
      },
      observations: (facts, { body }, { state, mint }) => {
        const { things, merchant } = facts;
        const offer = things.offer?.body;
        const [price, charge] = [priceOf(facts), chargeOf(facts)];
        const isHeld = isHeldUncaptured(state);
        const { authorizedAmount = '' } = body.orderInformation?.amountDetails ?? {};
        const held = isHeld ? answered(authorizedAmount, charge.currency) : undefined;
        const authorized = held === undefined ? charge.amount : decimal(held);
        const local = { ...price, ...(held === undefined ? {} : { amount: heldLocally(facts, held) }) };
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
              localAmount: local.amount,
              localCurrency: local.currency,
              billingAmount: authorized,
              billingCurrency: charge.currency,
              ...{ converted: offer !== undefined, offer: things.offer?.handle ?? '' },
              ...{ exchangeRate: offer?.exchangeRate, inverted: offer?.inverted, rateTime: offer?.rateTime },
              ...{ markup: offer?.markup, processing: merchant.processing ?? '' },
              ...{ capturedLocal: '0', capturedBilling: '0' },
              instruction: things.instruction?.handle,
            },
          },
          ...(things.offer !== undefined && isHeld
            ? [{ kind: 'offer' as const, state: 'USED', body: { charge: handleOf } }]
            : []),
          ...(things.instruction === undefined
            ? []
            : evidence(mint('receipt'), things.instruction.handle, {
                ...{ payment: handleOf, ...local, transactionType: 'AUTHORIZATION' },
                transactionStatus: isHeld ? 'APPROVED' : 'DECLINED',
              })),
        ];
      },
    },
    present: {
      messages: {
        AUTHORIZED: 'The amount is held on the card. Capture it when the order is shipped.',
        NOT_AUTHORIZED: `The payment was not authorized. ${nothingHeld}; the customer may choose another card.`,
      },
      next: {
        AUTHORIZED: {
          tools: ['capture_payment', 'get_payment', 'reverse_payment'],
          because: 'Capturing takes the money.',
        },
        NOT_AUTHORIZED: { tools: ['list_cards'], because: 'Another card may be authorized.' },
      },
      outputSchema: paymentOutput,
      toOutput: showPayment,
    },
    reconcile: {
      noChargeStates: ['NOT_AUTHORIZED'],
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
        return [
          { kind: 'charge', state, body: { status: body.status } },
          ...(isReversed(state) ? evidenceGone(things) : []),
        ];
      },
    },
    present: {
      messages: { done: 'This is the payment.' },
      outputSchema: paymentOutput,
      toOutput: showPayment,
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
      observations: ({ things }, _, { mint }) => [
        { kind: 'charge', body: { status: 'REVERSED' } },
        ...(isOfMerchant(things) ? evidenceOfReversal(things, mint('receipt')) : evidenceGone(things)),
      ],
    },
    present: {
      messages: { REVERSED: `The payment is reversed. ${nothingHeld}. That is final.` },
      next: { REVERSED: { tools: ['authorize_payment'], because: 'The customer may still want the order.' } },
      outputSchema: paymentOutput,
      toOutput: showPayment,
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

interface Evidence extends Price {
  readonly payment: string;
  readonly transactionType: 'AUTHORIZATION' | 'REVERSAL';
  readonly transactionStatus: 'APPROVED' | 'DECLINED';
}

/** The payment that a purchase needs as evidence: a receipt that Purser's own payment posts (D-35). */
const evidence = (receipt: string, instruction: string, { amount, currency, ...payment }: Evidence) => [
  {
    kind: 'receipt' as const,
    handle: receipt,
    state: 'none',
    body: { instruction, ...payment, amount: inDecimals(amount, currency), currency },
  },
  { kind: 'instruction' as const, handle: instruction, ifKnown: true as const, body: { receipt } },
];

/** Whether the newest receipt of the purchase is one that the merchant's own system posted, which nothing else changes. */
const isOfMerchant = ({ receipt }: Things): boolean => receipt !== undefined && receipt.body.payment === undefined;

/** What a reversal leaves of the evidence of its own payment: the receipt of one that was given back. */
const evidenceGone = ({ charge, receipt }: Things): readonly Observation[] =>
  charge === undefined || receipt?.body.payment !== charge.handle
    ? []
    : [{ kind: 'receipt', handle: receipt.handle, body: { transactionType: 'REVERSAL' } }];

/** A receipt of the reversal itself, beside the merchant's own. */
const evidenceOfReversal = ({ charge }: Things, receipt: string): readonly Observation[] =>
  charge?.body.instruction === undefined
    ? []
    : evidence(receipt, charge.body.instruction, {
        ...{ payment: charge.handle, transactionType: 'REVERSAL', transactionStatus: 'APPROVED' },
        ...{ amount: charge.body.localAmount, currency: charge.body.localCurrency },
      });
