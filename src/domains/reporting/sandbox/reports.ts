import { invalid, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { SentFile } from '../../../sandbox/wire.ts';
import type { World } from '../../../sandbox/world.ts';
import type { reporting as operations } from '../contract.ts';
import { definitionNamed } from '../definitions.ts';
import { isReportable } from '../ranges.ts';
import { oneTime } from '../report-shapes.ts';
import { defaultZone, zonedTime } from '../zoned-time.ts';
import { moveReport } from './clock.ts';
import { defaults } from './definitions.ts';
import type { ReportDocument } from './documents.ts';
import { demandFields } from './fields.ts';
import { hasFile } from './machines.ts';
import { demandOwn } from './organization.ts';

/** The operations on reports. RP-06 and RP-07 are enforced here and by the shapes. */
export const reportHandlers: Pick<
  HandlersOf<typeof operations>,
  'requestReport' | 'listReports' | 'getReport' | 'downloadReport'
> = {
  requestReport({ body, merchant }, world) {
    demandOwn(body.organizationId, merchant);
    demandFields(body);
    const [from, to] = [Date.parse(body.reportStartTime), Date.parse(body.reportEndTime)];
    if (!isReportable({ from, to }, body.timezone))
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
        terms: { ...body, reportMimeType: body.reportMimeType ?? defaults.reportMimeType },
        from,
        to,
        times: {},
        frequency: oneTime,
      },
    };
    const made = moveReport(world, fresh, 'create');
    if (made === undefined) throw new Error('A new report has no first state.');
    // As the document has it; public models answer 201 (D-132).
    return { status: 200, entity: id, body: undefined };
  },

  listReports({ query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    const [from, to] = [Date.parse(query.startTime), Date.parse(query.endTime)];
    if (to < from) throw invalid('endTime', 'The end is before the start.');
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

  getReport({ path, query, accept, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    const found = world.get('report', path.reportId);
    if (found === undefined || found.merchantId !== merchant.id)
      throw new PlatformError(404, 'NOT_FOUND', 'There is no such report.');
    if (accept === undefined) return { status: 200, entity: found.id, body: reportView(found) };
    if (accept !== found.terms.reportMimeType)
      throw new PlatformError(404, 'NOT_FOUND', 'There is no file of the report in this format.');
    return { status: 200, entity: found.id, body: undefined, file: fileOf(world, found) };
  },

  downloadReport({ query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    const { reportName, reportDate, reportTime } = query;
    const isWanted = ({ terms, to }: ReportDocument): boolean => {
      const ends = zonedTime(to, terms.timezone ?? defaultZone);
      const at = reportTime === undefined ? undefined : Date.parse(`${reportDate}T${reportTime}`);
      const isThen = at === undefined || at === to - (to % second);
      return terms.reportName === reportName && ends.startsWith(`${reportDate}T`) && isThen;
    };
    const found = allOf(world, merchant).findLast(isWanted);
    if (found === undefined) throw new PlatformError(404, 'NOT_FOUND', 'There is no such report.');
    return { status: 200, entity: found.id, body: undefined, file: fileOf(world, found) };
  },
};

/** The time of day in a query has whole seconds. */
const second = 1_000;

/** Bytes that are sent at once. */
const pieceBytes = 65_536;

/** The file of a report. Throws the platform's 404 where there is none (RP-08). */
function fileOf(world: World, { id, terms }: ReportDocument): SentFile {
  const stored = world.get('reportFile', id);
  if (stored === undefined) throw new PlatformError(404, 'NOT_FOUND', 'The report is not finished, or has no data.');
  const bytes = new TextEncoder().encode(stored.text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
  return { type: terms.reportMimeType, bytes: bytes.length, pieces: () => pieces };
}

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
  const { timezone, selectedMerchantGroupName } = it.terms;
  return {
    ...{ organizationId: it.merchantId, reportId: it.id, reportName: it.terms.reportName },
    ...(id === undefined ? {} : { reportDefinitionId: id }),
    ...{ reportMimeType: it.terms.reportMimeType, reportFrequency: it.frequency },
    ...{ reportStartTime: isoTime(it.from), reportEndTime: isoTime(it.to) },
    ...(timezone === undefined ? {} : { timezone }),
    ...(selectedMerchantGroupName === undefined ? {} : { selectedMerchantGroupName }),
  };
};

const timeOf = (name: string, at: number | undefined) => (at === undefined ? {} : { [name]: isoTime(at) });

/** Where the file of a report is, if it has one. The time is said, too: several of a name can end on one day. */
function linkTo({ merchantId: organizationId, terms, to, state }: ReportDocument) {
  if (!hasFile(state)) return {};
  const [reportDate = '', reportTime = ''] = zonedTime(to, terms.timezone ?? defaultZone).split('T');
  const query = new URLSearchParams({ organizationId, reportDate, reportName: terms.reportName, reportTime });
  return { _link: { reportDownload: { href: `/reporting/v3/report-downloads?${query}`, method: 'GET' } } };
}

/** A report in a search. */
const reportRow = (it: ReportDocument) => ({
  ...{ ...linkTo(it), ...shared(it) },
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
