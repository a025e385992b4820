import { z } from 'zod';
import { model, platform, text, under } from '../../core/fields.ts';
import { fileTypes } from '../../core/file-answer.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { isNaming } from '../../core/operation.ts';
import { namingConventions } from './columns.ts';
import { definitionName, filtersInOne, filtersShown, organizationId } from './definition-shapes.ts';
import { timeZones } from './time-zones.ts';

// The shapes of report subscriptions: document 3, "Report subscription", completed from public models of the platform's
// clients.

/** Frequencies in both spellings: the document's, and that of public models. */
export const frequencies = [
  ...(['Daily', 'Weekly', 'Monthly'] as const),
  ...(['DAILY', 'WEEKLY', 'MONTHLY', 'USER_DEFINED'] as const),
] as const;

export const reportName = under(
  'RP-01',
  model(
    z
      .string()
      .min(1)
      .max(limits.reportNameCharacters)
      .refine((name) => !/[\p{Cc}\u2028\u2029]/u.test(name), 'must be one line'),
  ),
);

/** The name of a report subscription is a name in its address, too (D-153). */
const subscriptionName = reportName.refine(isNaming, 'must be one line of text, and more than dots');

export const fieldName = under(
  'RP-02',
  model(
    z
      .string()
      .max(limits.textCharacters)
      .regex(/^[A-Za-z][\w-]*\.[\w-]+$/, 'must be a field such as "Request.RequestID"'),
  ),
);

export const timeZone = under(
  'RP-04',
  model(z.string().refine((zone) => timeZones.includes(zone), 'must be one of the supported time zones')),
);

const filter = z.record(z.string().max(limits.textCharacters), z.array(text));

/** Values by field, as public models have them; document 3 calls them an array, so an array of those is taken, too (D-131). */
export const filters = model(z.preprocess(filtersInOne, filter));

export const preferences = once(() =>
  z.looseObject({
    signedAmounts: model(z.boolean()).optional(),
    fieldNameConvention: under('RP-04', model(z.enum(namingConventions))).optional(),
  }),
);

/** An ISO 8601 duration without fractions, for USER_DEFINED: each unit once, in order, and not nothing. */
const interval = z
  .string()
  .regex(
    /^P(?=.*[1-9])(\d{1,3}Y)?(\d{1,3}M)?(\d{1,3}W)?(\d{1,3}D)?(T(?=\d)(\d{1,4}H)?(\d{1,4}M)?)?$/,
    'must be a duration such as "PT6H"',
  );

export const newReportSubscription = once(() =>
  z.looseObject({
    organizationId,
    reportDefinitionName: definitionName,
    reportFields: z.array(fieldName).min(1).max(limits.reportFieldElements),
    reportMimeType: under('RP-04', model(z.enum(fileTypes))).optional(),
    reportFrequency: under('RP-04', model(z.enum(frequencies))).optional(),
    reportInterval: under('RP-04', model(interval)).optional(),
    reportName: subscriptionName,
    timezone: timeZone,
    startTime: under(
      'RP-04',
      model(z.string().regex(/^([01]\d|2[0-3])[0-5]\d$/, 'must be HHMM such as "0630"')),
    ).optional(),
    startDay: under('RP-04', model(z.int().min(1).max(31))).optional(),
    reportFilters: filters.optional(),
    reportPreferences: preferences().optional(),
    selectedMerchantGroupName: model(text).optional(),
  }),
);

export const organizationFilter = once(() => z.looseObject({ organizationId }));

/** What a report contains, in responses about it or its subscription. */
export const contentsShown = once(
  () =>
    ({
      reportFields: z.array(platform(text)).optional(),
      reportFilters: filtersShown.optional(),
      reportPreferences: z
        .looseObject({
          signedAmounts: platform(z.boolean()).optional(),
          fieldNameConvention: platform(text).optional(),
        })
        .optional(),
    }) as const,
);

/** A report subscription in responses. */
export const reportSubscription = once(() =>
  z.looseObject({
    organizationId: platform(text).optional(),
    reportDefinitionId: platform(text).optional(),
    reportDefinitionName: platform(text).optional(),
    reportMimeType: platform(text).optional(),
    reportFrequency: platform(text).optional(),
    reportInterval: platform(text).optional(),
    reportName: platform(text),
    timezone: platform(text).optional(),
    startTime: platform(text).optional(),
    startDay: platform(z.number()).optional(),
    ...contentsShown(),
    selectedMerchantGroupName: platform(text).optional(),
    groupId: platform(text).optional(),
  }),
);

export const reportSubscriptionList = once(() => z.looseObject({ subscriptions: z.array(reportSubscription()) }));
