import { type Collection, documents, keyed, text } from '../collection.ts';

/** The card reader, its books and the keys of devices, as scenarios name them. */
export const deviceCollections = {
  reader: {
    frame: true,
    by: '`reader`',
    fields: { state: 'of its device' },
    read: (sources) =>
      keyed(documents(sources, 'reader').values(), ({ id, state }) => [text(id), { state: text(state) }]),
  },
  deviceTransactions: {
    frame: true,
    by: 'reference, with `/` and a number from the second on',
    fields: {
      state: 'on the platform',
      total: 'decimal text, with the tip',
      tip: 'decimal text; empty without one',
      captured: 'decimal text',
      refunded: 'decimal text',
      currency: 'of all of them',
    },
    read: (sources) => {
      const all = [...documents(sources, 'deviceTransaction').values()].toSorted(
        (one, other) => Number(one.number) - Number(other.number),
      );
      return keyed(
        [...Map.groupBy(all, ({ customIdentifier }) => text(customIdentifier))].flatMap(([reference, its]) =>
          its.map((it, at) => ({ key: at === 0 ? reference : `${reference}/${at + 1}`, it })),
        ),
        ({ key, it }) => [
          key,
          {
            ...{ state: text(it.state), total: text(it.amount), tip: text(it.tipAmount), currency: text(it.currency) },
            ...{ captured: text(it.capturedAmount), refunded: text(it.refundedAmount) },
          },
        ],
      );
    },
  },
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
