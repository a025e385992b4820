import { z } from 'zod';
import { errorFormat } from '../../core/error-format.ts';
import { blob, platform, text } from '../../core/fields.ts';
import { statusWord } from '../errors.ts';

/** The error body of the agent operations: document 1. */
export const agentError = errorFormat({
  schema: z.looseObject({
    error: z.looseObject({
      status: platform(text),
      reason: platform(text),
      message: platform(blob),
      detail: z
        .looseObject({
          reason: platform(text).optional(),
          source: platform(text).optional(),
          sourceType: platform(text).optional(),
          message: platform(blob).optional(),
        })
        .optional(),
    }),
  }),
  paths: { reason: ['error.reason'], field: ['error.detail.source'], message: ['error.message'] },
  reasons: ['INVALID_STATE'],
  toBody: ({ status, reason, message, field }) => ({
    error: {
      status: statusWord(status),
      reason,
      message,
      ...(field === undefined ? {} : { detail: { reason, source: field, sourceType: 'FIELD', message } }),
    },
  }),
});
