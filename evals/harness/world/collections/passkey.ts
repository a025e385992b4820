import { type Collection, documents, keyed, observed, text } from '../collection.ts';

/** Authentications of cards, as scenarios name them. */
export const passkeyCollections = {
  authentications: {
    frame: true,
    by: 'handle of the card',
    fields: {
      ...{
        status: 'on the platform',
        requests: 'codes that were requested',
        verifications: 'wrong codes of the last one',
      },
      credentials: 'whether payment credentials were released',
    },
    read: (sources) => {
      const handles = new Map(
        observed(sources, 'card').map(({ handle, body }) => [String(body.instrumentIdentifierId), handle]),
      );
      return keyed(documents(sources, 'authentication'), ([id, body]) => [
        handles.get(id) ?? id,
        {
          status: text(body.state),
          requests: Number(body.requests),
          verifications: Number(body.verifications),
          credentials: body.state === 'AUTHENTICATED',
        },
      ]);
    },
  },
} as const satisfies Readonly<Record<string, Collection>>;
