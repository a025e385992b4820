import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { waitingFor } from '../../src/domains/purchase/machines.ts';
import { orderings } from '../../src/engine/approval-scope.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import { monthText } from '../../src/engine/render.ts';
import {
  amountShown,
  currencyShown,
  digitsShown,
  handleShown,
  momentShown,
  monthShown,
  typeShown,
} from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { field, handle, optional, reference } from '../../src/engine/tool-arguments.ts';
import { contradicts, isBeyondApproved, purchaseEntity, verifyFirst } from './instruction.ts';

const release = field('retrieveCredentials');

const total = 'transactionData[].orderInformation.amountDetail.totalAmount';
const totalCurrency = 'transactionData[].orderInformation.amountDetail.currency';
const parts = (['subTotal', 'discount', 'shipping', 'handling'] as const).map(
  (part) => `transactionData[].orderInformation.amountDetail.${part}Amount` as const,
);
const forParts = <V>(value: V) => Object.fromEntries(parts.map((part) => [part, value]));

/** The payment that a purchase's approval covers: up to the limit, in its currency, of type PURCHASE, and so is each of its parts. */
const approvedPayment = ({ things: { instruction } }: Facts) =>
  instruction && {
    ...{ [total]: instruction.body.limit, [totalCurrency]: instruction.body.currency },
    ...forParts(instruction.body.limit),
    'transactionData[].type': 'PURCHASE',
  };
const narrowerPayment = {
  ...forParts(orderings.partOfWhole(totalCurrency)),
  [total]: orderings.lessMoney(totalCurrency),
  'transactionData[].type': orderings.withdrawn,
};

const isFurther = ({ things }: Facts): boolean => (things.instruction?.body.releases ?? 0) > 0;
/** Whether it is another card than that of the purchase: by its handle, or because that was given to another one since. */
const isOtherCard = ({ things: { card, instruction } }: Facts): boolean =>
  card?.handle !== instruction?.body.card ||
  (card?.body.replacedAt ?? 0) >= (instruction?.body.sentAt ?? instruction?.createdAt ?? 0);

function askedBecause(facts: Facts): string {
  if (isBeyondApproved(facts))
    return 'the approval of a purchase covers one payment, and its credentials were released.';
  if (isOtherCard(facts)) return 'the purchase was approved with another card.';
  return 'the purchase was approved without the kind or the delivery of the payment that is named here, or a part of it is above the limit.';
}

/** A 200 has released the credentials, whatever else it says. */
const releasing = (things: Things, now: number, answer?: { readonly status: number }) =>
  purchaseEntity(things, now, answer && { status: answer.status, body: {} });

