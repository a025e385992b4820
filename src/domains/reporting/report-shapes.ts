import { z } from 'zod';
import { computed, fixed, model, platform, server, text, under, word } from '../../core/fields.ts';
import { fileTypes } from '../../core/file-answer.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { definitionName, organizationId } from './definition-shapes.ts';
import {
  contentsShown,
  fieldName,
  filters,
  frequencies,
  preferences,
  reportName,
  timeZone,
} from './subscription-shapes.ts';

// The shapes of reports: document 3, "Retrieve available reports" and "Create one-time report", completed from public
// models of the platform's clients.

const moment = z.iso.datetime({ offset: true });

export const newReport = once(() =>
  z.looseObject({
    organizationId,
    reportDefinitionName: definitionName,
    reportFields: z.array(fieldName).min(1).max(limits.reportFieldElements),
    reportMimeType: under('RP-04', model(z.enum(fileTypes))).optional(),
    reportName,
    timezone: timeZone.optional(),
    reportStartTime: under('RP-06', model(moment)),
    reportEndTime: under('RP-06', model(moment)),
    reportFilters: filters.optional(),
    reportPreferences: preferences().optional(),
    selectedMerchantGroupName: model(text).optional(),
  }),
);

/** Which time of a report a search is about: that of its data, or that at which it was made. */
export const timeQueryTypes = ['reportTimeFrame', 'executedTime'] as const;

/** The states of a report. `RERUN` is of public models. */
/** The frequency of one-time reports. */
export const oneTime = 'ADHOC';

/** Whether reports can be searched for by a word: a frequency, in any spelling. */
const isFrequency = (word: string): boolean =>
  [...frequencies, oneTime].some((one) => one.toUpperCase() === word.toUpperCase());

export const reportStatuses = ['COMPLETED', 'PENDING', 'QUEUED', 'RUNNING', 'ERROR', 'NO_DATA'] as const;

export const reportSearch = once(() =>
  z.looseObject({
    organizationId,
    startTime: under('RP-07', model(moment)),
    endTime: under('RP-07', model(moment)),
    timeQueryType: under('RP-07', model(z.enum(timeQueryTypes))),
    reportMimeType: model(z.enum(fileTypes)).optional(),
    reportFrequency: model(z.string().refine(isFrequency, 'must be a frequency, or Adhoc')).optional(),
    reportName: under('RP-07', model(text)).optional(),
    reportDefinitionId: model(text).optional(),
    reportStatus: under('RP-07', model(z.enum(reportStatuses))).optional(),
  }),
);

/** Which file to download. `reportDate` is the day on which the range of the report ends, in its time zone (D-86). */
export const reportDownload = once(() =>
  z.looseObject({
    organizationId,
    reportName: under('RP-08', server(z.string().min(1), 'report.reportName')),
    reportDate: under('RP-08', computed(z.iso.date())),
    /** The time of day, with the offset; needed where several reports of a name end on one day. */
    reportTime: computed(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-]\d\d:\d\d)$/)).optional(),
    download: fixed('true').optional(),
  }),
);

const about = once(
  () =>
    ({
      organizationId: platform(text).optional(),
      reportId: platform(text),
      reportDefinitionId: platform(text).optional(),
      reportName: platform(z.string()),
      reportMimeType: platform(text).optional(),
      reportFrequency: platform(text).optional(),
      reportStartTime: platform(text).optional(),
      reportEndTime: platform(text).optional(),
      timezone: platform(text).optional(),
      selectedMerchantGroupName: platform(text).optional(),
      groupId: platform(text).optional(),
    }) as const,
);

export const reportResults = once(() =>
  z.looseObject({
    reportSearchResults: z.array(
      z.looseObject({
        ...about(),
        status: platform(word),
        _link: z
          .looseObject({
            reportDownload: z
              .looseObject({ href: platform(text).optional(), method: platform(text).optional() })
              .optional(),
          })
          .optional(),
        queuedTime: platform(text).optional(),
        reportGeneratingTime: platform(text).optional(),
        reportCompletedTime: platform(text).optional(),
        subscriptionType: platform(text).optional(),
      }),
    ),
  }),
);

/** D-25: what a report is, in JSON. */
export const reportMetadata = once(() =>
  z.looseObject({
    ...about(),
    reportStatus: platform(text),
    ...contentsShown(),
  }),
);
