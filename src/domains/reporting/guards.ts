import { limits } from '../../core/limits.ts';
import { day } from '../../core/schedule.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import type { reporting } from './contract.ts';
import { isReportable, partsOf, type Range, splitRange } from './ranges.ts';
import { scheduleFault } from './schedule-faults.ts';
import { defaultZone } from './zoned-time.ts';

const guard = guardOn<keyof typeof reporting>();

/** The guards of reporting. What a shape already states is not said again here. */
export const guards: readonly Guard[] = [
  guard('RP-12', {
    on: [
      ...(['listReportDefinitions', 'describeReportDefinition', 'listReportSubscriptions'] as const),
      ...(['getReportSubscription', 'saveReportSubscription', 'deleteReportSubscription'] as const),
      ...(['requestReport', 'listReports', 'getReport', 'downloadReport'] as const),
      ...(['getConversionDetails', 'getNetFundings', 'getPaymentBatchSummaries'] as const),
    ],
    holds: ({ args, merchant }) => args.organization === undefined || reportedOn(merchant).includes(args.organization),
    sees: () => 'The organization is not one whose reports the operator lets Purser ask for.',
    field: 'organization',
    instead: [],
  }),
  guard('RP-01', {
    on: ['saveReportSubscription'],
    holds: ({ args, things }) => [undefined, args.definition].includes(definitionsOf(things)[String(args.name)]),
    sees: () =>
      'A subscription of this name exists, and is of another definition. Neither can change: use another name.',
    field: 'definition',
    instead: ['get_report_subscription', 'save_report_subscription'],
  }),
  guard('RP-02', {
    on: ['saveReportSubscription', 'requestReport'],
    // Where the definition could not be read, the platform judges.
    holds: (facts) => strangeFields(facts).length === 0,
    sees: (facts) => `Not of this definition: ${strangeFields(facts).length} of the fields.`,
    quotes: strangeFields,
    field: 'fields',
    instead: ['describe_report_definition'],
  }),
  guard('RP-03', {
    on: ['saveReportSubscription'],
    holds: ({ args, things }) => {
      const names = Object.keys(definitionsOf(things));
      return names.includes(String(args.name)) || names.length < limits.reportSubscriptionElements;
    },
    sees: () =>
      `There are ${limits.reportSubscriptionElements} report subscriptions, and no more can be. Delete one first.`,
    field: 'name',
    instead: ['list_report_subscriptions', 'delete_report_subscription'],
  }),
  guard('RP-04', {
    on: ['saveReportSubscription'],
    holds: ({ args }) => faultIn(args) === undefined,
    sees: ({ args }) => faultIn(args)?.says ?? '',
    field: 'frequency',
    instead: [],
  }),
  guard('RP-05', {
    on: ['requestReport'],
    holds: (facts) => beingMade(facts) < limits.concurrentReportElements,
    sees: () =>
      `${limits.concurrentReportElements} one-time reports are being made, and no more can be at once. Ask again when one of them is finished.`,
    field: 'name',
    retry: 'same_call',
    instead: ['list_reports'],
  }),
  guard('RP-06', {
    on: ['requestReport'],
    holds: ({ args }) => isReportable(rangeIn(args), zoneIn(args)),
    sees: ({ args }) => splitIn(args),
    field: 'until',
    instead: ['request_report'],
  }),
  guard('RP-08', {
    on: ['downloadReport'],
    holds: ({ things: { report } }) => !unfinished.includes(report?.state ?? ''),
    sees: () => 'The report is not finished, so there is no file yet. Look again later.',
    field: 'report',
    retry: 'same_call',
    instead: ['get_report'],
  }),
  guard('RP-08', {
    on: ['downloadReport'],
    holds: ({ things: { report } }) => without[report?.state ?? ''] === undefined,
    sees: ({ things: { report } }) => without[report?.state ?? ''] ?? '',
    field: 'report',
    instead: ['get_report'],
  }),
  guard('RP-09', {
    on: ['getPaymentBatchSummaries'],
    holds: ({ args }) => (args.roll_up === undefined) === (args.breakdown === undefined),
    sees: ({ args }) =>
      `\`${args.roll_up === undefined ? 'roll_up' : 'breakdown'}\` is missing: both come together, or neither.`,
    field: 'roll_up',
    instead: ['get_payment_batch_summaries'],
  }),
];

/** How many one-time reports are being made. One that was requested longer ago than any takes is not. */
const beingMade = ({ things: { reportQueue }, now }: Facts): number =>
  (reportQueue?.body.running ?? []).filter(({ since }) => since > now - limits.reportDays * day).length;

const rangeIn = ({ from, until }: Facts['args']): Range => ({
  from: Date.parse(String(from)),
  to: Date.parse(String(until)),
});

/** The time zone of a report. The platform's own is that of a report that names none. */
const zoneIn = ({ time_zone }: Facts['args']): string => String(time_zone ?? defaultZone);

/** States of a report that is still being made. */
const unfinished: readonly string[] = ['PENDING', 'QUEUED', 'RUNNING', 'RERUN'];

/** Why there never is a file, by the state of its report. Where that is another, the platform judges. */
const without: { readonly [state: string]: string | undefined } = {
  ERROR: 'The report could not be made, so there is no file. Request it again under another name.',
  NO_DATA: 'Nothing happened in the range of the report, so there is no file.',
};

/** What to ask for in place of a range that is too long. */
function splitIn(args: Facts['args']): string {
  const [range, zone] = [rangeIn(args), zoneIn(args)];
  const parts = partsOf(range, zone);
  if (parts === 0) return 'The range ends before it begins.';
  const shown = splitRange(range, zone, limits.listedRangeElements).map(
    ({ from, to }) => `${new Date(from).toISOString()} until ${new Date(to).toISOString()}`,
  );
  const rest = parts > shown.length ? ', and so on' : '';
  return `One report covers ${limits.reportRangeDays} days at most. Ask for ${parts} reports: ${shown.join('; ')}${rest}.`;
}

/** The organizations whose reports a partner may ask for. Others have none to name. */
const reportedOn = ({ reportsFor = '' }: Facts['merchant']): readonly unknown[] =>
  reportsFor.split(',').map((id) => id.trim());

const definitionsOf = ({ reportList }: Facts['things']) => reportList?.body.definitions ?? {};

/** Fields that the definition, as far as it was read, doesn't have. */
function strangeFields({ args, things }: Facts): readonly string[] {
  const known = things.reportDefinition?.body.fields;
  if (known === undefined) return [];
  return ((args.fields ?? []) as readonly string[]).filter((field) => !known.includes(field)); // by the tool's schema
}

const faultIn = ({ frequency, day, interval }: Facts['args']) =>
  scheduleFault({
    frequency: String(frequency ?? ''),
    startDay: day === undefined ? undefined : Number(day),
    interval: interval === undefined ? undefined : String(interval),
  });
