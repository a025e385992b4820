import { z } from 'zod';
import { model, platform, text, under } from '../../core/fields.ts';
import { once } from '../../core/once.ts';
import { organizationId } from './definition-shapes.ts';

// The shapes of payment batch summaries: document 3, completed from public models of the platform's clients.

/** Document 3: `yyyy-MM-dd'T'HH:mm:ss.SSSZ`, the offset without a colon. */
const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:[+-]\d{4}|Z)$/;
const moment = z.iso.datetime({ offset: true });
const batchTime = z.string().refine(
  // With a colon in its offset it is a time as everywhere else: no 30 February.
  (at) => form.test(at) && moment.safeParse(at.replace(/(\d\d)(\d\d)$/, '$1:$2')).success,
  'must be a time with milliseconds and offset such as 2026-01-15T00:00:00.000+0000',
);

export const rollUps = ['day', 'week', 'month'] as const;
export type RollUp = (typeof rollUps)[number];
export const breakdowns = ['account_rollup', 'all_merchant', 'selected_merchant'] as const;

export const batchQuery = once(() =>
  z.looseObject({
    startTime: model(batchTime),
    endTime: model(batchTime),
    rollUp: under('RP-09', model(z.enum(rollUps))).optional(),
    breakdown: under('RP-09', model(z.enum(breakdowns))).optional(),
    startDayOfWeek: under('RP-09', model(z.string().regex(/^[1-7]$/, 'must be a day from 1 (Sunday) to 7'))).optional(),
    organizationId,
  }),
);

const count = platform(z.number());
const sum = platform(z.string().regex(/^-?\d{1,15}(\.\d{1,3})?$/, 'must be a decimal amount'));

/** Sales and refunds of one currency and payment method in one period. */
const batchSummary = once(() =>
  z.looseObject({
    currencyCode: platform(text),
    paymentSubTypeDescription: platform(text).optional(),
    startTime: platform(text).optional(),
    endTime: platform(text).optional(),
    salesCount: count,
    salesAmount: sum,
    creditCount: count,
    creditAmount: sum,
    accountName: platform(text).optional(),
    accountId: platform(text).optional(),
    merchantId: platform(text).optional(),
    merchantName: platform(text).optional(),
  }),
);

export const batchSummaries = once(() =>
  z.looseObject({
    startTime: platform(text).optional(),
    endTime: platform(text).optional(),
    paymentBatchSummaries: z.array(batchSummary()).optional(),
  }),
);
