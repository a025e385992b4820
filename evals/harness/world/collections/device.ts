import { type Collection, documents, keyed, text } from '../collection.ts';

/** Device keys of the platform, as scenarios name them. */
export const deviceCollections = {
  deviceKeys: {
    frame: true,
    by: 'merchant ID',
    fields: { keys: 'how many there are' },
    read: (sources) => {
      const owners = [...documents(sources, 'deviceKey').values()].map(({ merchantId }) => text(merchantId));
      return keyed(new Set(owners), (owner) => [owner, { keys: owners.filter((one) => one === owner).length }]);
    },
  },
} as const satisfies Readonly<Record<string, Collection>>;
