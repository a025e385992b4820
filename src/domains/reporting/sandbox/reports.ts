import { invalid, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { reporting as operations } from '../contract.ts';
import { definitionNamed } from '../definitions.ts';
import { isReportable } from '../ranges.ts';
import { moveReport, oneTime } from './clock.ts';
import type { ReportDocument } from './documents.ts';
import { demandFields } from './fields.ts';
import { demandOwn } from './organization.ts';

/** The operations on reports. RP-06 and RP-07 are enforced here and by the shapes. */
export const reportHandlers: Pick<HandlersOf<typeof operations>, 'requestReport' | 'listReports' | 'getReport'> = {
  requestReport({ body, merchant }, world) {
    demandOwn(body.organizationId, merchant);
    demandFields(body);
    const [from, to] = [Date.parse(body.reportStartTime), Date.parse(body.reportEndTime)];
    if (!isReportable({ from, to }))
      throw invalid('reportEndTime', 'The range must end after it begins, within 31 days.');
    if (allOf(world, merchant).some((it) => it.frequency === oneTime && it.terms.reportName === body.reportName))
      throw invalid('reportName', 'There is a report of this name.');
    const id = world.uuid('report');
    const fresh: ReportDocument = {
      ...{
        id,
        merchantId: merchant.id,
        seq: world.count('report'),
        state: 'none',
        terms: body,
        from,
        to,
        times: {},
        frequency: oneTime,
      },
    };
    const made = moveReport(world, fresh, 'create');
    if (made === undefined) throw new Error('A new report has no first state.');
    return { status: 201, entity: id, body: undefined };
  },

  listReports({ query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    const [from, to] = [Date.parse(query.startTime), Date.parse(query.endTime)];
    const timed = { reportTimeFrame: isAbout, executedTime: isMade }[query.timeQueryType];
    const found = allOf(world, merchant).filter(
      (it) =>
        timed(it, from, to) &&
        fits(query.reportName, it.terms.reportName) &&
        fits(query.reportMimeType, it.terms.reportMimeType) &&
        fits(query.reportStatus, it.state) &&
        fits(query.reportFrequency?.toUpperCase(), it.frequency) &&
        fits(query.reportDefinitionId, definitionId(it)),
    );
    if (found.length === 0) throw new PlatformError(404, 'NOT_FOUND', 'There is no such report.');
    return { status: 200, entity: '', body: { reportSearchResults: found.map(reportRow) } };
  },

  getReport({ path, query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    const found = world.get('report', path.reportId);
    if (found === undefined || found.merchantId !== merchant.id)
      throw new PlatformError(404, 'NOT_FOUND', 'There is no such report.');
    return { status: 200, entity: found.id, body: reportView(found) };
  },
};

const allOf = (world: World, merchant: Merchant): readonly ReportDocument[] =>
  world
    .list('report')
    .filter(({ merchantId }) => merchantId === merchant.id)
    .toSorted((one, other) => one.seq - other.seq);

const fits = (wanted: string | undefined, its: string | undefined): boolean => wanted === undefined || wanted === its;

const isAbout = (it: ReportDocument, from: number, to: number): boolean => it.from < to && it.to > from;
const isMade = ({ times }: ReportDocument, from: number, to: number): boolean =>
  Object.values(times).some((at = Number.NaN) => at >= from && at < to);

function definitionId({ terms }: ReportDocument): string | undefined {
  const id = definitionNamed(terms.reportDefinitionName)?.id;
  return typeof id === 'number' ? String(id) : undefined;
}

const shared = (it: ReportDocument) => {
  const id = definitionId(it);
  const { timezone } = it.terms;
  return {
    ...{ organizationId: it.merchantId, reportId: it.id, reportName: it.terms.reportName },
    ...(id === undefined ? {} : { reportDefinitionId: id }),
    ...{ reportMimeType: it.terms.reportMimeType, reportFrequency: it.frequency },
    ...{ reportStartTime: isoTime(it.from), reportEndTime: isoTime(it.to) },
    ...(timezone === undefined ? {} : { timezone }),
  };
};

const timeOf = (name: string, at: number | undefined) => (at === undefined ? {} : { [name]: isoTime(at) });

/** A report in a search. */
const reportRow = (it: ReportDocument) => ({
  ...shared(it),
  status: it.state,
  subscriptionType: 'CUSTOM',
  ...timeOf('queuedTime', it.times.QUEUED),
  ...timeOf('reportGeneratingTime', it.times.RUNNING),
  ...timeOf('reportCompletedTime', it.times.COMPLETED ?? it.times.NO_DATA),
});

/** One report (D-25). */
const reportView = (it: ReportDocument) => ({
  ...shared(it),
  reportStatus: it.state,
  reportFields: it.terms.reportFields,
  ...(it.terms.reportFilters === undefined ? {} : { reportFilters: it.terms.reportFilters }),
  ...(it.terms.reportPreferences === undefined ? {} : { reportPreferences: it.terms.reportPreferences }),
});
