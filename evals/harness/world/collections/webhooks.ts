import { type Collection, documents, keyed, text } from '../collection.ts';

/** Webhook subscriptions of the platform, as scenarios name them. */
export const webhooksCollections = {
  webhooks: {
    frame: true,
    by: 'name',
    fields: { status: 'on the platform' },
    read: (sources) =>
      keyed(documents(sources, 'webhook').values(), ({ terms, state }) => [
        text((terms as { readonly name?: unknown }).name), // the sandbox's own documents
        { status: text(state) },
      ]),
  },
} as const satisfies Readonly<Record<string, Collection>>;
