import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { limits } from '../../src/core/limits.ts';
import type { Progress } from '../../src/core/outcome.ts';
import { isReportable, splitRange } from '../../src/domains/reporting/ranges.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { captured } from '../engine/conversion.ts';
import { report, reportSubscription, requestedReport } from '../engine/reporting.ts';
import { agent, type World, world } from '../engine/support.ts';
import { Bench } from '../sandbox/support.ts';

const path = '/reporting/v3/reports';

/** A one-time report as a client of the platform requests it. */
const terms = (change: object = {}) => ({
  ...{ reportDefinitionName: 'TransactionRequestClass', reportFields: ['Request.RequestID', 'PaymentData.Amount'] },
  ...{ reportMimeType: 'text/csv', reportName: 'January', timezone: 'Europe/London' },
  ...{ reportStartTime: '2026-01-01T00:00:00Z', reportEndTime: '2026-02-01T00:00:00Z', ...change },
});

const made = 'startTime=2026-01-15T00:00:00Z&endTime=2026-01-16T00:00:00Z&timeQueryType=executedTime';

const states = async (bench: Bench): Promise<readonly string[]> =>
  (await bench.call('GET', `${path}?${made}`)).body.reportSearchResults.map((it: { status: string }) => it.status);

const later = (bench: Bench, seconds: number) => bench.control('POST', 'clock', { advance: `PT${seconds}S` });

describe('the platform', () => {
  it.each(['POST', 'PUT'])(
    'takes a one-time report by %s, and the clock makes it: nothing happened, so NO_DATA',
    async (method) => {
      const bench = new Bench();
      expect(await bench.call(method, path, terms())).toEqual({ status: 200, body: undefined });
      expect(await states(bench)).toEqual(['PENDING']);
      for (const [seconds, state] of [
        [limits.reportPendingSeconds, 'QUEUED'],
        [limits.reportQueuedSeconds, 'RUNNING'],
        [limits.reportRunningSeconds, 'NO_DATA'],
      ] as const) {
        await later(bench, seconds);
        expect(await states(bench)).toEqual([state]);
      }
    },
  );

  it('RP-05 runs three at once, and the fourth waits until one is done', async () => {
    const bench = new Bench();
    for (let number = 1; number <= 4; number += 1)
      await bench.call('POST', path, terms({ reportName: `Report ${number}` }));
    await later(bench, limits.reportPendingSeconds + limits.reportQueuedSeconds);
    expect(await states(bench)).toEqual(['RUNNING', 'RUNNING', 'RUNNING', 'QUEUED']);
    await later(bench, limits.reportRunningSeconds);
    expect(await states(bench)).toEqual(['NO_DATA', 'NO_DATA', 'NO_DATA', 'RUNNING']);
    await later(bench, limits.reportRunningSeconds);
    expect(await states(bench)).toEqual(['NO_DATA', 'NO_DATA', 'NO_DATA', 'NO_DATA']);
  });

  it.each([
    ['RP-06', 'reportEndTime', { reportEndTime: '2026-02-01T00:00:01Z' }],
    ['RP-06', 'reportEndTime', { reportEndTime: '2026-01-01T00:00:00Z' }],
    ['RP-02', 'reportFields[0]', { reportFields: ['Request.Nonsense'] }],
    ['RP-02', 'reportFilters', { reportFilters: { 'Request.Nonsense': ['refund'] } }],
    ['RP-04', 'timezone', { timezone: 'Europe/Atlantis' }],
  ])('%s answers 400 about %s for %j', async (_, field, change) => {
    const { status, body } = await new Bench().call('POST', path, terms(change));
    expect([status, body.fields?.[0]?.path]).toEqual([400, field]);
  });

  it('RP-04 takes a request without reportMimeType, and makes the file that is the default', async () => {
    const bench = new Bench();
    expect((await bench.call('POST', path, terms({ reportMimeType: undefined }))).status).toBe(200);
    const { reportSearchResults } = (await bench.call('GET', `${path}?${made}`)).body;
    expect(reportSearchResults[0].reportMimeType).toBe('application/xml');
  });

  it('RP-01 takes a name once', async () => {
    const bench = new Bench();
    await bench.call('POST', path, terms());
    expect((await bench.call('POST', path, terms({ reportMimeType: 'application/xml' }))).status).toBe(400);
  });

  it.each(['startTime', 'endTime', 'timeQueryType'])('RP-07 searches with %s alone', async (name) => {
    const query = new URLSearchParams(made);
    query.delete(name);
    const { status, body } = await new Bench().call('GET', `${path}?${query}`);
    expect([status, body.details[0].field]).toEqual([400, name]);
  });

  it.each([
    ['reportFrequency', { reportFrequency: 'Hourly' }],
    ['endTime', { endTime: '2026-01-14T23:59:59Z' }],
  ])('RP-07 searches by a wrong %s', async (field, change) => {
    const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(made)), ...change });
    const { status, body } = await new Bench().call('GET', `${path}?${query}`);
    expect([status, body.details[0].field]).toEqual([400, field]);
  });

  it('finds reports by their time and by what they are, and answers 404 without a body where there is none', async () => {
    const bench = new Bench();
    await bench.call('POST', path, terms());
    await bench.call(
      'POST',
      path,
      terms({ reportName: 'Fees', reportDefinitionName: 'FeeDetailClass', reportMimeType: 'application/xml' }),
    );
    const found = async (query: string) => {
      const { status, body } = await bench.call('GET', `${path}?${query}`);
      return status === 200
        ? body.reportSearchResults.map((it: { reportName: string }) => it.reportName)
        : [status, body];
    };
    const about = 'startTime=2026-01-31T00:00:00Z&endTime=2026-03-01T00:00:00Z&timeQueryType=reportTimeFrame';
    expect(await found(about)).toEqual(['January', 'Fees']);
    expect(await found(`${made}&reportName=Fees`)).toEqual(['Fees']);
    expect(await found(`${made}&reportDefinitionId=210`)).toEqual(['January']);
    expect(await found(`${made}&reportMimeType=application/xml`)).toEqual(['Fees']);
    expect(await found(`${made}&reportFrequency=Adhoc&reportStatus=PENDING`)).toEqual(['January', 'Fees']);
    expect(await found(`${made}&reportStatus=ERROR`)).toEqual([404, undefined]);
  });
});

