import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { limits } from '../../src/core/limits.ts';
import { frequencies } from '../../src/domains/reporting/subscription-shapes.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { reportSubscription, subscribedReport } from '../engine/reporting.ts';
import { world } from '../engine/support.ts';
import { Bench, credentials } from '../sandbox/support.ts';

const path = '/reporting/v3/report-subscriptions';

/** A subscription as a client of the platform saves it. */
const terms = (change: object = {}) => ({
  ...{ reportDefinitionName: 'TransactionRequestClass', reportFields: ['Request.RequestID', 'PaymentData.Amount'] },
  ...{
    reportMimeType: 'text/csv' as const,
    reportFrequency: 'DAILY' as const,
    reportName: 'Daily sales',
    startTime: '0630',
  },
  ...{ timezone: 'Europe/London', ...change },
});

const save = (bench: Bench, change: object = {}) => bench.call('PUT', path, terms(change));

describe('the platform', () => {
  it('saves a subscription, shows it, and deletes it', async () => {
    const bench = new Bench();
    expect(await save(bench)).toEqual({ status: 200, body: undefined });
    const shown = { ...terms(), organizationId: credentials.merchantId, reportDefinitionId: '210' };
    expect(await bench.call('GET', `${path}/Daily%20sales`)).toEqual({ status: 200, body: shown });
    expect((await bench.call('GET', path)).body).toEqual({ subscriptions: [shown] });
    expect(await bench.call('DELETE', `${path}/Daily%20sales`)).toEqual({ status: 200, body: undefined });
    expect(await bench.call('GET', `${path}/Daily%20sales`)).toEqual({ status: 404, body: undefined });
    expect(await bench.call('DELETE', `${path}/Daily%20sales`)).toMatchObject({
      status: 404,
      body: { reason: 'NOT_FOUND', details: [{ field: 'reportName' }] },
    });
  });

  it('D-27 answers 304 where nothing changes, whatever the spelling, and 200 where something does', async () => {
    const bench = new Bench();
    await save(bench);
    expect(await save(bench)).toEqual({ status: 304, body: undefined });
    expect(await save(bench, { reportFrequency: 'Daily' })).toEqual({ status: 304, body: undefined });
    expect((await save(bench, { startTime: '0700' })).status).toBe(200);
    expect((await bench.call('GET', path)).body.subscriptions).toHaveLength(1);
  });

  it('RP-04 takes every frequency in both spellings, and every time zone', async () => {
    const bench = new Bench();
    for (const reportFrequency of frequencies) {
      const interval = reportFrequency === 'USER_DEFINED' ? { reportInterval: 'PT6H' } : {};
      expect((await save(bench, { reportName: reportFrequency, reportFrequency, ...interval })).status).toBe(200);
    }
    for (const timezone of timeZones) expect((await save(bench, { timezone })).status).toBe(200);
  });

  it.each([
    ...[
      'P0D',
      'PT0M',
      'P0Y0M0W0DT0H0M',
      'P',
      'PT',
      'P1D1D',
      'P1M1M',
      'PT1M1H',
      'PT1H1H',
      'P1DT',
      'P1D1M',
      '-P1D',
      'P1.5D',
    ],
  ])('RP-04 refuses an interval of %s', async (reportInterval) => {
    const bench = new Bench();
    expect(await save(bench, { reportFrequency: 'USER_DEFINED', reportInterval })).toMatchObject({
      status: 400,
      body: { fields: [{ path: 'reportInterval' }] },
    });
    expect((await bench.call('GET', path)).body.subscriptions).toEqual([]);
  });

  it.each(['P1Y1M1W1DT1H1M', 'PT6H', 'PT90M', 'P10D', 'P0Y1M'])(
    'RP-04 takes an interval of %s',
    async (reportInterval) => {
      const bench = new Bench();
      expect((await save(bench, { reportFrequency: 'USER_DEFINED', reportInterval })).status).toBe(200);
    },
  );

  it.each([
    ['reportMimeType', 'application/xml'],
    ['reportFrequency', 'DAILY'],
    ['startTime', '0000'],
  ])('RP-04 takes a subscription without %s, and shows the default', async (name, value) => {
    const bench = new Bench();
    expect((await save(bench, { [name]: undefined })).status).toBe(200);
    expect((await bench.call('GET', `${path}/Daily%20sales`)).body).toMatchObject({ ...terms(), [name]: value });
    expect((await save(bench, { [name]: value })).status).toBe(304);
    expect((await save(bench, { [name]: undefined })).status).toBe(304);
    await bench.control('POST', 'clock', { advance: 'P2D' });
    const made = 'startTime=2026-01-15T00:00:00Z&endTime=2026-01-18T00:00:00Z&timeQueryType=executedTime';
    const { reportSearchResults } = (await bench.call('GET', `/reporting/v3/reports?${made}`)).body;
    expect(reportSearchResults[0]).toMatchObject({
      reportFrequency: 'DAILY',
      reportMimeType: name === 'reportMimeType' ? value : 'text/csv',
    });
  });

  it.each([
    ['RP-01', 'reportName', { reportName: 'x'.repeat(limits.reportNameCharacters + 1) }],
    ['RP-02', 'reportDefinitionName', { reportDefinitionName: 'InvoiceReport' }],
    ['RP-02', 'reportFields[0]', { reportDefinitionName: 'InvoiceSummaryClass', reportFields: ['Travel.Number'] }],
    ['RP-04', 'reportMimeType', { reportMimeType: 'application/pdf' }],
    ['RP-04', 'reportFrequency', { reportFrequency: 'Hourly' }],
    ['RP-04', 'reportInterval', { reportFrequency: 'USER_DEFINED' }],
    ['RP-04', 'reportInterval', { reportInterval: 'PT6H' }],
    ['RP-04', 'startTime', { startTime: '6:30' }],
    ['RP-04', 'startTime', { startTime: '2400' }],
    ['RP-04', 'startDay', { reportFrequency: 'WEEKLY', startDay: 8 }],
    ['RP-04', 'startDay', { reportFrequency: 'MONTHLY', startDay: 32 }],
    ['RP-04', 'startDay', { startDay: 1 }],
    ['RP-04', 'timezone', { timezone: 'Europe/Atlantis' }],
    ['RP-04', 'reportPreferences.fieldNameConvention', { reportPreferences: { fieldNameConvention: 'CAMEL' } }],
  ])('%s answers 400 with its other body about %s for %j', async (_, field, change) => {
    const { status, body } = await save(new Bench(), change);
    expect([status, body.code, body.fields?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  it('shows its filters by field, and its group, however they came', async () => {
    const bench = new Bench();
    const named = { selectedMerchantGroupName: 'North' };
    await save(bench, { ...named, reportFilters: [{ 'Application.Name': ['refund'] }, { firstName: [] }] });
    expect((await bench.call('GET', `${path}/Daily%20sales`)).body).toMatchObject({
      ...named,
      reportFilters: { 'Application.Name': ['refund'], firstName: [] },
    });
  });

  it('RP-01 keeps the definition of a name', async () => {
    const bench = new Bench();
    await save(bench);
    const { status, body } = await save(bench, { reportDefinitionName: 'FeeDetailClass' });
    expect([status, body.fields[0].path]).toEqual([400, 'reportDefinitionName']);
  });

  it('RP-03 takes twenty, still changes one of them, and takes one more once another is gone', async () => {
    const bench = new Bench();
    for (let number = 1; number <= limits.reportSubscriptionElements; number += 1)
      expect((await save(bench, { reportName: `Report ${number}` })).status).toBe(200);
    expect((await save(bench, { reportName: 'One more' })).status).toBe(400);
    expect((await save(bench, { reportName: 'Report 20', startTime: '0100' })).status).toBe(200);
    await bench.call('DELETE', `${path}/Report%201`);
    expect((await save(bench, { reportName: 'One more' })).status).toBe(200);
  });
});

describe('the tools', () => {
  it('save a subscription as the platform wants it, and show it', async () => {
    const it = await world();
    const args = reportSubscription({ frequency: 'monthly', day: 31, signed: true, names: 'SCMP' });
    const said = await it.call('save_report_subscription', args);
    expect(said).toMatchObject({ outcome: 'done', data: { name: 'Daily sales' } });
    expect(it.sent.at(-1)).toMatchObject({
      method: 'PUT',
      body: {
        ...terms({ reportFrequency: 'Monthly', startDay: 31 }),
        reportPreferences: { signedAmounts: true, fieldNameConvention: 'SCMP' },
      },
    });
    const { report_subscription } = said.data;
    expect(await it.call('get_report_subscription', { report_subscription })).toMatchObject({
      data: { frequency: 'monthly', day: 31, time: '0630', fields: args.fields },
    });
    expect((await it.call('list_report_subscriptions')).data.items).toMatchObject([{ report_subscription }]);
  });

  it('show everything that is lost where it is saved again without it', async () => {
    const it = await world();
    const filters = [{ field: 'Application.Name', values: ['refund', 'capture'] }];
    const more = { filters, signed: true, names: 'SCMP', group: 'North' };
    const report_subscription = await subscribedReport(it, more);
    expect(it.sent.at(-1)?.body).toMatchObject({ selectedMerchantGroupName: 'North' });
    expect((await it.call('get_report_subscription', { report_subscription })).data).toMatchObject(more);
    await subscribedReport(it);
    const { data } = await it.call('get_report_subscription', { report_subscription });
    expect(Object.keys(more).filter((name) => name in data)).toEqual([]);
  });

  it('RP-04 hide what they cannot show as it is, because saving that again would destroy it', async () => {
    const it = await world();
    const long = 'x'.repeat(limits.untrustedCharacters + 1);
    const filters = [
      { field: 'Request.RequestID', values: ['7001234567890123456789'] },
      { field: 'Application.Name', values: ['capture', long] },
      { field: 'BillTo.Email', values: ['ada@example.com'] },
      { field: 'BillTo.City', values: [] },
    ];
    const report_subscription = await subscribedReport(it, { filters, group: long });
    const { data } = await it.call('get_report_subscription', { report_subscription });
    const shown = [
      { field: 'Request.RequestID', hidden: true },
      { field: 'Application.Name', hidden: true },
      ...filters.slice(2),
    ];
    expect(data.filters).toHaveLength(shown.length);
    expect(data.filters).toEqual(expect.arrayContaining(shown));
    expect([data.group, data.group_hidden]).toEqual([undefined, true]);
    const sent = it.sent.length;
    const again = await it.call(
      'save_report_subscription',
      reportSubscription({ time: '0700', filters: data.filters }),
    );
    expect([again.outcome, it.sent.length]).toEqual(['refused', sent]);
    // What is shown can be saved again.
    const whole = { time: '0700', filters: filters.slice(2) };
    expect((await it.call('save_report_subscription', reportSubscription(whole))).outcome).toBe('done');
    const saved = it.sent.findLast(({ method }) => method === 'PUT');
    expect(saved?.body).toMatchObject({ reportFilters: { 'BillTo.Email': ['ada@example.com'], 'BillTo.City': [] } });
  });

  it.each([
    { frequency: 'weekly', day: 2, format: 'csv', names: 'SOAPI' },
    { frequency: 'user_defined', interval: 'PT6H', format: 'xml', signed: true },
  ])('are saved again as they are shown, which changes nothing: %o', async (more) => {
    const it = await world();
    const filters = [{ field: 'Application.Name', values: ['ics_bill'] }];
    const handle = await subscribedReport(it, { ...more, filters, group: 'Europe' });
    const { data } = await it.call('get_report_subscription', { report_subscription: handle });
    const { report_subscription: _, ...shown } = data;
    expect(shown).toMatchObject(more);
    expect(await it.through('save_report_subscription', shown)).toMatchObject({
      outcome: 'done',
      said: 'The subscription was like this already; nothing is changed.',
    });
  });

  it.each(['*', 'capture…'])('RP-04 refuse a filter of %s, which stands for a value', async (value) => {
    const it = await world();
    const filters = [{ field: 'Application.Name', values: ['refund', value] }];
    const said = await it.call('save_report_subscription', reportSubscription({ filters }));
    expect(said).toMatchObject({ outcome: 'refused', error: { rule: 'RP-04' } });
    expect(await it.effects('saveReportSubscription')).toEqual([]);
  });

  it.each([
    [
      'D-131 are read where their filters come in an array',
      { reportFilters: [{ 'A.B': ['c'] }, { 'A.B': ['d'], E: [] }] },
    ],
    ['RP-04 show the id of a group as no name', { groupId: 'group-1' }],
  ])('%s', async (_, change) => {
    const platform =
      (real: Platform): Platform =>
      async (request) => {
        const answer = await real(request);
        const { pathname } = new URL(request.url);
        if (request.method !== 'GET' || !pathname.includes('/report-subscriptions')) return answer;
        const changed = (it: object) => ({ ...it, ...change });
        const body = (await answer.json()) as { readonly subscriptions?: readonly object[] };
        const { subscriptions } = body;
        return Response.json(
          subscriptions === undefined ? changed(body) : { subscriptions: subscriptions.map(changed) },
        );
      };
    const it = await world({ replace: { platform } });
    const report_subscription = await subscribedReport(it);
    expect((await it.call('list_report_subscriptions')).outcome).toBe('done');
    const { outcome, data } = await it.call('get_report_subscription', { report_subscription });
    expect(outcome).toBe('done');
    const { filters, group, group_id } = data;
    expect({ filters, group, group_id }).toEqual(
      'groupId' in change
        ? { group_id: 'group-1' }
        : {
            filters: [
              { field: 'A.B', values: ['c', 'd'] },
              { field: 'E', values: [] },
            ],
          },
    );
  });

  it('RP-04 leave out what the document has optional', async () => {
    const it = await world();
    const { frequency: _, time: __, format: ___, ...least } = reportSubscription();
    expect((await it.call('save_report_subscription', least)).outcome).toBe('done');
    const sent = Object.keys((it.sent.at(-1)?.body ?? {}) as object);
    expect(['reportFrequency', 'startTime', 'reportMimeType'].filter((name) => sent.includes(name))).toEqual([]);
  });

  it('D-27 say that nothing is changed', async () => {
    const it = await world();
    await subscribedReport(it);
    const again = await it.call('save_report_subscription', reportSubscription());
    expect(again).toMatchObject({ outcome: 'done' });
    expect(await it.effects('saveReportSubscription')).toHaveLength(2);
    expect(again.said).toContain('nothing is changed');
  });

  it('RP-01 delete a subscription once, and again after it was saved again, by whoever did', async () => {
    const it = await world();
    const report_subscription = await subscribedReport(it);
    const deleted = () => it.call('delete_report_subscription', { report_subscription });
    await deleted();
    expect(await deleted()).toMatchObject({ outcome: 'refused', error: { code: 'RULE', rule: 'RP-01' } });
    expect(await it.effects('deleteReportSubscription')).toHaveLength(1);
    await subscribedReport(it);
    expect((await deleted()).outcome).toBe('done');
    // A colleague, without Purser.
    await it.parts.client.saveReportSubscription({ body: terms() }, { requestId: 'portal' });
    expect((await deleted()).outcome).toBe('done');
    expect(await it.effects('deleteReportSubscription')).toHaveLength(3);
  });

  it('delete a subscription', async () => {
    const it = await world();
    const report_subscription = await subscribedReport(it);
    expect(await it.call('delete_report_subscription', { report_subscription })).toMatchObject({
      outcome: 'done',
      data: { report_subscription, state: 'DELETED' },
    });
    expect((await it.call('list_report_subscriptions')).data.items).toEqual([]);
    expect((await it.call('get_report_subscription', { report_subscription })).outcome).toBe('declined');
  });

  it.each([
    ['RP-01', 'definition', { definition: 'FeeDetailClass' }],
    ['RP-01', 'name', { name: 'x'.repeat(limits.reportNameCharacters + 1) }],
    ['RP-02', 'fields', { name: 'Other', fields: ['Request.RequestID', 'Request.Nonsense'] }],
    ['RP-02', 'definition', { name: 'Other', definition: 'InvoiceReport' }],
    ['RP-04', 'frequency', { name: 'Other', frequency: 'weekly', day: 8 }],
    ['RP-04', 'frequency', { name: 'Other', frequency: 'user_defined' }],
    ['RP-04', 'time', { name: 'Other', time: '630' }],
    ['RP-04', 'time_zone', { name: 'Other', time_zone: 'Europe/Atlantis' }],
    ['RP-04', 'format', { name: 'Other', format: 'pdf' }],
    ['RP-12', 'organization', { name: 'Other', organization: 'harbour_radio' }],
  ])('%s refuse by %s: %j', async (rule, field, change) => {
    const it = await world();
    await subscribedReport(it);
    expect(await it.call('save_report_subscription', reportSubscription(change))).toMatchObject({
      outcome: 'refused',
      error: { rule, field },
    });
    expect(await it.effects('saveReportSubscription')).toHaveLength(1);
  });

  it('are what to look at next, where one was saved', async () => {
    const it = await world();
    const { operation } = await it.call('save_report_subscription', reportSubscription());
    expect((await it.call('get_operation', { operation })).next).toEqual(['get_report_subscription']);
  });

  it('RP-03 keep at most twenty, however many are asked for at the same time', async () => {
    const it = await world();
    const most = limits.reportSubscriptionElements;
    for (let number = 1; number <= most - 2; number += 1) await subscribedReport(it, { name: `Report ${number}` });
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const ended = new Map<string, string | undefined>();
    // Who finds another change under way makes the same call again: at least one of them ends each time.
    for (let round = 0; round < names.length && ended.size < names.length; round += 1) {
      const waiting = names.filter((name) => !ended.has(name));
      const said = await Promise.all(
        waiting.map((name) => it.call('save_report_subscription', reportSubscription({ name }))),
      );
      said.forEach(({ outcome, error }, index) => {
        if (error?.code !== 'IN_FLIGHT') ended.set(waiting[index] ?? '', error?.rule ?? outcome);
      });
    }
    expect([...ended.values()].toSorted()).toEqual([...Array(4).fill('RP-03'), 'done', 'done']);
    expect(await it.effects('saveReportSubscription')).toHaveLength(most);
    expect((await it.call('list_report_subscriptions')).data.items).toHaveLength(most);
  });

  it('RP-03 refuse a twenty-first subscription, and still replace one of the twenty', async () => {
    const it = await world();
    for (let number = 1; number <= limits.reportSubscriptionElements; number += 1)
      await subscribedReport(it, { name: `Report ${number}` });
    const more = reportSubscription({ name: 'One more' });
    expect(await it.call('save_report_subscription', more)).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-03', field: 'name' },
      next: ['list_report_subscriptions', 'delete_report_subscription'],
    });
    const change = reportSubscription({ name: 'Report 3', time: '0700' });
    expect(await it.call('save_report_subscription', change)).toMatchObject({ outcome: 'done' });
  });
});
