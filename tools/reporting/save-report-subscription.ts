import { z } from 'zod';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import { handleShown } from '../../src/engine/shown.ts';
import { platformTool, type ToolSpec } from '../../src/engine/tool.ts';
import { field, optional } from '../../src/engine/tool-arguments.ts';
import { describeReportDefinition } from './describe-report-definition.ts';
import { listReportSubscriptions } from './read-subscriptions.ts';
import { fieldsArg, filtersArg, formatArg, frequencyArg, meetsDefinition } from './report-arguments.ts';
import { listObservation, subscriptionEntity, subscriptionObservation } from './subscriptions.ts';

const saves = field('saveReportSubscription');

const unchanged = 'unchanged';

export const saveReportSubscription: ToolSpec<'saveReportSubscription'> = {
  description: 'Schedule a recurring report, or replace the subscription of that name: what you leave out is removed.',
  input: {
    args: () => ({
      name: {
        ...saves('reportName', 'Never changes.'),
        mayMatch: { kind: 'reportSubscription', handle: (given) => handleFor('reportSubscription', given) },
      },
      definition: {
        ...saves('reportDefinitionName', 'Never changes.'),
        ...meetsDefinition,
      },
      fields: fieldsArg,
      frequency: frequencyArg,
      interval: optional(saves('reportInterval', 'If user_defined: ISO 8601, such as PT6H.')),
      day: optional(saves('startDay', 'Weekly 1 to 7 (1 = Sunday), monthly 1 to 31.')),
      time: optional(saves('startTime', 'HHMM.')),
      time_zone: saves('timezone', 'Such as Europe/London.'),
      format: formatArg,
      filters: filtersArg(),
      signed: optional(saves('reportPreferences.signedAmounts', 'Refunds are negative.')),
      names: optional(saves('reportPreferences.fieldNameConvention', 'Column names: underscores or camel case.')),
      group: optional(saves('selectedMerchantGroupName', 'Of merchants.')),
      organization: optional(saves('organizationId', 'Partners only.')),
    }),
  },
  refresh: [
    {
      tool: platformTool('describeReportDefinition', describeReportDefinition),
      args: ({ definition, organization }) => ({ definition, organization }),
    },
    {
      tool: platformTool('listReportSubscriptions', listReportSubscriptions),
      args: ({ organization }) => ({ organization }),
    },
  ],
  policy: { lockKey: () => 'report subscriptions' },
  observe: {
    moves: { kind: 'reportSubscription', entity: subscriptionEntity },
    observations: ({ args, things }) => [
      subscriptionObservation(String(args.name), String(args.definition)),
      ...listObservation(things, String(args.name), String(args.definition)),
    ],
    stateFromResponse: ({ status }) => (status === 304 ? unchanged : ''),
  },
  present: {
    messages: {
      done: 'The subscription is saved.',
      [unchanged]: 'The subscription was like this already; nothing is changed.',
    },
    next: {
      '': { tools: ['get_report_subscription'], because: 'It shows what was saved.' },
      [unchanged]: { tools: ['get_report_subscription'], because: 'It shows what is there.' },
    },
    outputSchema: () => z.looseObject({ report_subscription: handleShown, name: z.string() }),
    toOutput: (_, { args }) => ({
      report_subscription: handleFor('reportSubscription', String(args.name)),
      name: untrusted(String(args.name)),
    }),
  },
};
