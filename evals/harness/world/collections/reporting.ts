import { type Collection, documents, keyed, text } from '../collection.ts';

/** Report subscriptions of the platform, as scenarios name them. */
export const reportingCollections = {
  reportSubscriptions: {
    frame: true,
    by: 'name',
    fields: { definition: 'its name', frequency: 'in capitals', time: 'HHMM', fields: 'list of names' },
    read: (sources) =>
      keyed(documents(sources, 'reportSubscription').values(), ({ terms }) => {
        const its = terms as Readonly<Record<string, unknown>>; // the sandbox's own documents
        return [
          text(its.reportName),
          {
            ...{ definition: text(its.reportDefinitionName), frequency: text(its.reportFrequency) },
            ...{ time: text(its.startTime), fields: its.reportFields as string[] },
          },
        ];
      }),
  },
  reports: {
    frame: true,
    by: 'name',
    fields: { state: 'on the platform' },
    read: (sources) =>
      keyed(documents(sources, 'report').values(), ({ terms, state }) => [
        text((terms as Readonly<Record<string, unknown>>).reportName), // the sandbox's own documents
        { state: text(state) },
      ]),
  },
} as const satisfies Readonly<Record<string, Collection>>;
