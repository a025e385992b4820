import { z } from 'zod';
import { type ErrorReport, errorFormat } from '../../core/error-format.ts';
import { platform, text } from '../../core/fields.ts';
import { statusWord } from '../errors.ts';

/** The error body of invoicing: public models of the platform's clients. */
export const invoicingError = errorFormat({
  schema: z.looseObject({
    submitTimeUtc: platform(text).optional(),
    status: platform(text),
    reason: platform(text),
    message: platform(z.string()).optional(),
    details: z.array(z.looseObject({ field: platform(text).optional(), reason: platform(text).optional() })).optional(),
  }),
  paths: { reason: ['reason'], field: ['details[].field'], message: ['message'] },
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

/** Invoicing's own status and reason for what other domains call otherwise. */
const ownWords: { readonly [reason: string]: readonly [status: string, reason: string] | undefined } = {
  NOT_FOUND: ['NOTFOUND', 'NOTFOUND'],
  MISSING_FIELD: ['BADREQUEST', 'VALIDATION_ERRORS'],
  INVALID_DATA: ['BADREQUEST', 'VALIDATION_ERRORS'],
  INVALID_IMAGE: ['BADREQUEST', 'INVALID_IMAGE'],
  INVALID_STATE: ['BADREQUEST', 'ACTION_NOT_ALLOWED'],
  DUPLICATE_RECORD: ['BADREQUEST', 'DUPLICATE_RECORD'],
};

/** A wrong logo has a reason of its own. */
const reasonOf = ({ field, reason }: ErrorReport): string =>
  field === 'invoiceSettingsInformation.merchantLogo' ? 'INVALID_IMAGE' : reason;

/** Details have two reasons only. */
const detailReason = (reason: string): string => (reason === 'MISSING_FIELD' ? reason : 'INVALID_DATA');
