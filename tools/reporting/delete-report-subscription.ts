import { z } from 'zod';
import { handleShown, stateShown } from '../../src/engine/shown.ts';
import { readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { organizationArg } from './organization.ts';
import { theSubscriptionArg } from './subscriptions.ts';

export const deleteReportSubscription: ToolSpec<'deleteReportSubscription'> = {
  description: 'End a report subscription for good. Its finished reports stay.',
  input: {
    args: { report_subscription: theSubscriptionArg, organization: organizationArg('deleteReportSubscription') },
  },
  policy: { lockKey: () => 'report subscriptions' },
  observe: {
    observations: () => [{ kind: 'reportSubscription', state: 'DELETED', body: {} }],
  },
  present: {
    messages: { done: 'The subscription is deleted. That is final.' },
    next: { '': { tools: ['list_report_subscriptions'], because: 'Other subscriptions remain.' } },
    outputSchema: z.looseObject({ report_subscription: handleShown, state: stateShown }),
    toOutput: ({ reportSubscription: it }) => ({ report_subscription: it?.handle, state: it?.state }),
  },
  reconcile: {
    readBack: readBack('getReportSubscription', {
      with: ({ names, query }) => ({ names, query }),
      finds: (found) => (found === undefined ? { happened: undefined } : 'nothing'),
    }),
  },
};
