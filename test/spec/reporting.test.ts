import { describe, expect, it } from 'vitest';
import { everyCell, valuations } from '../../evals/spec/machine-grid.ts';
import { fileSpecOf } from '../../src/core/file-answer.ts';
import type { Operation } from '../../src/core/operation.ts';
import { reporting } from '../../src/domains/reporting/contract.ts';
import { definitionNames, definitions } from '../../src/domains/reporting/definitions.ts';
import { reportingError, reportingReadError } from '../../src/domains/reporting/errors.ts';
import { documentedGroups, groupNames, reportFields } from '../../src/domains/reporting/field-groups.ts';
import { reportStatuses } from '../../src/domains/reporting/report-shapes.ts';
import { report } from '../../src/domains/reporting/sandbox/machines.ts';
import { newReportSubscription } from '../../src/domains/reporting/subscription-shapes.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { apart, bodiesOf } from './compare.ts';
import { fields, section, table } from './document.ts';
import { parts, printed } from './shape.ts';

const document = 'document-3-reporting.md';
const operations: readonly (readonly [string, Operation])[] = Object.entries(reporting);

describe('the endpoints of document 3', () => {
  const rows = table(document, 'Endpoints of reporting').flatMap(([, methods = '', path = '']) =>
    methods.split(' or ').map((method) => `${method} ${path.split(/[? ]/)[0]}`),
  );

  it.each(operations)('has %s as it is printed', (_, { call, also = [] }) => {
    expect([call, ...also].filter((route) => !rows.includes(route))).toEqual([]);
  });

  it('has every endpoint once, which are 15 and one with two methods', () => {
    const ours = operations.flatMap(([, { call, also = [] }]) => [call, ...also]);
    expect(ours.toSorted()).toEqual(rows.toSorted());
    expect([operations.length, rows.length]).toEqual([15, 16]);
  });
});

