import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import type { UnitWord } from '../../src/core/schedule.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import type { domains } from '../../src/domains/index.ts';
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
  stateShown,
  typeShown,
} from '../../src/engine/shown.ts';
import { type Arg, platformTools } from '../../src/engine/tool.ts';
import { field, handle, labelled, moment, optional, reference, sum } from '../../src/engine/tool-arguments.ts';

// The tools for cards and purchases. The contract gives the arguments their shapes.

const initiate = field('initiatePurchase');
const release = field('retrieveCredentials');

export const cardShown = z.looseObject({
  card: handleShown,
  lastFour: digitsShown,
  expires: monthShown,
  state: stateShown,
});
const showCard = ({ card }: Things) => ({
  card: card?.handle,
  lastFour: card?.body.lastFour,
  expires: card && monthText(card.body.expires),
  state: card?.state,
});

export const purchaseShown = z.looseObject({
  instruction: handleShown,
  state: stateShown,
  reference: z.string(),
  limit: z.looseObject({ amount: amountShown, currency: currencyShown }),
  until: momentShown,
  card: handleShown,
});
const showPurchase = ({ instruction, card }: Things) => ({
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

/** The purchase, as the instruction machine reads it before or after a response. */
export const purchaseEntity = ({ instruction, receipt }: Things, now: number, answer?: { readonly body: object }) => ({
  state: instruction?.state ?? 'none',
  asks: answer !== undefined && 'pendingEvents' in answer.body,
  waiting: instruction?.body.waiting ?? '',
  processed: (instruction?.body.releases ?? 0) > 0 && receipt?.body.transactionStatus === 'APPROVED',
  ended: instruction !== undefined && Number(instruction.body.until) * 1_000 <= now,
});
const newPurchase = (_: Things, now: number, answer?: { readonly body: object }) => purchaseEntity({}, now, answer);

const askedTwice =
  'The platform asks the customer to verify this step. Have the customer do so now, then make the same call again.';

/** How often a purchase recurs: the tools' words, and the platform's. */
const occurrences = { week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const satisfies {
  readonly [W in UnitWord]?: string;
};
type Occurrence = keyof typeof occurrences;

const mandateArgs = {
  limit: labelled(
    'At most',
    sum('mandates[].declineThreshold.amount', 'mandates[].declineThreshold.currencyCode', 'Most that may be paid.'),
  ),
  until: moment('mandates[].effectiveUntilTime', 'End of the mandate.'),
  description: initiate('mandates[].description', 'What is bought.'),
  merchant: optional(initiate('mandates[].preferredMerchantName', 'Only this merchant.')),
  category: optional(initiate('mandates[].merchantCategory', 'Merchant category.')),
  category_code: optional(initiate('mandates[].merchantCategoryCode', 'Its four-digit code.')),
  quantity: optional({
    schema: z.int().min(1).max(999_999_999).describe('How many.'),
    fills: [{ path: 'mandates[].quantity', value: (given) => (given === undefined ? undefined : String(given)) }],
  } satisfies Arg<'mandates[].quantity'>),
  every: optional({
    schema: z.enum(Object.keys(occurrences) as [Occurrence, ...Occurrence[]]).describe('If it recurs.'), // the keys of the table
    fills: [
      {
        path: 'mandates[].recurringPaymentInformation.occurrence',
        value: (given) => (given === undefined ? undefined : occurrences[given as Occurrence]), // by the schema
      },
    ],
    approvalText: String,
  } satisfies Arg<'mandates[].recurringPaymentInformation.occurrence'>),
  prompt: optional(initiate('consumerPrompt', "The customer's words.")),
} as const;

/** The one merchant of a mandate: the one the customer named, or the shop itself. The request carries it. */
const payee = ({ args, merchant }: Facts): string => String(args.merchant ?? merchant.name);
const forOneMerchant = (facts: Facts) => ({ 'mandates[].preferredMerchantName': payee(facts) });

/** Approval text for a mandate. */
const mandateRead = (facts: Facts): readonly string[] => {
  const { args, things, merchant } = facts;
  const { instruction } = things;
  return [
    ...(instruction === undefined ? [] : [`Until now at most: ${instruction.body.limit} ${instruction.body.currency}`]),
    ...(args.merchant === undefined ? [`Merchant: ${quoted(payee(facts))}`] : []),
    `Shop: ${hostOf(merchant.url)}`,
    `Card ending: ${things.card?.body.lastFour ?? 'unknown'}`,
    `Customer: ${quoted(things.shopper?.body.displayName ?? 'unknown')}`,
    ...(instruction === undefined ? [] : [`Order: ${quoted(instruction.body.reference)}`]),
  ];
};

/** The terms of an instruction after initiating or updating it. */
const terms = (facts: Facts) => {
  const limit = facts.args.limit as { amount: string; currency: string }; // by the tool's shape
  return {
    mandateId: facts.new.mandateId,
    description: String(facts.args.description),
    limit: limit.amount,
    currency: limit.currency,
    until: String(Math.floor(Date.parse(String(facts.args.until)) / 1_000)),
    merchant: payee(facts),
    every: occurrences[facts.args.every as Occurrence] ?? '', // by the tool's shape
  };
};

/** The part of an update's body that changes the terms. */
interface UpdateSent {
  readonly mandates: readonly {
    readonly mandateId: string;
    readonly description: string;
    readonly declineThreshold: { readonly amount: string; readonly currencyCode: string };
    readonly effectiveUntilTime: string;
    readonly preferredMerchantName?: string;
    readonly recurringPaymentInformation?: { readonly occurrence: string };
  }[];
}

/** The terms that a confirmed update set. */
const termsSent = ({ mandates: [mandate] }: UpdateSent) =>
  mandate === undefined
    ? {}
    : {
        mandateId: mandate.mandateId,
        description: mandate.description,
        limit: mandate.declineThreshold.amount,
        currency: mandate.declineThreshold.currencyCode,
        until: mandate.effectiveUntilTime,
        merchant: mandate.preferredMerchantName ?? '',
        every: mandate.recurringPaymentInformation?.occurrence ?? '',
      };

/** The most that a mandate lets move. */
const mandateOutlay = (facts: Facts) => {
  const limit = facts.args.limit as { amount: string; currency: string }; // by the tool's shape
  return { ...limit, payee: payee(facts), instrument: facts.things.card?.handle ?? '' };
};

const mandateCurrency = 'mandates[].declineThreshold.currencyCode';
/** Changes that need no new approval. Any other difference does. */
const narrowerMandate = {
  'mandates[].declineThreshold.amount': orderings.lessMoney(mandateCurrency),
  'mandates[].effectiveUntilTime': orderings.less,
  'mandates[].quantity': orderings.less,
  'mandates[].recurringPaymentInformation.occurrence': orderings.withdrawn,
};

const total = 'transactionData[].orderInformation.amountDetail.totalAmount';
const totalCurrency = 'transactionData[].orderInformation.amountDetail.currency';
/** The payment that a purchase's approval covers: up to the limit, in its currency, of type PURCHASE. */
const approvedPayment = ({ things: { instruction } }: Facts) =>
  instruction && {
    ...{ [total]: instruction.body.limit, [totalCurrency]: instruction.body.currency },
    'transactionData[].type': 'PURCHASE',
  };
const narrowerPayment = {
  [total]: orderings.lessMoney(totalCurrency),
  'transactionData[].type': orderings.withdrawn,
  'transactionData[].orderInformation.amountDetail.subTotalAmount': orderings.partOfWhole,
  'transactionData[].orderInformation.amountDetail.discountAmount': orderings.partOfWhole,
  'transactionData[].orderInformation.amountDetail.shippingAmount': orderings.partOfWhole,
  'transactionData[].orderInformation.amountDetail.handlingAmount': orderings.partOfWhole,
};

/** The limit counted by an earlier call; undefined if it was in another currency. */
const countedBefore = ({ things, args }: Facts): string | undefined => {
  const limit = args.limit as { currency: string }; // by the tool's shape
  const was = things.instruction?.body;
  return was?.currency === limit.currency ? was.limit : undefined;
};

export const purchase = platformTools<keyof typeof domains.purchase.contract>({
  enrollCard: {
    description:
      "Enroll a shopper's saved card before its first purchase. Call again after the customer has verified, to see its new state.",
    input: {
      args: { card: handle('card', 'Card handle from list_cards.') },
    },
    policy: {
      lockKey: ({ things }) => things.card?.handle ?? '',
    },
    observe: {
      moves: {
        kind: 'card',
        entity: ({ card }, _, answer) => ({ state: card?.state ?? 'none', verified: answer?.status === 200 }),
      },
      observations: () => [{ kind: 'card', body: {} }],
    },
    present: {
      messages: {
        ACTIVE: 'The card is active and can be used in purchases.',
        PENDING:
          'The card waits for the customer. Have the customer verify identity now, then call enroll_card again to see its state.',
      },
      next: { ACTIVE: { tools: ['initiate_purchase'], because: 'A card is enrolled in order to buy with it.' } },
      outputSchema: cardShown,
      toOutput: showCard,
    },
  },

  initiatePurchase: {
    description:
      'Register what the customer decided to buy: limit, end, card. A person approves it. Not for browsing or price questions.',
    input: {
      args: {
        card: handle('card', 'Active card, from list_cards.'),
        reference: labelled('Order', reference("Merchant's order number; one per purchase.")),
        ...mandateArgs,
        recurring: optional(initiate('isRecurring', 'Recurring purchase.')),
      },
      reference: ({ args }) => String(args.reference),
      carryOver: forOneMerchant,
    },
    policy: {
      lockKey: () => '',
      spend: mandateOutlay,
      approval: { needed: () => true, title: () => 'Allow the agent to buy', text: mandateRead },
    },
    observe: {
      moves: { kind: 'instruction', entity: newPurchase },
      observations: (facts, { body }, { state, mint, authored }) => [
        {
          kind: 'instruction',
          handle: mint('instruction'),
          body: {
            ...terms(facts),
            agreed: authored,
            instructionId: body.instructionId ?? '',
            reference: facts.reference,
            releases: 0,
            releasesApproved: 1,
            waiting: state === 'PENDING' ? 'initiate' : '',
            card: facts.things.card?.handle,
          },
        },
      ],
    },
    present: {
      messages: {
        ACTIVE: 'The purchase is registered. Retrieve credentials when the customer has chosen what to pay.',
        PENDING: askedTwice.replace('make the same call again', 'retrieve credentials'),
      },
      outputSchema: purchaseShown,
      toOutput: showPurchase,
    },
  },

  updatePurchase: {
    description:
      'Replace limit, end or description of an open purchase when the customer changes it. Anything but less asks a person again.',
    input: {
      args: { instruction: handle('instruction', 'Purchase to change.'), ...mandateArgs },
      carryOver: forOneMerchant,
    },
    policy: {
      lockKey: ({ things }) => things.instruction?.handle ?? '',
      // The limit was counted at initiation; only an increase is added.
      spend: (facts) => ({ ...mandateOutlay(facts), counted: countedBefore(facts) }),
      approval: {
        needed: () => false,
        within: { approved: ({ things }) => things.instruction?.body.agreed ?? undefined, narrower: narrowerMandate },
        title: () => 'Allow the agent to change the purchase',
        text: mandateRead,
      },
    },
    observe: {
      moves: { kind: 'instruction', entity: purchaseEntity },
      observations: (facts, _, { state, authored, approved }) => [
        {
          kind: 'instruction',
          body: {
            ...terms(facts),
            agreed: authored,
            waiting: state === 'PENDING' ? 'update' : '',
            // Approving a changed mandate approves one release under it.
            ...(approved ? { releasesApproved: (facts.things.instruction?.body.releases ?? 0) + 1 } : {}),
          },
        },
      ],
    },
    present: {
      messages: { ACTIVE: 'The purchase is updated.', PENDING: askedTwice },
      outputSchema: purchaseShown,
      toOutput: showPurchase,
    },
    reconcile: {
      // Sent bodies match the contract.
      confirmed: (_, sent, authored) => ({ ...termsSent(sent as UpdateSent), agreed: authored }),
    },
  },

  cancelPurchase: {
    description:
      'Cancel an open purchase for good when the customer decides not to buy. It refunds nothing that was paid.',
    input: {
      args: { instruction: handle('instruction', 'Purchase to cancel.') },
    },
    policy: {
      lockKey: ({ things }) => things.instruction?.handle ?? '',
    },
    observe: {
      moves: { kind: 'instruction', entity: purchaseEntity },
      observations: (_, __, { state }) => [
        { kind: 'instruction', body: { waiting: state === 'PENDING' ? 'cancel' : '' } },
      ],
      // The platform accepted this request before. If the purchase is no longer open, the customer has verified the cancellation.
      afterRefusal: ({ things }) =>
        things.instruction?.state === 'PENDING' && things.instruction.body.waiting === 'cancel'
          ? {
              trigger: 'verify',
              said: 'The customer has verified it: the purchase is cancelled already. That is final.',
            }
          : undefined,
    },
    present: {
      messages: { CANCELLED: 'The purchase is cancelled. That is final.', PENDING: askedTwice },
      next: {
        CANCELLED: { tools: ['initiate_purchase'], because: 'A customer who cancels may want something else instead.' },
      },
      outputSchema: purchaseShown,
      toOutput: showPurchase,
    },
  },

  retrieveCredentials: {
    description:
      "Release one payment's credentials to the merchant's payment system, within the approved limit. You get a handle, never card data.",
    input: {
      args: {
        instruction: handle('instruction', 'Purchase to pay.'),
        amount: release('transactionData[].orderInformation.amountDetail.totalAmount', 'Total to pay.'),
        currency: release('transactionData[].orderInformation.amountDetail.currency', 'Its currency.'),
        card: optional(handle('card', 'Another active card of the customer.')),
        reference: optional(reference("Merchant's number of this payment; by default the order's.")),
        subtotal: optional(release('transactionData[].orderInformation.amountDetail.subTotalAmount', 'Goods alone.')),
        discount: optional(release('transactionData[].orderInformation.amountDetail.discountAmount', 'Taken off.')),
        shipping: optional(release('transactionData[].orderInformation.amountDetail.shippingAmount', 'For shipping.')),
        handling: optional(release('transactionData[].orderInformation.amountDetail.handlingAmount', 'For handling.')),
        type: optional(release('transactionData[].type', 'Kind of payment.')),
        delivery: optional(release('transactionData[].orderInformation.deliveryMethod', 'How it is delivered.')),
      },
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
        needed: ({ things }) =>
          (things.instruction?.body.releases ?? 0) >= (things.instruction?.body.releasesApproved ?? 0) ||
          things.card?.handle !== things.instruction?.body.card,
        within: { approved: approvedPayment, narrower: narrowerPayment },
        title: () => 'Allow the agent to release credentials for one more payment',
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
      moves: { kind: 'instruction', entity: purchaseEntity },
      observations: (facts, _, { state, mint, sealed }) => {
        const waiting = { kind: 'instruction', body: { waiting: state === 'PENDING' ? 'retrieve' : '' } } as const;
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
              expiresAt: sealed.expiresAt,
              secret: sealed.reference,
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
        PENDING: askedTwice,
      },
      next: {
        ACTIVE: {
          tools: ['get_purchase', 'confirm_transaction'],
          because: 'The receipt comes first, and get_purchase shows when it is there.',
        },
      },
      outputSchema: z.looseObject({
        instruction: handleShown,
        credentials: handleShown.optional(),
        lastFour: digitsShown.optional(),
        expires: monthShown.optional(),
        type: typeShown.optional(),
        amount: amountShown.optional(),
        currency: currencyShown.optional(),
        validUntil: momentShown.optional(),
      }),
      toOutput: ({ instruction, credentials }, facts) => ({
        instruction: instruction?.handle,
        ...(credentials === undefined || credentials.handle === facts.things.credentials?.handle
          ? {}
          : {
              credentials: credentials.handle,
              lastFour: credentials.body.lastFour,
              expires: monthText(credentials.body.expires),
              type: credentials.body.type,
              amount: inDecimals(String(credentials.body.amount), String(credentials.body.currency)),
              currency: credentials.body.currency,
              validUntil: new Date(credentials.body.expiresAt).toISOString(),
            }),
      }),
    },
    reconcile: {
      // The lost credentials were released, so the next release needs a person again.
      confirmed: (known) => ({ releases: Number(known.releases) + 1 }),
      retryableStates: ['PENDING'],
    },
  },

  confirmTransaction: {
    description:
      "Tell the platform that the merchant's payment system processed the payment. Needs its receipt; final.",
    input: {
      args: { instruction: handle('instruction', 'Purchase that was paid.') },
      reference: ({ things }) => things.receipt?.handle ?? '',
    },
    policy: {
      lockKey: ({ things }) => things.instruction?.handle ?? '',
    },
    observe: {
      moves: { kind: 'instruction', entity: purchaseEntity },
      observations: () => [{ kind: 'instruction', body: {} }],
    },
    present: {
      messages: { COMPLETED: 'The purchase is completed. Confirm the checkout to the customer.' },
      outputSchema: purchaseShown,
      toOutput: showPurchase,
    },
  },
});

const isoOf = (epoch: string): string => new Date(Number(epoch) * 1_000).toISOString();
