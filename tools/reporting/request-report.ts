import { z } from 'zod';
import { day } from '../../src/core/schedule.ts';
import { iso, untrusted } from '../../src/engine/render.ts';
import { platformTool, readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { field, optional, undescribed } from '../../src/engine/tool-arguments.ts';
import { isAsSent } from '../read-back.ts';
import { describeReportDefinition } from './describe-report-definition.ts';
import { beingMade, listReportsBeingMade } from './read-reports.ts';
import { fieldsArg, filtersArg, formatArg, meetsDefinition } from './report-arguments.ts';

const asks = field('requestReport');

export const requestReport: ToolSpec<'requestReport'> = {
  description:
    'Request one report of a past period; other arguments as in save_report_subscription. In minutes to hours list_reports has it.',
  sharesArguments: {
    tool: 'save_report_subscription',
    otherwise: 'Request one report of a past period. In minutes to hours list_reports has it.',
  },
  input: {
    args: () => ({
      name: asks('reportName', 'New each time.'),
      definition: { ...asks('reportDefinitionName', 'Such as TransactionRequestClass.'), ...meetsDefinition },
      fields: fieldsArg,
      from: asks('reportStartTime', 'Begin.'),
      until: asks('reportEndTime', 'At most 31 days later.'),
      format: formatArg,
      ...undescribed({
        time_zone: optional(asks('timezone', '')),
        filters: filtersArg(),
        signed: optional(asks('reportPreferences.signedAmounts', '')),
        names: optional(asks('reportPreferences.fieldNameConvention', '')),
        group: optional(asks('selectedMerchantGroupName', '')),
      }),
      organization: optional(asks('organizationId', 'Partners only.')),
    }),
    reference: ({ args }) => String(args.name),
  },
  refresh: [
    {
      tool: platformTool('describeReportDefinition', describeReportDefinition),
      args: ({ definition, organization }) => ({ definition, organization }),
    },
    {
      tool: platformTool('listReports', listReportsBeingMade),
      args: ({ organization }, now) => ({ ...beingMade(now), organization }),
    },
  ],
  policy: { lockKey: () => '' },
  observe: { observations: () => [] },
  present: {
    messages: { done: 'The report is requested. It is made later, and at most three at once.' },
    next: { '': { tools: ['list_reports'], because: 'The list says when it is ready.' } },
    outputSchema: () => z.looseObject({ name: z.string() }),
    toOutput: (_, { args }) => ({ name: untrusted(String(args.name)) }),
  },
  reconcile: {
    // The search needs a time, and the platform's clock is that of the request.
    readBack: readBack('listReports', {
      notes: ({ now }) => ({ from: iso(now - day), until: iso(now + day) }),
      with: ({ reference, noted, body }) => ({
        names: {},
        query: {
          ...{ startTime: String(noted?.from), endTime: String(noted?.until) },
          ...{ timeQueryType: 'executedTime', reportName: reference },
          ...(body?.organizationId === undefined ? {} : { organizationId: String(body.organizationId) }),
        },
      }),
      finds: (found, { reference, body }) => {
        const named = found?.reportSearchResults.filter(({ reportName }) => reportName === reference) ?? [];
        if (named.length === 0) return 'nothing';
        // Somebody else may have taken the name for another one.
        return named.some((it) => isAsSent(it, body)) ? { happened: undefined } : 'unclear';
      },
    }),
    doubled: ({ code }) => (code === 'DECLINED' ? 'perhaps' : undefined),
  },
};
