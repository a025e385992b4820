import type { World } from '../../../sandbox/world.ts';
import { columnName, type NamingConvention } from '../columns.ts';
import { reportFields } from '../field-groups.ts';
import { defaultZone, zonedTime } from '../zoned-time.ts';
import { type Cell, csvLine } from './csv.ts';
import type { ReportDocument } from './documents.ts';
import { filteredBy } from './fields.ts';
import { amountFields, dayFields, momentFields, type ReportRecord, timeField } from './record.ts';
import { recordsOf } from './records.ts';
import { startTag, textElement } from './xml.ts';

// The file of a report. CSV: a record about the report, one with the names of the columns, then the rows. XML: the elements
// Report, Requests and Request. Public facts say no more about them (D-85).

/** The names of a report that chooses no convention. */
const defaultConvention: NamingConvention = 'SOAPI';
const version = '1.0';

/** What a writer of files needs to know of a report. */
export interface FileTerms {
  readonly name: string;
  readonly definition: string;
  readonly merchantId: string;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly fields: readonly string[];
  readonly convention: NamingConvention;
  readonly signed: boolean;
}

export const termsOf = ({ terms, merchantId, from, to }: ReportDocument): FileTerms => ({
  ...{ name: terms.reportName, definition: terms.reportDefinitionName, merchantId, from, to },
  zone: terms.timezone ?? defaultZone,
  fields: terms.reportFields,
  convention: terms.reportPreferences?.fieldNameConvention ?? defaultConvention,
  signed: terms.reportPreferences?.signedAmounts === true,
});

/** The rows of a report, filtered. */
export const rowsOf = (world: World, { merchantId, terms, from, to }: ReportDocument): readonly ReportRecord[] =>
  recordsOf(world, { id: merchantId }, terms.reportDefinitionName, { from, to }).filter((row) =>
    Object.entries(terms.reportFilters ?? {}).every(
      ([filter, values]) =>
        values.length === 0 || values.includes(shownIn(row, filteredBy(filter), terms.timezone ?? defaultZone)),
    ),
  );

type Writer = (terms: FileTerms, rows: Iterable<ReportRecord>) => Iterable<string>;

/** Pieces of the file, by its type. They are made while they are sent, whatever the number of rows. */
export const writers: Readonly<Record<ReportDocument['terms']['reportMimeType'], Writer>> = {
  'text/csv': csvOf,
  'application/xml': xmlOf,
};

function* csvOf(terms: FileTerms, rows: Iterable<ReportRecord>): Iterable<string> {
  const exact = (text: string): Cell => ({ text, exact: true });
  yield csvLine([
    { text: terms.name, exact: false },
    ...[version, terms.merchantId, zonedTime(terms.from, terms.zone), zonedTime(terms.to, terms.zone)].map(exact),
  ]);
  yield csvLine(terms.fields.map((field) => exact(columnName(field, terms.convention))));
  for (const row of rows)
    yield csvLine(terms.fields.map((field) => ({ text: textOf(row, field, terms), exact: isExact(field) })));
}

/** Its elements have the order of the list of fields: document 3 lets the merchant order the columns of CSV alone. */
function* xmlOf(terms: FileTerms, rows: Iterable<ReportRecord>): Iterable<string> {
  const fields = reportFields.map(({ id }) => id).filter((id) => terms.fields.includes(id));
  const about = {
    ...{ name: terms.name, version, merchantId: terms.merchantId },
    ...{ startTime: zonedTime(terms.from, terms.zone), endTime: zonedTime(terms.to, terms.zone) },
  };
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${startTag('Report', about)}\n<Requests>\n`;
  for (const row of rows) {
    const texts = fields.map((field) => [field, textOf(row, field, terms)] as const);
    const elements = texts
      .filter(([, text]) => text !== '')
      .map(([field, text]) => textElement(columnName(field, terms.convention), text));
    yield `<Request>${elements.join('')}</Request>\n`;
  }
  yield '</Requests>\n</Report>\n';
}

/** Whether the sandbox itself wrote the value of a field, so that it holds nobody's text. */
const isExact = (field: string): boolean => field === timeField || amountFields.includes(field);

function textOf(row: ReportRecord, field: string, { zone, signed }: FileTerms): string {
  const { isRefund } = row;
  const value = shownIn(row, field, zone);
  return signed && isRefund && value !== '' && amountFields.includes(field) ? `-${value}` : value;
}

/** A value as the report shows it, but for its sign: times are in its time zone (D-85). */
function shownIn({ at, fields }: ReportRecord, field: string, zone: string): string {
  if (field === timeField) return zonedTime(at, zone);
  const value = fields[field] ?? '';
  const isDay = dayFields.includes(field);
  const moment = isDay || momentFields.includes(field) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) return value;
  const time = zonedTime(moment, zone);
  return isDay ? time.slice(0, 10) : time;
}
