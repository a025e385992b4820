import { z } from 'zod';
import { errorFormat } from '../../core/error-format.ts';
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

type Report = Parameters<ReturnType<typeof errorFormat>['toBody']>[0];

const bodyOf = ({ at, reason, message, details }: Report) => ({
  ...{ submitTimeUtc: at, reason, message },
  details: [...details],
});

/** The error body of operations whose 404 has no body. It has no `status`, unlike that of other domains. */
export const reportingReadError = errorFormat({
  schema: body.optional(),
  paths,
  reasons,
  toBody: (report) => (report.status === 404 ? undefined : bodyOf(report)),
});
