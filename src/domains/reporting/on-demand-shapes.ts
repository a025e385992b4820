import { z } from 'zod';
import { model, platform, text, under } from '../../core/fields.ts';
import { fileOr, fileTypes } from '../../core/file-answer.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { organizationId } from './definition-shapes.ts';

// The shapes of the reports that are made on demand: document 3, completed from public models of the platform's clients.

const moment = z.iso.datetime({ offset: true });
const range = once(() => ({ startTime: model(moment), endTime: model(moment) }) as const);
const word = platform(text).optional();
const words = platform(z.string()).optional();
const count = platform(z.number()).optional();
const sum = platform(z.string().regex(/^-?\d{1,15}(\.\d{1,3})?$/, 'must be a decimal amount'));
const groupName = model(text).optional();

export const conversionQuery = once(() => z.looseObject({ ...range(), organizationId }));

/** Decisions on orders that were reviewed: what was decided first, and what a reviewer made of it. */
export const conversionDetails = once(() =>
  fileOr(
    z.looseObject({
      ...{ organizationId: word, startTime: word, endTime: word },
      conversionDetails: z.array(
        z.looseObject({
          ...{ merchantReferenceNumber: words, conversionTime: word, requestId: word },
          ...{ originalDecision: word, newDecision: word, reviewer: words, reviewerComments: words },
          ...{ queue: words, profile: words },
          notes: z.array(z.looseObject({ time: word, addedBy: words, comments: words })).optional(),
        }),
      ),
    }),
    fileTypes,
    { element: 'ConversionDetail' },
  ),
);

export const changesQuery = once(() => z.looseObject(range()));

/** Bank accounts of electronic checks that are wrong or have changed, as the banks say after a settlement. */
export const notificationOfChanges = once(() =>
  z.looseObject({
    notificationOfChanges: z.array(
      z.looseObject({
        ...{ merchantReferenceNumber: words, transactionReferenceNumber: words, time: word, code: word },
        ...{ accountType: words, routingNumber: words, accountNumber: words, consumerName: words },
      }),
    ),
  }),
);

/** Whose purchases: all, a card network by its code, or PINless debit. */
export const paymentSubtypes = ['ALL', 'VI', 'MC', 'AX', 'DI', 'DP'] as const;
export const views = ['requestDate', 'submissionDate'] as const;

const wholeNumber = (least: number, most: number) =>
  z.string().refine((written) => {
    const number = Number(written);
    return /^\d{1,9}$/.test(written) && number >= least && number <= most;
  }, `must be a whole number from ${least} to ${most}`);

export const purchaseQuery = once(() =>
  z.looseObject({
    ...range(),
    paymentSubtype: model(z.enum(paymentSubtypes)).optional(),
    viewBy: model(z.enum(views)).optional(),
    groupName,
    offset: under('RP-10', model(wholeNumber(0, limits.detailOffsetRows))).optional(),
    limit: under('RP-10', model(wholeNumber(1, limits.detailRows))).optional(),
  }),
);

const of = once(() => ({ requestId: platform(text) }) as const);

/** Parts of the same purchases and refunds, joined by `requestId`. Past the last one there is no part (RP-10). */
export const purchaseDetails = once(() =>
  fileOr(
    z.looseObject({
      ...{ offset: count, limit: count, pageResults: count },
      requestDetails: z
        .array(
          z.looseObject({
            ...of(),
            ...{ processorMerchantId: words, groupName: words },
            ...{ transactionReferenceNumber: words, merchantReferenceNumber: words },
          }),
        )
        .optional(),
      settlements: z
        .array(
          z.looseObject({
            ...of(),
            ...{ transactionType: word, submissionTime: word, amount: sum.optional(), currencyCode: word },
            ...{ paymentMethod: words, walletType: words, paymentType: words, accountSuffix: word },
            ...{ cardType: words, debitNetwork: words },
          }),
        )
        .optional(),
      authorizations: z
        .array(
          z.looseObject({
            ...of(),
            ...{ transactionReferenceNumber: words, time: word, authorizationRequestId: word },
            ...{ amount: sum.optional(), currencyCode: word, code: words, rcode: words },
          }),
        )
        .optional(),
      feeAndFundingDetails: z
        .array(
          z.looseObject({
            ...of(),
            ...{ interchangePerItemFee: words, interchangeDescription: words, interchangePercentage: words },
            ...{ interchangePercentageAmount: sum.optional(), discountPercentage: words },
            ...{
              discountAmount: sum.optional(),
              discountPerItemFee: words,
              totalFee: sum.optional(),
              feeCurrency: word,
            },
            ...{ duesAssessments: sum.optional(), fundingAmount: sum.optional(), fundingCurrency: word },
          }),
        )
        .optional(),
      others: z
        .array(
          z.looseObject({
            ...of(),
            ...{ merchantData1: words, merchantData2: words, merchantData3: words, merchantData4: words },
            ...{ firstName: words, lastName: words },
          }),
        )
        .optional(),
      settlementStatuses: z
        .array(z.looseObject({ ...of(), status: word, settlementTime: word, reasonCode: words, errorText: words }))
        .optional(),
    }),
    fileTypes,
    {
      element: 'PurchaseRefundDetail',
      sums: { amount: ['fundingAmount'], currency: ['currencyCode'], at: ['submissionTime'] },
    },
  ),
);

export const fundingQuery = once(() => z.looseObject({ ...range(), organizationId, groupName }));

export const fundingTypes = ['PURCHASES', 'REFUNDS', 'FEES', 'CHARGEBACKS'] as const;
export type FundingType = (typeof fundingTypes)[number];

const totals = once(() => z.array(z.looseObject({ currency: platform(text), value: sum })).optional());

/** What was paid out to the merchant, and what of it was taken off. */
export const netFundings = once(() =>
  z.looseObject({
    ...{ startTime: word, endTime: word },
    netFundingSummaries: z
      .array(
        z.looseObject({
          ...{ type: platform(text), paymentSubType: words, currencyCode: platform(text) },
          ...{ conveyedCount: count, conveyedAmount: sum.optional(), settledCount: count },
          ...{ fundedCount: count, fundedAmount: sum.optional() },
        }),
      )
      .optional(),
    ...{
      totalPurchases: totals(),
      totalRefunds: totals(),
      totalFees: totals(),
      totalChargebacks: totals(),
      netTotal: totals(),
    },
  }),
);
