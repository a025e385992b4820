import { errorFormat } from '../../core/error-format.ts';
import { detailedError, statusWord } from '../errors.ts';

/** The error body of recurring billing: document 2. */
export const billingError = errorFormat({
  ...detailedError,
  // The reason of a field says more than the common one: DUPLICATE, say, where that is INVALID_DATA.
  paths: { ...detailedError.paths, reason: ['details[].reason', 'reason'] },
  reasons: ['VALIDATION_ERROR', 'UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE'],
  toBody: ({ status, reason, message, details, at }) => ({
    submitTimeUtc: at,
    status: statusWord(status),
    reason: ownReasons[reason] ?? reason,
    message,
    ...(details.length === 0 ? {} : { details: [...details] }),
  }),
});

/** Billing's own reasons, by the common ones. */
const ownReasons: { readonly [reason: string]: string } = {
  MISSING_FIELD: 'INVALID_DATA',
  INVALID_STATE: 'VALIDATION_ERROR',
};