describe('the report definitions', () => {
  it('are the 18 of the document, in its order', () => {
    const printed = [...section(document, 'Report definitions').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(printed).toHaveLength(18);
    expect(definitionNames).toEqual(printed);
  });

  it('have the ids of public facts, which are 17', () => {
    const ids = definitions.flatMap(({ id }) => id ?? []);
    expect(ids.toSorted((one, other) => one - other)).toEqual([
      ...[210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222],
      ...[271, 310, 400, 620],
    ]);
  });
});

describe('the field groups', () => {
  const lines = section(document, 'Report field groups').split('\n');
  /** The names that a line prints: without remarks in parentheses and the values of a field. */
  const namesIn = (line: string): readonly string[] =>
    line
      .slice(line.indexOf(': ') + 2)
      .replaceAll(/ \([^)]*\)/g, '')
      .replace(/\.$/, '')
      .split(', ');
  const prefixed = lines.flatMap((line) => {
    const [, prefix] = /\(prefix `(\w+):?`\)/.exec(line) ?? [];
    return prefix === undefined ? [] : [[prefix, namesIn(line.slice(line.indexOf(')') + 1))] as const];
  });

  it.each(prefixed)('has %s as the document prints it', (prefix, names) => {
    expect(Object.entries(documentedGroups).find(([group]) => group === prefix)?.[1]).toEqual(names);
  });

  it('has the groups without a prefix, too', () => {
    const line = (start: string) => lines.find((it) => it.startsWith(start)) ?? '';
    expect(documentedGroups.Sender).toEqual(namesIn(line('- Sender')));
    expect(documentedGroups.SCAExemption.filter((name) => !line('- SCA').includes(`\`${name}\``))).toEqual([]);
    const tokens = [documentedGroups.NetworkToken, documentedGroups.TMSToken, documentedGroups.Token].flat();
    expect(tokens.filter((name) => !line('- Token').includes(name))).toEqual([]);
    expect(Object.keys(documentedGroups)).toHaveLength(prefixed.length + 5);
  });

  // The groups that public facts name besides, and what they say of some of them.
  it.each([
    ['Request', ['RequestID', 'TransactionDate', 'MerchantID', 'PartnerOriginalTransactionID']],
    ['AFSFields', ['Score', 'IPCountry']],
    ['Application', ['Name']],
    ['BankInfo', ['BranchCode', 'SwiftCode']],
    ['BillTo', ['FirstName', 'LastName', 'Email', 'Country', 'Address1', 'City', 'Phone', 'State', 'Zip']],
    ['ChargebackAndRetrieval', ['CaseNumber', 'CaseType', 'ChargebackAmount', 'ChargebackReasonCode']],
    ['Check', ['AccountEncoderID', 'SecCode']],
    ['CustomerFields', ['CustomerID', 'BillingCity', 'ShippingCity']],
    ['Device', ['DeviceID']],
    ['DeviceFingerprintFields', ['BrowserLanguage', 'SmartID']],
    ['Event', ['Event', 'EventDate', 'ProcessorMessage']],
    ['Exception', ['Action', 'ExceptionType', 'ReasonCode', 'ProcessorResponseCode']],
    ['Fee', ['InterchangeAmount', 'DiscountAmount', 'AssessmentAmount', 'TotalFeeAmount']],
    ['Funding', ['FundingAmount', 'FundingCurrency', 'FundingDate', 'Status']],
    ['FundTransfer', ['BankCheckDigit', 'IbanIndicator']],
    ['Invoice', ['Processed', 'Total']],
    ['LineItems', ['ProductName', 'Quantity', 'TaxAmount', 'UnitPrice']],
    ['Merchant-DefinedDataFields', ['MerchantDefinedData1']],
    ['OrderFields', ['ProductName', 'ReplyCode']],
    ['PayerAuth', ['RequestID', 'TransactionType']],
    ['PaymentData', ['Amount', 'CurrencyCode', 'AuthorizationCode', 'ExchangeRate', 'TargetAmount', 'DCCIndicator']],
    ['PaymentFields', ['CardScheme', 'OrderAmount']],
    ['Recipient', ['FirstName', 'RecipientBillingAmount']],
    ['Subscriptions', ['SubscriptionID', 'SubscriptionStatus', 'RecurringPaymentAmount', 'NextScheduledDate']],
  ])('has %s', (group, names) => {
    const its = reportFields.filter((it) => it.group === group).map(({ id }) => id);
    expect(names.filter((name) => !its.includes(`${group}.${name}`))).toEqual([]);
  });

  it.each([
    ...([
      ['BillTo', 16],
      ['ChargebackAndRetrieval', 24],
      ['Exception', 27],
      ['Fee', 27],
    ] as const),
    ...([
      ['PaymentData', 58],
      ['Subscriptions', 61],
    ] as const),
  ])('has as many fields of %s as public facts count, or more: %d', (group, count) => {
    expect(reportFields.filter((it) => it.group === group).length).toBeGreaterThanOrEqual(count);
  });

  it('has as many groups and fields as public facts count, or more', () => {
    expect(groupNames.length).toBeGreaterThanOrEqual(39);
    expect(reportFields.length).toBeGreaterThanOrEqual(503);
  });

  it('write each field once, as Group.Name', () => {
    const ids = reportFields.map(({ id }) => id);
    expect(ids.filter((id) => !/^[A-Za-z][A-Za-z-]*\.[A-Za-z0-9_]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

// What the sandbox's table does, by hand (D-26). What is not written here is refused.
describe('the table of a report', () => {
  it('does in every cell what is written here, and has every state of the document', () => {
    const facts = valuations({ crowded: [false, true], filled: [false, true] });
    const grid = {
      none: { create: 'PENDING' },
      PENDING: { queue: 'QUEUED', fail: 'ERROR' },
      QUEUED: { run: { crowded: ['RUNNING', 'QUEUED'] as const }, fail: 'ERROR' },
      RUNNING: { finish: { filled: ['NO_DATA', 'COMPLETED'] as const }, fail: 'ERROR' },
      ...{ COMPLETED: {}, NO_DATA: {}, ERROR: {} },
    };
    const { actual, expected } = everyCell(report as never, grid as never, facts);
    expect(actual).toEqual(expected);
    const printed = [...section(document, 'Report status values').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(reportStatuses).toEqual(printed);
    expect(report.existing.toSorted()).toEqual(printed.toSorted());
  });
});

describe('the time zones', () => {
  it('are those of the document, each known to the runtime', () => {
    expect(timeZones).toEqual(section(document, 'Time zones').replace(/\.$/, '').split(', '));
    expect(timeZones.filter((timeZone) => !isKnown(timeZone))).toEqual([]);
  });

  const isKnown = (timeZone: string): boolean => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
    } catch {
      return false;
    }
  };
});

describe('a report subscription', () => {
  it('has the fields of the document, and requires what it requires, whatever public models require besides', () => {
    const spelling: { readonly [printed: string]: string | undefined } = {
      timeZone: 'timezone',
      reportFields: 'reportFields[]',
    };
    const rows = table(document, 'Report subscription');
    const ours = new Map(parts(newReportSubscription()).map(({ path, always }) => [path, always]));
    const named = rows.map(([name = '', required = '']) => [spelling[name] ?? name, required] as const);
    expect(named.filter(([name]) => !ours.has(name))).toEqual([]);
    expect(named.filter(([name, required]) => required.startsWith('yes') && ours.get(name) !== true)).toEqual([]);
    const documented = named.filter(([, required]) => required.startsWith('yes')).map(([name]) => name);
    expect([...ours].flatMap(([name, always]) => (always && !documented.includes(name) ? [name] : []))).toEqual([]);
  });
});

describe('the status codes of success', () => {
  const on = (names: string): readonly (keyof typeof reporting)[] => names.split(' ') as never; // checked below
  const of: { readonly [row: string]: readonly (keyof typeof reporting)[] } = {
    'Report definitions, report subscription view, delete subscription': on(
      'listReportDefinitions describeReportDefinition listReportSubscriptions getReportSubscription deleteReportSubscription',
    ),
    'Create or update subscription': on('saveReportSubscription'),
    'Retrieve available reports, download reports': on('listReports getReport downloadReport'),
    'Create one-time report': on('requestReport'),
    'On-demand conversion detail': on('getConversionDetails'),
    'On-demand notification of change, purchase and refund detail, net funding': on(
      'getNotificationOfChanges getPurchaseRefundDetails getNetFundings',
    ),
    'Payment batch summary': on('getPaymentBatchSummaries'),
  };
  const rows = table(document, 'Status codes of reporting');

  it('are those of the document, of every operation; public models answer a one-time report with 201', () => {
    const known = rows.flatMap(([names = '', codes = '']) =>
      (of[names] ?? []).map((name) => [name, (codes.match(/\b[23]\d\d\b/g) ?? []).map(Number)] as const),
    );
    expect(known.map(([name]) => name).toSorted()).toEqual(Object.keys(reporting).toSorted());
    const others = known.flatMap(([name, codes]) => {
      const ours = Object.keys(reporting[name].output).map(Number);
      return ours.toString() === codes.toString() ? [] : [[name, ours]];
    });
    expect(others).toEqual([['requestReport', [200, 201, 304]]]);
  });
});

describe('the public field lists', () => {
  const page = 'reporting-fields.md';
  const isShown = (heading: string) => !unlisted.includes(heading);
  /** Bodies that no public model shows: they are empty, or files. */
  const unlisted = ['saveReportSubscription 200', 'saveReportSubscription 304', 'deleteReportSubscription 200'].concat([
    ...['requestReport 200', 'requestReport 201', 'requestReport 304', 'downloadReport 200'],
    'getReportSubscription 200', // the same as one of the list
  ]);
  const schemas = [
    ...bodiesOf(operations, {})
      .filter(([heading]) => isShown(heading))
      .map(([heading, schema]) => [heading, fileSpecOf(schema)?.json ?? schema] as const),
    ['refusal 400', reportingError.schema] as const,
  ];
  const differ = (way: keyof ReturnType<typeof apart>) =>
    schemas.flatMap(([heading, schema]) =>
      apart(printed(schema), fields(page, heading))[way].map((field) => `${heading}: ${field}`),
    );

  it('are carried, each member of each body', () => {
    // The document calls it `selectedMerchantGroupName` (D-130).
    expect(differ('leftOut')).toEqual([
      'saveReportSubscription request: groupName',
      'requestReport request: groupName',
    ]);
  });

  it('have every member of ours', () => {
    expect(differ('added')).toEqual([
      'listReportSubscriptions 200: subscriptions[].selectedMerchantGroupName',
      'saveReportSubscription request: selectedMerchantGroupName',
      'requestReport request: selectedMerchantGroupName',
      'listReports 200: reportSearchResults[].selectedMerchantGroupName',
      'getReport 200: selectedMerchantGroupName',
    ]);
  });

  it('ask for nothing that ours may leave out, but what the document has optional, and in a refusal, which is read anyhow', () => {
    const optional = ['reportFrequency', 'reportMimeType', 'startTime'];
    const read = ['details[]', 'message', 'submitTimeUtc'];
    expect(differ('looser')).toEqual([
      ...optional.map((name) => `saveReportSubscription request: ${name}`),
      ...read.map((name) => `refusal 400: ${name}`),
    ]);
  });
});

describe('the error body', () => {
  const report = { reason: 'INVALID_DATA', message: 'No.', field: 'x', at: '2026-01-15T09:00:00Z' } as const;
  const details = [{ field: 'x', reason: 'INVALID_DATA' }];

  it('has no status, and none at all for a 404 of what is read', () => {
    const body = { submitTimeUtc: report.at, reason: 'INVALID_DATA', message: 'No.', details };
    expect(reportingReadError.toBody({ ...report, details, status: 400 })).toEqual(body);
    expect(reportingReadError.toBody({ ...report, details, status: 404 })).toBeUndefined();
  });
});
