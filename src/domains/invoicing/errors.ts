import { type ErrorReport, errorFormat } from '../../core/error-format.ts';
import { detailedError, statusWord } from '../errors.ts';

/** The error body of invoicing: public models of the platform's clients. */
export const invoicingError = errorFormat({
  ...detailedError,
  reasons: [
    ...['NOTFOUND', 'BADREQUEST', 'VALIDATION_ERRORS', 'ACTION_NOT_ALLOWED', 'INVALID_IMAGE', 'DUPLICATE_RECORD'],
  ],
  toBody: (error) => {
    const { status: code, message, details, at } = error;
    const [status, reason] = ownWords[reasonOf(error)] ?? [statusWord(code), error.reason];
    return {
      ...{ submitTimeUtc: at, status, reason, message },
      ...(details.length === 0 ? {} : { details: details.map((it) => ({ ...it, reason: detailReason(it.reason) })) }),
    };
  },
});

/** Invoicing's own status and reason, by the common reasons. */
const ownWords: { readonly [reason: string]: readonly [status: string, reason: string] | undefined } = {
  NOT_FOUND: ['NOTFOUND', 'NOTFOUND'],
  MISSING_FIELD: ['BADREQUEST', 'VALIDATION_ERRORS'],
  INVALID_DATA: ['BADREQUEST', 'VALIDATION_ERRORS'],
  INVALID_IMAGE: ['BADREQUEST', 'INVALID_IMAGE'],
  INVALID_STATE: ['BADREQUEST', 'ACTION_NOT_ALLOWED'],
  DUPLICATE_RECORD: ['BADREQUEST', 'DUPLICATE_RECORD'],
};

/** An invalid logo has its own reason. */
const reasonOf = ({ field, reason }: ErrorReport): string =>
  field === 'invoiceSettingsInformation.merchantLogo' ? 'INVALID_IMAGE' : reason;

/** Details have two reasons only. */
const detailReason = (reason: string): string => (reason === 'MISSING_FIELD' ? reason : 'INVALID_DATA');
