import { describe, expect, it } from 'vitest';
import { finishedReport, reportSubscription } from '../engine/reporting.ts';
import { world } from '../engine/support.ts';

// What a name or a file is not: an address that nobody can call, and a report that did not arrive.

describe('a report subscription', () => {
  it.each(['.', '..', '...'])('is not saved as %s, which leads elsewhere (D-153)', async (name) => {
    const it = await world();
    const sent = it.sent.length;
    expect(await it.call('save_report_subscription', reportSubscription({ name }))).toMatchObject({
      outcome: 'refused',
      error: { code: 'INVALID_ARGUMENT', field: 'name', rule: 'RP-01' },
    });
    expect(it.sent.slice(sent)).toEqual([]);
  });

  it('is saved as more than dots', async () => {
    const it = await world();
    expect((await it.call('save_report_subscription', reportSubscription({ name: '..a' }))).outcome).toBe('done');
  });
});

describe('a downloaded report', () => {
  it.each([
    ['the report', undefined, 'text/csv', /^This is the file/, []],
    ['a report without amounts', 'Report,1.0,m\nRequest.RequestID\n1\n', 'text/csv', /^This is the file\. /, []],
    ['nothing', '', 'text/csv', /empty file/, ['get_report']],
    ['a page', '<html>login</html>\n', 'text/csv', /a page/, ['get_report']],
    ['a page called XML', '<!DOCTYPE html>\n<html/>\n', 'application/xml', /a page/, ['get_report']],
  ])('is told as what came: %s', async (_, text, type, said, next) => {
    const it = await world({
      replace: {
        platform: (real) => async (request) =>
          text !== undefined && request.url.includes('/report-downloads')
            ? new Response(text, { headers: { 'content-type': type } })
            : await real(request),
      },
    });
    const answer = await it.call('download_report', { report: await finishedReport(it) });
    expect(answer).toMatchObject({ outcome: 'done', said: expect.stringMatching(said), next });
    expect(answer.data.sums !== undefined).toBe(answer.said.includes('with the sums'));
  });
});
