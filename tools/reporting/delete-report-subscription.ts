import { z } from 'zod';
import { handleShown, stateShown } from '../../src/engine/shown.ts';
import { platformTool, readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { organizationArg } from './organization.ts';
import { getReportSubscription } from './read-subscriptions.ts';
import { subscriptionEntity, theSubscriptionArg } from './subscriptions.ts';

export const deleteReportSubscription: ToolSpec<'deleteReportSubscription'> = {
  description: 'End a report subscription for good. Its finished reports stay.',
  input: {
    args: () => ({
      report_subscription: theSubscriptionArg,
      organization: organizationArg('deleteReportSubscription'),
    }),
  },
  // Somebody else may have saved it again, or deleted it.
  refresh: [
    {
      tool: platformTool('getReportSubscription', getReportSubscription),
      args: ({ report_subscription, organization }) => ({ report_subscription, organization }),
    },
  ],
  policy: { lockKey: () => 'report subscriptions' },
  observe: {
    moves: { kind: 'reportSubscription', entity: subscriptionEntity },
    observations: () => [{ kind: 'reportSubscription', body: {} }],
  },
  present: {
    messages: { DELETED: 'The subscription is deleted. Its finished reports stay.' },
    next: { DELETED: { tools: ['list_report_subscriptions'], because: 'Other subscriptions remain.' } },
    outputSchema: () => z.looseObject({ report_subscription: handleShown, state: stateShown }),
    shows: ({ reportSubscription: it }) => ({ report_subscription: it?.handle, state: it?.state }),
  },
  reconcile: {
    readBack: readBack('getReportSubscription', {
      with: ({ names, query }) => ({ names, query }),
      finds: (found) => (found === undefined ? { happened: undefined } : 'nothing'),
    }),
  },
};
