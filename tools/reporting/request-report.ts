import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { day } from '../../src/core/schedule.ts';
import { iso, untrusted } from '../../src/engine/render.ts';
import { platformTool, readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { field, optional } from '../../src/engine/tool-arguments.ts';
import { describeReportDefinition } from './describe-report-definition.ts';
import { listReportsBeingMade } from './read-reports.ts';
import { fieldsArg, filtersArg, formatArg, meetsDefinition } from './report-arguments.ts';

const asks = field('requestReport');

export const requestReport: ToolSpec<'requestReport'> = {
  description: 'Have one report made of a past time, once. It takes minutes to hours: find it by list_reports.',
  input: {
    args: {
      name: asks('reportName', 'New for each report.'),
      definition: { ...asks('reportDefinitionName', 'Such as TransactionRequestClass.'), ...meetsDefinition },
      fields: fieldsArg,
      from: asks('reportStartTime', 'ISO 8601.'),
      until: asks('reportEndTime', 'At most 31 days later.'),
      time_zone: optional(asks('timezone', 'Such as Europe/London.')),
      format: formatArg,
      filters: filtersArg,
      signed: optional(asks('reportPreferences.signedAmounts', 'Refunds are negative.')),
      names: optional(asks('reportPreferences.fieldNameConvention', 'Underscores or camel case.')),
      group: optional(asks('groupName', 'Of merchants.')),
      organization: optional(asks('organizationId', 'For partners alone.')),
    },
    reference: ({ args }) => String(args.name),
  },
  refresh: [
    {
      tool: platformTool('describeReportDefinition', describeReportDefinition),
      args: ({ definition }) => ({ definition }),
    },
    {
      tool: platformTool('listReports', listReportsBeingMade),
      args: (_, now) => ({ from: iso(now - limits.reportDays * day), until: iso(now + day), by: 'made' }),
    },
  ],
  policy: { lockKey: () => '' },
  observe: { observations: () => [] },
  present: {
    messages: { done: 'The report is requested. It is made later, and at most three at once.' },
    next: { '': { tools: ['list_reports'], because: 'The list says when it is ready.' } },
    outputSchema: z.looseObject({ name: z.string() }),
    toOutput: (_, { args }) => ({ name: untrusted(String(args.name)) }),
  },
  reconcile: {
    // The search needs a time, and the platform's clock is that of the request.
    readBack: readBack('listReports', {
      notes: ({ now }) => ({ from: iso(now - day), until: iso(now + day) }),
      with: ({ reference, noted }) => ({
        names: {},
        query: {
          ...{ startTime: String(noted?.from), endTime: String(noted?.until) },
          ...{ timeQueryType: 'executedTime', reportName: reference },
        },
      }),
      finds: (found, { reference }) =>
        found?.reportSearchResults.some(({ reportName }) => reportName === reference) === true
          ? { happened: undefined }
          : 'nothing',
    }),
  },
};
