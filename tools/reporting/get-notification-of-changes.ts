import { z } from 'zod';
import { momentText } from '../../src/engine/render.ts';
import { momentShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { listState, none } from '../offset-pages.ts';
import { rangeArgs, shownAs } from './on-demand-arguments.ts';

const words = z.string().optional();

/** The end of a bank account's number: nobody needs more of it to find the customer. */
const endOf = (number: string | undefined): string | undefined => number?.slice(-endCharacters);
const endCharacters = 4;

export const getNotificationOfChanges: ToolSpec<'getNotificationOfChanges'> = {
  description: 'List accounts of electronic checks that banks corrected after settlement.',
  input: { args: () => rangeArgs('getNotificationOfChanges') },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }) => listState(body.notificationOfChanges.length),
  },
  present: {
    messages: {
      done: 'These are the changes. Accounts are shown by their last four characters.',
      [none]: 'No account was corrected in this range.',
    },
    next: {
      '': { tools: [], because: 'Changes are an answer by themselves.' },
      [none]: { tools: [], because: 'Another range may have some.' },
    },
    empty: { notificationOfChanges: [] },
    outputSchema: () =>
      z.looseObject({
        items: z.array(
          z.looseObject({
            ...{ reference: words, at: momentShown.optional(), code: words, account_type: words },
            ...{ account_end: words, routing_end: words, name: words },
          }),
        ),
      }),
    toOutput: (_, __, { body }) => ({
      items: body.notificationOfChanges.map((it) => ({
        ...shownAs('reference', it.merchantReferenceNumber),
        ...(it.time === undefined ? {} : { at: momentText(it.time) }),
        ...{ ...shownAs('code', it.code), ...shownAs('account_type', it.accountType) },
        ...shownAs('account_end', endOf(it.accountNumber)),
        ...{ ...shownAs('routing_end', endOf(it.routingNumber)), ...shownAs('name', it.consumerName) },
      })),
    }),
  },
};
