import { z } from 'zod';
import { errorFormat } from '../../core/error-format.ts';
import { platform, text } from '../../core/fields.ts';
import { detailedError, statusWord } from '../errors.ts';

/** What an error case of the SDK carries: document 3 does not show its content, so this is the simulated reader's (D-90). */
export const deviceError = errorFormat({
  schema: z.looseObject({
    reason: platform(text),
    message: platform(z.string()).optional(),
    field: platform(text).optional(),
  }),
  paths: { reason: ['reason'], field: ['field'], message: ['message'] },
  reasons: ['INVALID_DATA', 'INVALID_STATE', 'NOT_FOUND', 'NOT_ENROLLED', 'SYSTEM_ERROR'],
  toBody: ({ reason, message, field }) => ({ reason, message, ...(field === undefined ? {} : { field }) }),
});

/** The error body of key generation. Document 3 shows none, so it is that of billing and invoicing. */
export const keyError = errorFormat({
  ...detailedError,
  reasons: [],
  toBody: ({ status, reason, message, details, at }) => ({
    submitTimeUtc: at,
    status: statusWord(status),
    reason,
    message,
    ...(details.length === 0 ? {} : { details: [...details] }),
  }),
});
