import { z } from 'zod';
import { jsonOf } from '../../src/core/file-answer.ts';
import { limits } from '../../src/core/limits.ts';
import { once } from '../../src/core/once.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { day } from '../../src/core/schedule.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { oneTime, timeQueryTypes } from '../../src/domains/reporting/report-shapes.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { iso, momentText, untrusted } from '../../src/engine/render.ts';
import { digitsShown, handleShown, momentShown, stateShown, textsShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { handle, optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listOutput, listState, none, paged } from '../offset-pages.ts';
import { formatShown, showFormat } from './report-arguments.ts';
import { contentsOutput, fieldsShown, showContents } from './subscriptions.ts';

// Looking for reports, and at one.

// The name, and what isn't one of the platform's words, is a text of somebody else's.
const reportOutput = once(() =>
  z.looseObject({
    ...{ report: handleShown, name: z.string(), state: stateShown },
    ...{ from: momentShown.optional(), until: momentShown.optional() },
    ...{ format: formatShown.optional(), time_zone: textsShown(timeZones).optional() },
  }),
);

interface Listed {
  readonly reportId: string;
  readonly reportName: string;
  readonly reportMimeType?: string | undefined;
  readonly reportStartTime?: string | undefined;
  readonly reportEndTime?: string | undefined;
  readonly timezone?: string | undefined;
  readonly reportFrequency?: string | undefined;
}

const showReport = (it: Listed, state: string) => ({
  ...{ report: handleFor('report', it.reportId), name: untrusted(it.reportName), state: untrusted(state) },
  ...(it.reportStartTime === undefined ? {} : { from: momentText(it.reportStartTime) }),
  ...(it.reportEndTime === undefined ? {} : { until: momentText(it.reportEndTime) }),
  ...(it.reportMimeType === undefined ? {} : { format: showFormat(it.reportMimeType) }),
  ...(it.timezone === undefined ? {} : { time_zone: untrusted(it.timezone) }),
});

const observation = (it: Listed, state: string) => ({
  ...{ kind: 'report' as const, handle: handleFor('report', it.reportId), owner: '', state },
  body: {
    ...{ reportId: it.reportId, reportName: it.reportName },
    ...(it.reportEndTime === undefined ? {} : { endsAt: platformTime(it.reportEndTime) }),
    ...(it.timezone === undefined ? {} : { timeZone: it.timezone }),
    ...(it.reportFrequency === undefined ? {} : { frequency: it.reportFrequency.toUpperCase() }),
  },
});

const search = queryField('listReports');
const [byRange, byMaking] = timeQueryTypes;

/** The platform answers every report at once; the agent gets them page by page. */
const offsetOf = ({ cursor }: Facts['args']): number => Number(cursor ?? 0);
const rowsOf = ({ limit }: Facts['args']): number => Number(limit ?? limits.reportRows);
const pageOf = <It>(args: Facts['args'], all: readonly It[]): readonly It[] =>
  all.slice(offsetOf(args), offsetOf(args) + rowsOf(args));

/** When a report was made that is being made now, or was made in the last days. The platform's clock may be ahead. */
const madeWithin = (days: number, now: number) => ({ from: iso(now - days * day), until: iso(now + day) });

/** A name alone is that of a report which was made lately: the platform searches for nothing without a time (RP-07). */
function lately({ args: { name, from, until, by }, now }: Facts) {
  if (name === undefined || [from, until, by].some((given) => given !== undefined)) return {};
  const made = madeWithin(limits.reportRangeDays, now);
  return { '?startTime': made.from, '?endTime': made.until, '?timeQueryType': byMaking };
}

export const listReports: ToolSpec<'listReports'> = {
  description: 'Find reports by name, the period they cover or when they were made.',
  input: {
    args: () => ({
      from: optional(search('startTime', 'Begin.')),
      until: optional(search('endTime', 'End.')),
      by: {
        schema: z.enum(['range', 'made']).optional().describe('Time covered, or made.'),
        fills: [
          {
            path: '?timeQueryType',
            value: (given) => (given === undefined ? given : { range: byRange, made: byMaking }[String(given)]),
          },
        ],
        rule: 'RP-07',
      },
      name: optional(search('reportName', 'Exactly this. Alone: made within 31 days.')),
      state: optional(search('reportStatus', 'Only these.')),
      organization: optional(search('organizationId', 'Partners only.')),
      limit: { schema: z.int().min(1).max(limits.reportRows).optional().describe('Page size.'), fills: [] },
      cursor: { schema: digitsShown.optional().describe('From `more`.'), fills: [] },
    }),
    carryOver: lately,
  },
  observe: {
    observations: ({ args }, { body }) =>
      pageOf(args, body.reportSearchResults).map((it) => observation(it, it.status)),
    stateFromResponse: ({ body }) => listState(body.reportSearchResults.length),
  },
  present: {
    messages: { done: 'These are the reports. Only COMPLETED ones have data.', [none]: 'No report matches.' },
    next: {
      '': { tools: ['get_report'], because: 'It says what a report is about.' },
      [none]: { tools: [], because: 'Another range, or fewer arguments, may find one.' },
    },
    empty: { reportSearchResults: [] },
    outputSchema: () => listOutput(reportOutput()),
    toOutput: (_, facts, { body: { reportSearchResults: all } }) =>
      paged(
        facts,
        all.length,
        pageOf(facts.args, all).map((it) => showReport(it, it.status)),
      ),
  },
};

/** The handle of the one-time reports that are being made. */
export const theReportQueue = handleFor('reportQueue', 'own');

/** The same search, for what a request of another report depends on (RP-05). */
export const listReportsBeingMade: ToolSpec<'listReports'> = {
  ...listReports,
  observe: {
    observations: ({ now }, { body }) => [
      {
        ...{ kind: 'reportQueue', handle: theReportQueue, owner: '', state: 'ACTIVE' },
        body: {
          running: body.reportSearchResults
            .filter((it) => it.status === 'RUNNING' && it.reportFrequency?.toUpperCase() === oneTime)
            .map((it) => ({ reportName: it.reportName, since: momentIn(it.queuedTime) ?? now })),
        },
      },
    ],
  },
};

/** Its arguments: it finds everything that can still be in the making. */
export const beingMade = (now: number) => ({ ...madeWithin(limits.reportDays, now), by: 'made' });

/** The time in a text of the platform; undefined if there is none. */
const momentIn = (text = ''): number | undefined => (Number.isNaN(platformTime(text)) ? undefined : platformTime(text));

/** How far a report is that is being made, by its state. */
const making: { readonly [state: string]: number | undefined } = {
  PENDING: 0.1,
  QUEUED: 0.2,
  RUNNING: 0.5,
  RERUN: 0.5,
};

export const getReport: ToolSpec<'getReport'> = {
  description: 'Look at one report: state, range and fields.',
  input: {
    args: () => ({
      report: handle('report', 'From list_reports.'),
      wait: { schema: z.boolean().optional().describe('Until it is made.'), fills: [] },
      organization: optional(queryField('getReport')('organizationId', 'Partners only.')),
    }),
  },
  polling: {
    asked: ({ wait }) => wait === true,
    isOver: ({ state }) => making[String(state)] === undefined,
    progress: ({ state }) => ({ step: String(state), fraction: making[String(state)] }),
  },
  observe: {
    stateFromResponse: ({ body }) => jsonOf(body).reportStatus,
    observations: (_, { body }) => {
      const it = jsonOf(body);
      return [observation(it, it.reportStatus)];
    },
  },
  present: {
    messages: {
      done: 'This is the report.',
      ...Object.fromEntries(Object.keys(making).map((state) => [state, 'The report is still being made.'])),
      COMPLETED: 'The report is finished, and has data.',
      NO_DATA: 'The report is finished: nothing happened in its time, so it has no file.',
      ERROR: 'The platform could not make the report. Request it again under another name.',
    },
    next: {
      '': { tools: ['get_report', 'download_report'], because: 'Its state changes while it is made.' },
      ...Object.fromEntries(
        Object.keys(making).map((state) => [
          state,
          { tools: ['get_report'], because: 'Its state changes while it is made.' },
        ]),
      ),
      COMPLETED: { tools: ['download_report'], because: 'It has a file.' },
      NO_DATA: { tools: ['list_reports'], because: 'It has no file; others may have one.' },
      ERROR: { tools: ['request_report'], because: 'Another attempt may succeed.' },
    },
    outputSchema: () => reportOutput().extend({ ...contentsOutput(), fields: fieldsShown }),
    toOutput: (_, __, { body }) => {
      const it = jsonOf(body);
      return {
        ...showReport(it, it.reportStatus),
        ...showContents(it),
        fields: (it.reportFields ?? []).map((name) => untrusted(name)),
      };
    },
  },
};
