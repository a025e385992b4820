import { z } from 'zod';
import { amount, computed, currency, model, platform, server, text, under } from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { moneyFault } from '../../core/money.ts';
import { once } from '../../core/once.ts';
import { enrollmentStates, transactionStatuses } from './statuses.ts';

// Inputs and results of the SDK's calls: document 3, "SDK objects" and "SDK operations". Names are the SDK's. Amounts are decimal text,
// because they leave Purser as JSON. Every object is loose because an SDK may report members that the document doesn't show.

/** The manufacturer's number of a device. */
const serialNumber = z.string().regex(/^[A-Za-z0-9-]{4,32}$/, 'must be 4 to 32 letters, digits or hyphens');

/** `enroll()`, and `enroll(with:)` where there is a serial number. */
export const enrollRequest = once(() => z.looseObject({ with: model(serialNumber).optional() }).optional());

export const enrolled = once(() => z.looseObject({ deviceId: platform(text) }));

/** What the bridge reports of itself when it connects. It answers every look at the device. */
const readerReport = once(() =>
  z.looseObject({
    /** `test` charges no real card. */
    environment: platform(z.enum(['test', 'live'])).optional(),
    serialNumber: platform(text).optional(),
    /** The first number of the handset's hardware identifier. */
    handsetGeneration: platform(z.int().nonnegative()).optional(),
    osVersion: platform(text).optional(),
    /** `YYYY-MM-DD`: when this version of the operating system was released. */
    osReleasedOn: platform(z.iso.date()).optional(),
    sdkVersion: platform(text).optional(),
    /** Whether it has shown the education screens since the last enrollment. */
    educationShown: platform(z.boolean()).optional(),
  }),
);

export const enrollmentStatus = once(() =>
  z.looseObject({
    status: platform(z.enum(enrollmentStates)),
    reader: readerReport().optional(),
  }),
);

const percentage = z.int().min(1).max(limits.tipPercent);

/** DV-10: a list of percentages, or what the customer types: the tip, or the total with it. */
const tip = once(() =>
  z
    .looseObject({
      percentageChoice: z
        .array(under('DV-10', model(percentage)))
        .min(1)
        .max(limits.tipElements)
        .optional(),
      input: under('DV-10', model(z.enum(['tipAmount', 'totalAmount']))).optional(),
    })
    .optional(),
);

export const chargeRequest = once(() =>
  z.looseObject({
    amount: model(amount),
    currency: model(currency),
    customIdentifier: server(text, 'reference'),
    tip: tip(),
    /** `false` creates a pre-authorization. */
    autocapture: model(z.boolean()).optional(),
  }),
);

export const creditRequest = once(() =>
  z.looseObject({
    amount: model(amount),
    currency: model(currency),
    customIdentifier: server(text, 'reference'),
  }),
);

const identifier = server(text, 'devicePayment.identifier');

export const incrementRequest = once(() =>
  z.looseObject({
    withID: identifier,
    withAmount: z.looseObject({ amount: model(amount), currency: server(currency, 'devicePayment.currency') }),
  }),
);

/** The SDK takes all that is left where there is no amount. Purser always says how much, so no more moves than was decided on. */
export const partRequest = once(() =>
  z.looseObject({
    withID: identifier,
    partiallyWithAmount: z.looseObject({ amount: computed(amount), currency: computed(currency) }).optional(),
  }),
);

export const receiptRequest = once(() => z.looseObject({ forID: identifier }));

/** D-91: a transaction's identifier, or its customIdentifier if no answer gave the identifier. */
export const lookupRequest = once(() => z.looseObject({ forID: computed(text) }));

/** Whether the currency has every amount of an answer: there is no 1.005 USD. */
const isMoney = ({
  currency: of,
  amount,
  tipAmount,
  capturedAmount,
  refundedAmount,
}: { readonly [M in AmountMember]?: string | undefined } & { readonly currency: string }): boolean =>
  [amount, tipAmount, capturedAmount, refundedAmount].every((it) => it === undefined || moneyFault(it, of) === null);

type AmountMember = 'amount' | 'tipAmount' | 'capturedAmount' | 'refundedAmount';

/** D-90: what an answer has of a transaction besides its identifier and status. */
export const transaction = once(() =>
  z
    .looseObject({
      identifier: platform(text),
      status: platform(z.enum(transactionStatuses)),
      type: platform(z.enum(['charge', 'credit'])).optional(),
      customIdentifier: platform(text).optional(),
      currency: platform(currency),
      /** The total, with the tip. */
      amount: platform(amount),
      tipAmount: platform(amount).optional(),
      /** `false`: a pre-authorization. */
      autocapture: platform(z.boolean()).optional(),
      capturedAmount: platform(amount).optional(),
      refundedAmount: platform(amount).optional(),
      /** When a pre-authorization expires: ISO 8601. */
      expirationDate: platform(text).optional(),
      /** What the reader prints or shows for the customer. */
      receiptText: platform(z.string()).optional(),
    })
    .refine(isMoney, 'has an amount that its currency does not have'),
);

export type TransactionAnswer = z.output<ReturnType<typeof transaction>>;