describe('a range', () => {
  // From midnight to midnight there, and a second more.
  it.each([
    ['Europe/Berlin', '2026-10-01T00:00:00+02:00', '2026-11-01T00:00:00+01:00'], // 745 hours
    ['Europe/Berlin', '2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'], // 743 hours
    ['America/New_York', '2026-10-15T00:00:00-04:00', '2026-11-15T00:00:00-05:00'],
    ['Australia/Lord_Howe', '2026-03-20T00:00:00+11:00', '2026-04-20T00:00:00+10:30'], // half an hour
    ['Africa/Cairo', '2026-10-01T00:00:00+03:00', '2026-11-01T00:00:00+02:00'],
    ['Pacific/Pago_Pago', '2026-10-01T00:00:00-11:00', '2026-11-01T00:00:00-11:00'],
  ])('D-161: has 31 days by the clocks of %s', (zone, begins, ends) => {
    const [from, to] = [Date.parse(begins), Date.parse(ends)];
    expect([isReportable({ from, to }, zone), isReportable({ from, to: to + 1_000 }, zone)]).toEqual([true, false]);
    expect(splitRange({ from, to }, zone)).toEqual([{ from, to }]);
    expect(splitRange({ from, to: to + 1_000 }, zone)).toEqual([
      { from, to },
      { from: to, to: to + 1_000 },
    ]);
  });

  it('D-161: is split into parts that meet, each within 31 days by the clocks of its zone', () => {
    const hour = 3_600_000;
    const ranges = fc.record({
      zone: fc.constantFrom(...timeZones),
      from: fc.integer({ min: Date.UTC(2026, 0, 1) / 1_000, max: Date.UTC(2029, 0, 1) / 1_000 }),
      hours: fc.integer({ min: 1, max: 100 * 24 }),
    });
    fc.assert(
      fc.property(ranges, ({ zone, from: second, hours }) => {
        const from = second * 1_000;
        const to = from + hours * hour;
        const parts = splitRange({ from, to }, zone);
        expect(parts.every((part) => isReportable(part, zone))).toBe(true);
        expect(parts.map((part) => part.from)).toEqual([from, ...parts.slice(0, -1).map((part) => part.to)]);
        expect(parts.at(-1)?.to).toBe(to);
      }),
      { numRuns: 200, seed: 28 },
    );
  });

  it('D-161: of October is one report in Berlin, for the platform and for the tool', async () => {
    const it = await world();
    const october = {
      from: '2025-10-01T00:00:00+02:00',
      until: '2025-11-01T00:00:00+01:00',
      time_zone: 'Europe/Berlin',
    };
    expect(await it.call('request_report', report(october))).toMatchObject({ outcome: 'done' });
    const { time_zone: _, ...elsewhere } = october;
    expect(await it.call('request_report', report({ ...elsewhere, name: 'October' }))).toMatchObject({
      ...{ outcome: 'refused', error: { rule: 'RP-06', field: 'until' } },
    });
  });

  it('is split into as few as possible that meet, each within 31 days', () => {
    const days = 86_400_000;
    const ranges = fc.record({
      from: fc.integer({ min: 0, max: 10 ** 12 }),
      length: fc.integer({ min: 1, max: 400 * days }),
    });
    fc.assert(
      fc.property(ranges, ({ from, length }) => {
        const parts = splitRange({ from, to: from + length });
        expect(parts.every((part) => isReportable(part))).toBe(true);
        expect(parts.map((part) => part.from)).toEqual([from, ...parts.slice(0, -1).map((part) => part.to)]);
        expect([parts.at(-1)?.to, parts.length]).toEqual([from + length, Math.ceil(length / (31 * days))]);
      }),
      { numRuns: 100, seed: 16 },
    );
  });
});

