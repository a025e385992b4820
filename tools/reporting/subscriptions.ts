import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { namingConventions } from '../../src/domains/reporting/columns.ts';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { reportFields } from '../../src/domains/reporting/field-groups.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import { countShown, digitsShown, handleShown, textsShown } from '../../src/engine/shown.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { formatShown, frequencyShown, showFormat, showFrequency } from './report-arguments.ts';

// What the tools of report subscriptions share.

/** The handle of the merchant's list of report subscriptions. There is one. */
export const theReportList = handleFor('reportList', 'own');

export const theSubscriptionArg = handle('reportSubscription', 'From list_report_subscriptions.');

// The name, and what isn't one of the platform's words, is a text of somebody else's.
export const subscriptionOutput = once(() =>
  z.looseObject({
    report_subscription: handleShown,
    name: z.string(),
    definition: textsShown(definitionNames).optional(),
    format: formatShown.optional(),
    frequency: frequencyShown.optional(),
    interval: z.string().optional(),
    day: countShown.optional(),
    time: digitsShown.optional(),
    time_zone: textsShown(timeZones).optional(),
  }),
);

const fieldShown = textsShown(reportFields.map(({ id }) => id));
export const fieldsShown = z.array(fieldShown);
/** There is one, which is not shown as it is, so it can't be saved again. */
const isHidden = z.literal(true);

/** What else a report contains: who saves a subscription again without one of these removes it. */
export const contentsOutput = once(
  () =>
    ({
      filters: z
        .array(
          z.looseObject({ field: fieldShown, values: z.array(z.string()).optional(), hidden: isHidden.optional() }),
        )
        .optional(),
      signed: z.boolean().optional(),
      names: textsShown(namingConventions).optional(),
      group: z.string().optional(),
      group_hidden: isHidden.optional(),
      group_id: z.string().optional(),
    }) as const,
);

interface Contents {
  readonly reportFilters?: { readonly [field: string]: readonly string[] } | undefined;
  readonly reportPreferences?:
    | { readonly signedAmounts?: boolean | undefined; readonly fieldNameConvention?: string | undefined }
    | undefined;
  readonly selectedMerchantGroupName?: string | undefined;
  readonly groupId?: string | undefined;
}

export const showContents = ({
  reportFilters,
  reportPreferences: { signedAmounts, ...it } = {},
  selectedMerchantGroupName,
  groupId,
}: Contents) => ({
  ...(reportFilters === undefined
    ? {}
    : {
        filters: Object.entries(reportFilters).map(([field, values]) => ({
          field: untrusted(field),
          ...(values.every(isShownWhole) ? { values } : { hidden: true }),
        })),
      }),
  ...(signedAmounts === undefined ? {} : { signed: signedAmounts }),
  ...said('names', it.fieldNameConvention),
  ...groupShown({ group: selectedMerchantGroupName }),
  ...said('group_id', groupId),
});

/** Whether a text is shown as it is. A part of one must not be saved again in its place. */
const isShownWhole = (value: string): boolean => untrusted(value) === value;

const groupShown = ({ group }: { readonly group: string | undefined }) =>
  group === undefined || isShownWhole(group) ? said('group', group) : { group_hidden: true };

/** The subscription of a call, as its machine reads it. */
export const subscriptionEntity = ({ reportSubscription }: Facts['things']) => ({
  state: reportSubscription?.state ?? 'none',
});

/** A report subscription in a response. */
export interface Listed {
  readonly reportName: string;
  readonly reportDefinitionName?: string | undefined;
  readonly reportMimeType?: string | undefined;
  readonly reportFrequency?: string | undefined;
  readonly reportInterval?: string | undefined;
  readonly startDay?: number | undefined;
  readonly startTime?: string | undefined;
  readonly timezone?: string | undefined;
  readonly reportFields?: readonly string[] | undefined;
}

const said = <N extends string>(name: N, value: string | undefined) =>
  value === undefined ? {} : { [name]: untrusted(value) };

export const showSubscription = (it: Listed) => ({
  ...{ report_subscription: handleFor('reportSubscription', it.reportName), name: untrusted(it.reportName) },
  ...said('definition', it.reportDefinitionName),
  ...(it.reportMimeType === undefined ? {} : { format: showFormat(it.reportMimeType) }),
  ...(it.reportFrequency === undefined ? {} : { frequency: showFrequency(it.reportFrequency) }),
  ...said('interval', it.reportInterval),
  ...(it.startDay === undefined ? {} : { day: it.startDay }),
  ...said('time', it.startTime),
  ...said('time_zone', it.timezone),
});

/** What is known of a report subscription that exists. */
export const subscriptionObservation = (reportName: string, definition: string) => ({
  kind: 'reportSubscription' as const,
  handle: handleFor('reportSubscription', reportName),
  owner: '',
  state: 'ACTIVE',
  body: { reportName, definition },
});

/** The list of subscriptions after one was saved. Nothing where the list was never read. */
export const listObservation = ({ reportList }: Facts['things'], reportName: string, definition: string) => {
  if (reportList === undefined) return [];
  const definitions = { ...reportList.body.definitions, [reportName]: definition };
  return [{ kind: 'reportList' as const, handle: reportList.handle, body: { definitions } }];
};
