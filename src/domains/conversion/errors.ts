import { z } from 'zod';
import { type ErrorFormat, type ErrorReport, errorFormat } from '../../core/error-format.ts';
import { platform, text } from '../../core/fields.ts';
import { statusWord } from '../errors.ts';

/** Why there is no conversion: document 1, "Errors". */
export const conversionReasons = [
  'BIN_UNKNOWN',
  'CARD_TYPE_NOT_ACCEPTED',
  'CURRENCY_MATCH',
  'CURRENCY_NOT_ALLOWED',
  'CURRENCY_NOT_CONFIGURED',
  'DUPLICATE_REQUEST',
  'EXCHANGE_RATE_NOT_FOUND',
  'INVALID_ACQUIRER',
  'INVALID_AMOUNT',
  'INVALID_CARD',
  'INVALID_CURRENCY',
  'INVALID_MERCHANT_CONFIGURATION',
  'INVALID_TERMINAL',
  'LOOKUP_FAILED',
  'NOT_ELIGIBLE',
  'PROCESSOR_ERROR',
  'SERVICE_DISABLED',
  'UNKNOWN',
] as const;
export type ConversionReason = (typeof conversionReasons)[number];

/** Reasons of payments: public models of the platform's clients. */
const paymentReasons = [
  ...['DUPLICATE_REQUEST', 'INVALID_CARD', 'CARD_TYPE_NOT_ACCEPTED', 'INVALID_MERCHANT_CONFIGURATION'],
  ...['PROCESSOR_UNAVAILABLE', 'INVALID_AMOUNT', 'INVALID_CARD_TYPE', 'INVALID_PAYMENT_ID', 'NOT_SUPPORTED'],
];

/** The error body of conversion and payments: public models of the platform's clients. */
export const conversionError = errorFormat({
  schema: z.looseObject({
    id: platform(text).optional(),
    submitTimeUtc: platform(text).optional(),
    status: platform(text),
    reason: platform(text).optional(),
    message: platform(z.string()).optional(),
    details: z.array(z.looseObject({ field: platform(text).optional(), reason: platform(text).optional() })).optional(),
  }),
  paths: { reason: ['reason'], field: ['details[].field'], message: ['message'] },
  reasons: [...new Set([...conversionReasons, ...paymentReasons])],
  toBody: (error) => bodyOf(error, paymentsOwn),
});

/** That of an offer also names the request (D-121), and calls nothing a payment. */
export const offerError: ErrorFormat = {
  ...conversionError,
  toBody: (error) => ({ id: error.id, ...bodyOf(error, offersOwn) }),
};

type OwnReasons = { readonly [reason: string]: string | undefined };

const bodyOf = ({ status, reason, message, details, at }: ErrorReport, own: OwnReasons) => ({
  submitTimeUtc: at,
  status: statusWord(status),
  reason: own[reason] ?? reason,
  message,
  ...(details.length === 0 ? {} : { details: details.map((it) => ({ ...it, reason: own[it.reason] ?? it.reason })) }),
});

/** The payments' own reason for what other domains call otherwise. */
const paymentsOwn: OwnReasons = { INVALID_STATE: 'NOT_SUPPORTED', NOT_FOUND: 'INVALID_PAYMENT_ID' };
/** Those of offers: public models have MISSING_FIELD and INVALID_DATA alone. */
const offersOwn: OwnReasons = { INVALID_STATE: 'INVALID_DATA', NOT_FOUND: 'INVALID_DATA' };
