import type { FileType } from '../../../core/file-answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { SentFile } from '../../../sandbox/wire.ts';
import type { reporting as operations } from '../contract.ts';
import { batchSummariesOf } from './batches.ts';
import { csvLine } from './csv.ts';
import { conversionDetailsOf, decisionRows } from './decisions.ts';
import { netFundingsOf, nothingFound, rangeOf } from './fundings.ts';
import { demandOwn } from './organization.ts';
import { purchaseDetailsOf, purchaseRows } from './purchases.ts';
import { startTag, textElement } from './xml.ts';

/** The reports that are made on demand: in JSON, and two of them as a file where one is asked for (RP-11). */
export const onDemandHandlers: Pick<
  HandlersOf<typeof operations>,
  | 'getConversionDetails'
  | 'getNotificationOfChanges'
  | 'getPurchaseRefundDetails'
  | 'getNetFundings'
  | 'getPaymentBatchSummaries'
> = {
  getConversionDetails({ query, accept, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    const body = conversionDetailsOf(world, merchant, query);
    return answer(body, accept, 'ConversionDetail', decisionRows(body), []);
  },

  getNotificationOfChanges({ query, merchant }, world) {
    const isIn = rangeOf(query);
    const found = world
      .list('accountChange')
      .filter(({ merchantId, at }) => merchantId === merchant.id && isIn(at))
      .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
    if (found.length === 0) throw nothingFound();
    const notificationOfChanges = found.map(({ at, told }) => ({ ...told, time: isoTime(at) }));
    return { status: 200, entity: '', body: { notificationOfChanges } };
  },

  getPurchaseRefundDetails({ query, accept, merchant }, world) {
    const body = purchaseDetailsOf(world, merchant, query);
    return answer(body, accept, 'PurchaseRefundDetail', purchaseRows(body), ['amount', 'totalFee', 'fundingAmount']);
  },

  getNetFundings({ query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    return { status: 200, entity: '', body: netFundingsOf(world, merchant, query) };
  },

  getPaymentBatchSummaries({ query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    return { status: 200, entity: '', body: batchSummariesOf(world, merchant, query) };
  },
};

type Row = Readonly<Record<string, string>>;

/** A report in the format that was asked for. */
const answer = (
  body: object,
  accept: FileType | undefined,
  element: string,
  rows: readonly Row[],
  exact: readonly string[],
) => ({
  ...{ status: 200, entity: '', body: accept === undefined ? body : undefined },
  ...(accept === undefined ? {} : { file: fileOf(accept, element, rows, exact) }),
});

function fileOf(type: FileType, element: string, rows: readonly Row[], exact: readonly string[]): SentFile {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const text = { 'text/csv': csvOf, 'application/xml': xmlOf }[type](element, rows, columns, exact);
  const bytes = new TextEncoder().encode(text);
  return { type, bytes: bytes.length, pieces: () => [bytes] };
}

const csvOf = (_: string, rows: readonly Row[], columns: readonly string[], exact: readonly string[]): string =>
  [
    csvLine(columns.map((text) => ({ text, exact: true }))),
    ...rows.map((row) => csvLine(columns.map((name) => ({ text: row[name] ?? '', exact: exact.includes(name) })))),
  ].join('');

const xmlOf = (element: string, rows: readonly Row[], columns: readonly string[]): string =>
  [
    `<?xml version="1.0" encoding="UTF-8"?>\n${startTag(`${element}s`)}\n`,
    ...rows.map((row) => {
      const elements = columns.map((name) => [name, row[name] ?? ''] as const).filter(([, text]) => text !== '');
      return `<${element}>${elements.map(([name, text]) => textElement(name, text)).join('')}</${element}>\n`;
    }),
    `</${element}s>\n`,
  ].join('');
