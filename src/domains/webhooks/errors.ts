import { errorFormat } from '../../core/error-format.ts';
import { detailedError, statusWord } from '../errors.ts';

/** The error body of webhook subscriptions: public models of the platform's clients. */
export const webhooksError = errorFormat({
  ...detailedError,
  reasons: ['INVALID_DATA', 'SYSTEM_ERROR', 'RESOURCE_NOT_FOUND'],
  toBody: ({ status, reason, message, details, at }) => ({
    ...{ submitTimeUtc: at, status: statusWord(status), reason: ownReasons[reason] ?? reason, message },
    ...(details.length === 0 ? {} : { details: details.map((it) => ({ ...it, reason: detailReason(it.reason) })) }),
  }),
});

/** Their own reason for what other domains call otherwise. */
const ownReasons: { readonly [reason: string]: string | undefined } = {
  NOT_FOUND: 'RESOURCE_NOT_FOUND',
  MISSING_FIELD: 'INVALID_DATA',
  INVALID_STATE: 'INVALID_DATA',
};

/** Details have two reasons only. */
const detailReason = (reason: string): string => (reason === 'MISSING_FIELD' ? reason : 'INVALID_DATA');