/** A platform whose answers don't have a member. */
const without =
  (member: string) =>
  (real: Platform): Platform =>
  async (request) => {
    const response = await real(request);
    const text = (await response.text()).replaceAll(new RegExp(`"${member}":"[^"]*",?`, 'g'), '');
    const { status, headers } = response;
    const left = [...headers].filter(([name]) => name !== 'content-length');
    return new Response(text === '' ? null : text, { status, headers: left });
  };

describe('the tools', () => {
  const search = { from: '2026-01-15T00:00:00Z', until: '2026-01-16T00:00:00Z', by: 'made' };

  it('request a report, follow it, and find it COMPLETED where something happened', async () => {
    const it = await world();
    await captured(it);
    expect(await it.call('request_report', report())).toMatchObject({ outcome: 'done', data: { name: 'January' } });
    const [first] = (await it.call('list_reports', search)).data.items;
    expect(first).toMatchObject({ name: 'January', state: 'PENDING', format: 'csv' });
    await it.advance(limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds);
    expect(await it.call('get_report', { report: first.report })).toMatchObject({
      data: { state: 'COMPLETED', fields: report().fields, from: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('show the reports of a search page by page, each of them once', async () => {
    const it = await world();
    await it.call('save_report_subscription', reportSubscription({ frequency: 'user_defined', interval: 'PT1H' }));
    const count = limits.reportRows + 10;
    await it.advance(count * 3_600);
    const wide = { ...search, until: '2026-02-16T00:00:00Z' };
    const first = (await it.call('list_reports', wide)).data;
    expect([first.items.length, first.more]).toEqual([limits.reportRows, String(limits.reportRows)]);
    const rest = (await it.call('list_reports', { ...wide, cursor: first.more })).data;
    expect([rest.items.length, rest.more]).toEqual([10, undefined]);
    const handles = [...first.items, ...rest.items].map(({ report: handle }: { report: string }) => handle);
    expect(new Set(handles).size).toBe(count);
    expect(await it.call('get_report', { report: handles.at(-1) })).toMatchObject({ outcome: 'done' });
    expect((await it.call('list_reports', { ...wide, cursor: '1000' })).data).toEqual({ items: [], total: count });
    const some = (await it.call('list_reports', { ...wide, cursor: '5', limit: 3 })).data;
    expect([some.items, some.total, some.more]).toEqual([first.items.slice(5, 8), count, '8']);
  });

  it('RP-06 refuse a range that is too long, with the ranges to ask for', async () => {
    const it = await world();
    const said = await it.call('request_report', report({ until: '2026-02-15T00:00:00Z' }));
    expect(said).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-06', field: 'until' },
      next: ['request_report'],
    });
    expect(said.said).toContain('2026-02-01T00:00:00.000Z until 2026-02-15T00:00:00.000Z');
    expect(await it.effects('requestReport')).toEqual([]);
  });

  it('RP-05 refuse a fourth report while three are being made, and take it when one is finished', async () => {
    const it = await world();
    for (let number = 1; number <= 3; number += 1)
      expect(await it.call('request_report', report({ name: `Part ${number}` }))).toMatchObject({ outcome: 'done' });
    await it.advance(limits.reportPendingSeconds + limits.reportQueuedSeconds);
    expect(await it.call('request_report', report({ name: 'Part 4' }))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-05', field: 'name' },
      next: ['list_reports'],
    });
    expect(await it.effects('requestReport')).toHaveLength(3);
    await it.advance(limits.reportRunningSeconds);
    expect(await it.call('request_report', report({ name: 'Part 4' }))).toMatchObject({ outcome: 'done' });
  });

  it('RP-05 takes a report where nothing was made for long, whatever was seen then', async () => {
    const it = await world();
    for (let number = 1; number <= 3; number += 1) await it.call('request_report', report({ name: `Part ${number}` }));
    await it.advance(limits.reportPendingSeconds + limits.reportQueuedSeconds);
    await it.call('request_report', report({ name: 'Part 4' }));
    await it.advance(3 * 86_400);
    expect(await it.call('request_report', report({ name: 'Part 4' }))).toMatchObject({ outcome: 'done' });
  });

  it('RP-02 refuse a field that the definition does not have', async () => {
    const it = await world();
    expect(await it.call('request_report', report({ fields: ['Request.Nonsense'] }))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-02', field: 'fields' },
    });
  });

  it('are found by the name alone where they were made within a month, and by no part of a time', async () => {
    const it = await world();
    await it.call('request_report', report());
    await it.call('request_report', report({ name: 'The other' }));
    const { outcome, data } = await it.call('list_reports', { name: 'January' });
    expect([outcome, data.total, data.items[0].name]).toEqual(['done', 1, 'January']);
    const more = [{ from: search.from }, { until: search.until }, { by: 'made' }, {}];
    for (const part of more)
      expect(
        await it.call('list_reports', part.by || part.from || part.until ? { name: 'January', ...part } : {}),
      ).toMatchObject({
        outcome: 'refused',
        error: { rule: 'RP-07' },
      });
    await it.advance(30 * 86_400);
    expect((await it.call('list_reports', { name: 'January' })).data.total).toBe(1);
    await it.advance(2 * 86_400);
    expect(await it.call('list_reports', { name: 'January' })).toMatchObject({
      outcome: 'done',
      data: { items: [], total: 0 },
    });
  });

  it('RP-07 refuse a search without a time, or without which time that is', async () => {
    const it = await world();
    const missing = {
      from: 'from is missing.',
      until: 'until is missing.',
      by: 'by is missing: it must be one of range, made.',
    };
    for (const left of ['from', 'until', 'by'] as const)
      expect(await it.call('list_reports', { ...search, [left]: undefined })).toMatchObject({
        outcome: 'refused',
        said: `${missing[left]} Give it as an argument.`,
        error: { rule: 'RP-07', field: left },
      });
  });

  it('RP-05 count a report that the platform makes without saying since when', async () => {
    const it = await world({ replace: { platform: without('queuedTime') } });
    for (let number = 1; number <= limits.concurrentReportElements; number += 1)
      await it.call('request_report', report({ name: `Part ${number}` }));
    await it.advance(limits.reportPendingSeconds + limits.reportQueuedSeconds);
    expect(await it.call('request_report', report({ name: 'One more' }))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-05' },
    });
  });

  it('RP-12 ask the same organization for everything that a call about it depends on', async () => {
    const asked: (readonly [path: string, organization: string | null])[] = [];
    const organization = sandboxSeed.credentials.merchantId;
    const { merchant } = sandboxSeed;
    const it = await world({
      configure: { merchant: { name: merchant.name, country: 'GB', url: merchant.url, reportsFor: organization } },
      replace: {
        platform: (real) => (request) => {
          const { pathname, searchParams } = new URL(request.url);
          if (request.method === 'GET' && pathname.startsWith('/reporting/'))
            asked.push([pathname, searchParams.get('organizationId')]);
          return real(request);
        },
      },
    });
    await captured(it);
    await it.call('save_report_subscription', reportSubscription({ organization }));
    await it.fault('requestReport', 'timeout-after-commit');
    const lost = await it.call('request_report', report({ organization }));
    await it.advance(limits.quietSeconds + 1);
    await it.running.engine.recover();
    expect((await it.operation(lost.operation)).state).toBe('SUCCEEDED');
    const found = await it.call('list_reports', { ...search, organization });
    await it.advance(limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds);
    const file = await it.call('download_report', { report: found.data.items[0].report, organization });
    expect(file.outcome).toBe('done');
    expect(asked.length).toBeGreaterThan(7);
    expect(asked.filter(([, of]) => of !== organization)).toEqual([]);
  });

  it('EN-03 a name asked for again is a replay, and for another report a conflict', async () => {
    const it = await world();
    await it.call('request_report', report());
    expect(await it.call('request_report', report())).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.call('request_report', report({ format: 'xml' }))).toMatchObject({
      outcome: 'refused',
      error: { code: 'CONFLICT', field: 'name' },
    });
    expect(await it.effects('requestReport')).toHaveLength(1);
  });
});

