import { z } from 'zod';
import { type ErrorReport, errorFormat } from '../../core/error-format.ts';
import { platform, text } from '../../core/fields.ts';

// The error bodies of reporting: document 3 has none, public models of the platform's clients do.

const body = z.looseObject({
  submitTimeUtc: platform(text).optional(),
  reason: platform(text),
  message: platform(z.string()).optional(),
  details: z.array(z.looseObject({ field: platform(text).optional(), reason: platform(text).optional() })).optional(),
});

const paths = { reason: ['reason'], field: ['details[].field'], message: ['message'] } as const;
const reasons = ['INVALID_DATA', 'NOT_FOUND', 'SYSTEM_ERROR'] as const;

const bodyOf = ({ at, reason, message, details }: ErrorReport) => ({
  ...{ submitTimeUtc: at, reason, message },
  details: [...details],
});

/** The body of most operations. It has no `status`, unlike that of other domains. */
export const reportingError = errorFormat({ schema: body, paths, reasons, toBody: bodyOf });

/** The same for operations whose 404 has no body. */
export const reportingReadError = errorFormat({
  schema: body.optional(),
  paths,
  reasons,
  toBody: (report) => (report.status === 404 ? undefined : bodyOf(report)),
});

const words = platform(z.string()).optional();

/** The body of a subscription or a one-time report that is refused: another one than everywhere else. */
export const reportRequestError = errorFormat({
  schema: z.looseObject({
    code: platform(text),
    message: words,
    localizationKey: words,
    correlationId: words,
    detail: words,
    fields: z.array(z.looseObject({ path: words, message: words, localizationKey: words })).optional(),
  }),
  paths: { reason: ['code'], field: ['fields[].path'], message: ['message', 'detail'] },
  reasons: ['VALIDATION_ERROR', ...reasons],
  toBody: ({ status, reason, message, details }) => ({
    code: status === 400 ? 'VALIDATION_ERROR' : reason,
    message,
    fields: details.map(({ field }) => ({ path: field, message })),
  }),
});
