import { errorFormat } from '../../core/error-format.ts';
import { detailedError, statusWord } from '../errors.ts';

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