describe('waiting for a report', () => {
  /** A world whose pauses set the clock forward. */
  async function waiting(seconds: number) {
    const pauses: number[] = [];
    let it: World | undefined;
    const made = await world({
      replace: {
        pause: async (milliseconds: number) => {
          pauses.push(milliseconds);
          await it?.advance(seconds);
        },
      },
    });
    it = made;
    return { it: made, pauses };
  }

  it('tells how far it is, and answers once it is made', async () => {
    const { it, pauses } = await waiting(10);
    const handle = await requestedReport(it);
    const seen: Progress[] = [];
    const watch = { onProgress: (progress: Progress) => seen.push(progress) };
    const said = await it.running.engine.call('get_report', { report: handle, wait: true }, agent, watch);
    expect(said).toMatchObject({ outcome: 'done', data: { state: 'NO_DATA' }, next: ['list_reports'] });
    expect([...new Set(seen.map(({ step }) => step))]).toEqual(['PENDING', 'QUEUED', 'RUNNING']);
    expect(new Set(pauses)).toEqual(new Set([limits.pollSeconds * 1_000]));
  });

  it('gives up after a while, and says how far it is', async () => {
    const { it, pauses } = await waiting(0.1);
    const said = await it.call('get_report', { report: await requestedReport(it), wait: true });
    expect(said).toMatchObject({
      outcome: 'done',
      data: { state: 'PENDING' },
      next: ['get_report'],
    });
    expect(pauses).toHaveLength(limits.pollAttempts - 1);
  });

  it('looks once where it is not asked to wait, or is made, or its caller cancels', async () => {
    const { it, pauses } = await waiting(600);
    const handle = await requestedReport(it);
    await it.call('get_report', { report: handle });
    const stop = new AbortController();
    const watch = { signal: stop.signal, onProgress: () => stop.abort() };
    await it.running.engine.call('get_report', { report: handle, wait: true }, agent, watch);
    await it.call('get_report', { report: handle, wait: true });
    expect(pauses).toHaveLength(1);
  });
});
