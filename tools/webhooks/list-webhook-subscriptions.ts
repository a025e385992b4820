import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import { webhookProducts } from '../../src/domains/webhooks/events.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { momentShown, stateShown, textsShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listState, none, unmatched } from '../offset-pages.ts';

const filter = queryField('listWebhookSubscriptions');

// A product or an event type that isn't known is a text of the platform's; names, descriptions and addresses always are somebody's.
const products = Object.keys(webhookProducts);
const events = Object.values(webhookProducts).flatMap(({ eventTypes }) => [...eventTypes]);
const shown = once(() =>
  z.looseObject({
    ...{ name: z.string().optional(), description: z.string().optional(), state: stateShown },
    events: z.array(z.looseObject({ product: textsShown(products), events: z.array(textsShown(events)) })),
    ...{ address: z.string().optional(), created: momentShown.optional() },
  }),
);

interface Listed {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly products?:
    | readonly { readonly productId: string; readonly eventTypes?: readonly string[] | undefined }[]
    | undefined;
  readonly webhookUrl?: string | undefined;
  readonly createdOn?: string | undefined;
}

const showSubscription = ({ name, description, status, products = [], webhookUrl, createdOn }: Listed) => ({
  ...(name === undefined ? {} : { name: untrusted(name) }),
  ...(description === undefined ? {} : { description: untrusted(description) }),
  // Public models: a subscription without a status was never switched on.
  state: untrusted(status ?? 'INACTIVE'),
  // Public models: a product without event types is no fault.
  events: products.map(({ productId, eventTypes = [] }) => ({
    product: untrusted(productId),
    events: eventTypes.map((it) => untrusted(it)),
  })),
  ...(webhookUrl === undefined ? {} : { address: untrusted(addressOf(webhookUrl)) }),
  ...(createdOn === undefined ? {} : { created: momentText(createdOn) }),
});

/** An address without user, password and query: these may hold a key of the merchant's. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'unreadable';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

const examples = products.slice(1, 3).join(' or ');

export const listWebhookSubscriptions: ToolSpec<'listWebhookSubscriptions'> = {
  description:
    "See which events the platform notifies the merchant's systems of, and where. Changing that is for the merchant's people.",
  input: {
    args: () => ({
      product: optional(filter('productId', `Such as ${examples}.`)),
      event: optional(filter('eventType', 'That cover this, such as tms.token.created.')),
    }),
  },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }, args) => listState(body.length, args),
  },
  present: {
    messages: {
      done: 'These are the webhook subscriptions. Only those that are ACTIVE notify anybody.',
      [none]: "There are no webhook subscriptions: the merchant's systems are notified of nothing.",
      [unmatched]: 'No webhook subscription covers that. Others may exist: leave an argument out.',
    },
    next: {
      '': { tools: [], because: 'What is subscribed to is changed by people of the merchant, not by an agent.' },
      [none]: { tools: [], because: 'What is subscribed to is changed by people of the merchant, not by an agent.' },
      [unmatched]: { tools: ['list_webhook_subscriptions'], because: 'There may be others.' },
    },
    outputSchema: () => z.looseObject({ items: z.array(shown()) }),
    toOutput: (_, __, { body }) => ({ items: body.map(showSubscription) }),
  },
};
