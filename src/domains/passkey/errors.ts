import { z } from 'zod';
import { type ErrorReport, errorFormat } from '../../core/error-format.ts';
import { platform, text } from '../../core/fields.ts';

/** The error body of the token service: public models of the platform's clients. */
export const tokenServiceError = errorFormat({
  schema: z.looseObject({
    errors: z
      .array(
        z.looseObject({
          type: platform(text),
          message: platform(z.string()).optional(),
          details: z
            .array(z.looseObject({ name: platform(text).optional(), location: platform(text).optional() }))
            .optional(),
        }),
      )
      .min(1),
  }),
  paths: { reason: ['errors[].type'], field: ['errors[].details[].name'], message: ['errors[].message'] },
  reasons: [
    // The client reads every reason in capital letters.
    ...['INVALIDHEADERS', 'MISSINGHEADERS', 'INVALIDFIELDS', 'MISSINGFIELDS', 'INVALIDCOMBINATION'],
    ...['FORBIDDEN', 'DECLINED', 'NOTFOUND', 'CONFLICT', 'NOTAVAILABLE', 'INTERNALERROR'],
  ],
  statuses: { INVALID_STATE: 409, DECLINED: 403 },
  toBody: (error) => {
    const { message, details } = error;
    const named = details.map(({ field }) => ({ name: field, location: 'body' }));
    return { errors: [{ type: typeOf(error), message, ...(named.length === 0 ? {} : { details: named }) }] };
  },
});

/** The token service's own name of a reason. */
const typeOf = ({ status, reason }: ErrorReport): string => types[reason] ?? typeByStatus[status] ?? reason;

const types: { readonly [reason: string]: string | undefined } = {
  MISSING_FIELD: 'missingFields',
  INVALID_DATA: 'invalidFields',
  INVALID_STATE: 'conflict',
  NOT_FOUND: 'notFound',
  DECLINED: 'declined',
};

const typeByStatus: { readonly [status: number]: string | undefined } = { 500: 'internalError' };