export const retrieveCredentials: ToolSpec<'retrieveCredentials'> = {
  description:
    "Release one payment's credentials to the merchant's payment system, within the approved limit. You get a handle, never card data.",
  input: {
    args: () => ({
      instruction: handle('instruction', 'Purchase to pay.'),
      amount: release('transactionData[].orderInformation.amountDetail.totalAmount', 'Total to pay.'),
      currency: release('transactionData[].orderInformation.amountDetail.currency', 'Such as USD.'),
      card: optional(handle('card', 'Another active card of the customer.')),
      reference: optional(reference("Merchant's number of this payment; by default the order's.")),
      subtotal: optional(release('transactionData[].orderInformation.amountDetail.subTotalAmount', 'Goods alone.')),
      discount: optional(release('transactionData[].orderInformation.amountDetail.discountAmount', 'Taken off.')),
      shipping: optional(release('transactionData[].orderInformation.amountDetail.shippingAmount', 'For shipping.')),
      handling: optional(release('transactionData[].orderInformation.amountDetail.handlingAmount', 'For handling.')),
      type: optional(release('transactionData[].type', 'Kind of payment.')),
      delivery: optional(release('transactionData[].orderInformation.deliveryMethod', 'How it is delivered.')),
    }),
    reference: ({ args, things }) => String(args.reference ?? things.instruction?.body.reference ?? ''),
  },
  policy: {
    lockKey: ({ things }) => things.instruction?.handle ?? '',
    spend: ({ args, things, merchant }) => ({
      amount: String(args.amount),
      currency: String(args.currency),
      payee: merchant.name,
      instrument: things.card?.handle ?? '',
    }),
    approval: {
      // The approval of the purchase named its card.
      needed: (facts) => isBeyondApproved(facts) || isOtherCard(facts),
      within: { approved: approvedPayment, narrower: narrowerPayment },
      title: (facts) => `Allow the agent to release credentials for ${isFurther(facts) ? 'one more' : 'a'} payment`,
      why: askedBecause,
      text: ({ things, merchant, reference: order }) => [
        `Merchant: ${quoted(merchant.name)}`,
        `Shop: ${hostOf(merchant.url)}`,
        `Card ending: ${things.card?.body.lastFour ?? 'unknown'}`,
        `Customer: ${quoted(things.shopper?.body.displayName ?? 'unknown')}`,
        `Payment: ${quoted(order)}`,
        `Released before: ${things.instruction?.body.releases ?? 0}`,
      ],
    },
  },
  observe: {
    moves: { kind: 'instruction', entity: releasing },
    contradicts,
    observations: (facts, _, { state, mint, sealed }) => {
      const waiting = { kind: 'instruction', body: { waiting: waitingFor(state, 'retrieve') } } as const;
      if (sealed === undefined) return [waiting];
      const releases = (facts.things.instruction?.body.releases ?? 0) + 1;
      const credentials = mint('credentials');
      return [
        {
          kind: 'credentials',
          handle: credentials,
          state: 'RELEASED',
          body: {
            ...sealed.shown,
            reference: facts.reference,
            amount: facts.args.amount,
            currency: facts.args.currency,
            instruction: facts.things.instruction?.handle,
            card: facts.things.card?.handle,
            expiresAt: sealed.kept?.expiresAt,
            secret: sealed.kept?.reference,
          },
        },
        {
          kind: 'instruction',
          body: {
            credentials,
            releases,
            releasesApproved: Math.max(releases, facts.things.instruction?.body.releasesApproved ?? 0),
            waiting: '',
          },
        },
      ];
    },
  },
  present: {
    messages: {
      ACTIVE:
        "Credentials are released. The merchant's payment system redeems the handle and posts a receipt; then confirm the transaction.",
      PENDING: verifyFirst,
    },
    next: {
      ACTIVE: {
        tools: ['get_purchase', 'confirm_transaction'],
        because: 'The receipt comes first, and get_purchase shows when it is there.',
      },
    },
    outputSchema: () =>
      z.looseObject({
        instruction: handleShown,
        credentials: handleShown.optional(),
        last_four: digitsShown.optional(),
        expires: monthShown.optional(),
        type: typeShown.optional(),
        amount: amountShown.optional(),
        currency: currencyShown.optional(),
        valid_until: momentShown.optional(),
      }),
    toOutput: ({ instruction, credentials }, facts) => ({
      instruction: instruction?.handle,
      ...(credentials === undefined || credentials.handle === facts.things.credentials?.handle
        ? {}
        : {
            credentials: credentials.handle,
            last_four: credentials.body.lastFour,
            expires: monthText(credentials.body.expires),
            type: credentials.body.type,
            amount: inDecimals(String(credentials.body.amount), String(credentials.body.currency)),
            currency: credentials.body.currency,
            valid_until: new Date(credentials.body.expiresAt).toISOString(),
          }),
    }),
  },
  reconcile: {
    // The lost credentials were released, so the next release needs a person again.
    confirmed: ({ things: { instruction } }) =>
      instruction === undefined ? [] : [{ kind: 'instruction', body: { releases: instruction.body.releases + 1 } }],
    retryableStates: ['PENDING'],
  },
};
