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
  chargebacks: {
    frame: true,
    by: 'currency',
    fields: { amount: 'decimal text' },
    read: (sources) =>
      keyed(documents(sources, 'chargeback').values(), ({ amount, currency }) => [
        text(currency),
        { amount: text(amount) },
      ]),
  },
  reportFiles: {
    frame: true,
    by: 'name of the report',
    fields: { bytes: 'its size' },
    read: (sources) => {
      const reports = documents(sources, 'report');
      return keyed(documents(sources, 'reportFile').values(), ({ id, text: content }) => [
        text((reports.get(text(id))?.terms as Readonly<Record<string, unknown>> | undefined)?.reportName), // the sandbox's own documents
        { bytes: text(content).length },
      ]);
    },
  },
} as const satisfies Readonly<Record<string, Collection>>;
