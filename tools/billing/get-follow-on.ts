import { z } from 'zod';
import { handleFor } from '../../src/engine/handles.ts';
import { monthText, untrusted } from '../../src/engine/render.ts';
import { handleShown, monthShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { matching } from '../../src/engine/tool-arguments.ts';

export const getFollowOn: ToolSpec<'getFollowOn'> = {
  description: 'Look up an earlier payment by its request id, to create a subscription for its customer.',
  input: {
    args: () => ({ payment: matching(/^[\w-]{1,64}$/, 'Request id of the payment.') }),
  },
  observe: {
    observations: ({ args }, { body }) => {
      const { card, billTo } = body.paymentInstrument ?? {};
      return [
        {
          kind: 'followOn',
          handle: handleFor('followOn', String(args.payment)),
          state: 'FOUND',
          body: {
            requestId: String(args.payment),
            customerName: [billTo?.firstName, billTo?.lastName].filter((part) => part !== undefined).join(' '),
            expires: [card?.expirationMonth, card?.expirationYear].filter((part) => part !== undefined).join('/'),
          },
        },
      ];
    },
  },
  present: {
    messages: { done: 'This is the customer of that payment.' },
    next: {
      '': { tools: ['create_follow_on_subscription'], because: 'The payment is looked up for its subscription.' },
    },
    outputSchema: () => z.looseObject({ follow_on: handleShown, customer: z.string(), expires: monthShown }),
    toOutput: ({ followOn }) => ({
      follow_on: followOn?.handle,
      customer: untrusted(followOn?.body.customerName ?? ''),
      expires: monthText(followOn?.body.expires),
    }),
  },
};
