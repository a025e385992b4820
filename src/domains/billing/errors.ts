import { z } from 'zod';
import { errorFormat } from '../../core/error-format.ts';
import { platform, text } from '../../core/fields.ts';
import { statusWord } from '../errors.ts';

/** The error body of recurring billing: document 2. */
export const billingError = errorFormat({
  schema: z.looseObject({
    submitTimeUtc: platform(text).optional(),
    status: platform(text),
    reason: platform(text),
    message: platform(z.string()).optional(),
    details: z.array(z.looseObject({ field: platform(text).optional(), reason: platform(text).optional() })).optional(),
  }),
  paths: { reason: ['reason'], field: ['details[].field'], message: ['message'] },
  reasons: ['VALIDATION_ERROR'],
  toBody: ({ status, reason, message, details, at }) => ({
    submitTimeUtc: at,
    status: statusWord(status),
    reason: ownReasons[reason] ?? reason,
    message,
    ...(details.length === 0 ? {} : { details: [...details] }),
  }),
});

/** Billing's own reason for what other domains call otherwise. */
const ownReasons: { readonly [reason: string]: string } = {
  MISSING_FIELD: 'INVALID_DATA',
  INVALID_STATE: 'VALIDATION_ERROR',
};
