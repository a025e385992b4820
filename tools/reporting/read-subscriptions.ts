import { z } from 'zod';
import { untrusted } from '../../src/engine/render.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { listState, none } from '../offset-pages.ts';
import { organizationArg } from './organization.ts';
import {
  contentsOutput,
  fieldsShown,
  showContents,
  showSubscription,
  subscriptionObservation,
  subscriptionOutput,
  theReportList,
  theSubscriptionArg,
} from './subscriptions.ts';

// Looking at report subscriptions.

export const listReportSubscriptions: ToolSpec<'listReportSubscriptions'> = {
  description: 'List recurring reports and when they are made.',
  input: { args: () => ({ organization: organizationArg('listReportSubscriptions') }) },
  observe: {
    observations: (_, { body }) => [
      ...body.subscriptions.map((it) => subscriptionObservation(it.reportName, it.reportDefinitionName ?? '')),
      {
        ...{ kind: 'reportList', handle: theReportList, owner: '', state: 'ACTIVE' },
        body: {
          definitions: Object.fromEntries(
            body.subscriptions.map((it) => [it.reportName, it.reportDefinitionName ?? '']),
          ),
        },
      },
    ],
    stateFromResponse: ({ body }) => listState(body.subscriptions.length),
  },
  present: {
    messages: { done: 'These are the report subscriptions.', [none]: 'There are no report subscriptions.' },
    next: {
      '': {
        tools: ['get_report_subscription', 'save_report_subscription', 'delete_report_subscription'],
        because: 'Each can be looked at, replaced or ended.',
      },
      [none]: { tools: ['list_report_definitions'], because: 'A subscription is of a definition.' },
    },
    empty: { subscriptions: [] },
    outputSchema: () => z.looseObject({ items: z.array(subscriptionOutput()) }),
    toOutput: (_, __, { body }) => ({ items: body.subscriptions.map(showSubscription) }),
  },
};

export const getReportSubscription: ToolSpec<'getReportSubscription'> = {
  description: "Look at one report subscription. What is hidden can't be saved again.",
  input: {
    args: () => ({ report_subscription: theSubscriptionArg, organization: organizationArg('getReportSubscription') }),
  },
  observe: {
    observations: (_, { body }) => [subscriptionObservation(body.reportName, body.reportDefinitionName ?? '')],
  },
  present: {
    messages: { done: 'This is the report subscription.' },
    next: {
      '': {
        tools: ['save_report_subscription', 'delete_report_subscription'],
        because: 'It can be replaced or ended.',
      },
    },
    outputSchema: () => subscriptionOutput().extend({ ...contentsOutput(), fields: fieldsShown }),
    toOutput: (_, __, { body }) => ({
      ...showSubscription(body),
      ...showContents(body),
      fields: (body.reportFields ?? []).map((field) => untrusted(field)),
    }),
  },
};
