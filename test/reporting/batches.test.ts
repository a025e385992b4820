import { describe, expect, it } from 'vitest';
import { getPaymentBatchSummaries as batchSummaries } from '../../tools/reporting/get-payment-batch-summaries.ts';
import { captured, refunded } from '../engine/conversion.ts';
import { type Said, type World, world } from '../engine/support.ts';
import { Bench, credentials } from '../sandbox/support.ts';
import { histories } from './histories.ts';
import { inYen } from './in-yen.ts';

const path = '/reporting/v3/payment-batch-summaries';
const tool = 'get_payment_batch_summaries';
const january = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
const query = (more: object = {}) =>
  new URLSearchParams({ startTime: '2026-01-01T00:00:00.000+0000', endTime: '2026-02-01T00:00:00.000+0000', ...more });

/** Two sales of 100.00 USD, of which one was paid back. */
async function sold(more: Parameters<typeof world>[0] = {}): Promise<World> {
  const it = await world(more);
  await captured(it, { reference: 'order-1' });
  await refunded(it, { reference: 'order-2' });
  return it;
}
const sums = (it: World, args: object = january): Promise<Said> => it.call(tool, args);

describe('the platform', () => {
  it('answers 404 without a body where there was nothing, and 400 for a time that ends before it begins', async () => {
    const bench = new Bench();
    expect(await bench.call('GET', `${path}?${query()}`)).toEqual({ status: 404, body: undefined });
    expect(await bench.call('GET', `${path}?${query({ endTime: '2026-01-01T00:00:00.000+0000' })}`)).toMatchObject({
      status: 400,
      body: { reason: 'INVALID_DATA', details: [{ field: 'endTime' }] },
    });
  });

  it.each([
    ['rollUp without breakdown', { rollUp: 'day' }, 'breakdown'],
    ['breakdown without rollUp', { breakdown: 'all_merchant' }, 'rollUp'],
    ['an eighth day of the week', { rollUp: 'week', breakdown: 'all_merchant', startDayOfWeek: '8' }, 'startDayOfWeek'],
    ['a time without an offset', { startTime: '2026-01-01T00:00:00.000' }, 'startTime'],
    ['a day that is none', { startTime: '2025-02-30T00:00:00.000+0000' }, 'startTime'],
    ['an hour that is none', { startTime: '2025-12-31T24:00:00.000+0000' }, 'startTime'],
    ['no year', { rollUp: 'year', breakdown: 'all_merchant' }, 'rollUp'],
    ['another organization', { organizationId: 'other' }, 'organizationId'],
  ])('RP-09 RP-12 refuses %s', async (_, more, field) => {
    expect(await new Bench().call('GET', `${path}?${query(more)}`)).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    });
  });
});

describe('the tool', () => {
  it('sums sales and refunds by currency, and the totals in minor units', async () => {
    const it = await sold();
    const { outcome, data } = await sums(it);
    expect([outcome, data.items]).toEqual([
      'done',
      [
        {
          ...{ currency: 'USD', method: expect.stringContaining('Card') },
          ...{ from: '2026-01-01T00:00:00.000Z', until: '2026-02-01T00:00:00.000Z' },
          ...{ sales_count: 2, sales: '200.00', refunds_count: 1, refunds: '100.00' },
        },
      ],
    ]);
    expect(data.totals).toEqual([{ currency: 'USD', sales: '200.00', refunds: '100.00', net: '100.00' }]);
  });

  it('has no totals of a currency for which the platform states an amount that it cannot have', async () => {
    const it = await sold({ replace: { platform: inYen } });
    const { outcome, data } = await sums(it);
    expect([outcome, data.items, data.totals]).toEqual([
      ...['done', [expect.objectContaining({ currency: 'JPY', sales: '200.00' })]],
      [],
    ]);
  });

  it('leaves out a capture that was voided', async () => {
    const it = await sold();
    await it.through('void_capture', { capture: await captured(it, { reference: 'order-3' }) });
    expect((await sums(it)).data.totals).toMatchObject([{ sales: '200.00' }]);
  });

  it('has a row for each day, week and month, in the offset of the question', async () => {
    const it = await sold(); // on Thursday, 15 January, at 09:00 UTC
    const rows = async (more: object) =>
      (await sums(it, { ...january, breakdown: 'all_merchant', ...more })).data.items.map(
        (row: { readonly from: string; readonly until: string }) => [row.from, row.until],
      );
    expect(await rows({ roll_up: 'day' })).toEqual([['2026-01-15T00:00:00.000Z', '2026-01-16T00:00:00.000Z']]);
    expect(await rows({ roll_up: 'week' })).toEqual([['2026-01-11T00:00:00.000Z', '2026-01-18T00:00:00.000Z']]);
    expect(await rows({ roll_up: 'week', week_begins: 5 })).toEqual([
      ['2026-01-15T00:00:00.000Z', '2026-01-22T00:00:00.000Z'],
    ]);
    expect(await rows({ roll_up: 'week', week_begins: 6 })).toEqual([
      ['2026-01-09T00:00:00.000Z', '2026-01-16T00:00:00.000Z'],
    ]);
    expect(await rows({ roll_up: 'month' })).toEqual([['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']]);
    const tokyo = { from: '2026-01-01T00:00:00+09:00', until: '2026-02-01T00:00:00+09:00' };
    expect(await rows({ ...tokyo, roll_up: 'day' })).toEqual([
      ['2026-01-14T15:00:00.000Z', '2026-01-15T15:00:00.000Z'],
    ]);
    const west = { from: '2026-01-01T00:00:00-10:00', until: '2026-02-01T00:00:00-10:00' };
    expect(await rows({ ...west, roll_up: 'day' })).toEqual([['2026-01-14T10:00:00.000Z', '2026-01-15T10:00:00.000Z']]);
  });

  it('RP-09 asks for nothing with one of the two alone', async () => {
    const it = await world();
    for (const more of [{ roll_up: 'day' }, { breakdown: 'all_merchant' }])
      expect(await sums(it, { ...january, ...more })).toMatchObject({
        outcome: 'refused',
        error: { rule: 'RP-09', field: 'roll_up' },
      });
    expect(await sums(it, { ...january, roll_up: 'week', breakdown: 'all_merchant', week_begins: 8 })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'RP-09', field: 'week_begins' },
    });
  });

  it('says that nothing was found where nothing was sold', async () => {
    const it = await sold();
    const empty = { from: '2025-01-01T00:00:00Z', until: '2025-02-01T00:00:00Z' };
    const { said, ...answer } = await sums(it, empty);
    expect(answer).toMatchObject({ outcome: 'done', data: { items: [], totals: [] } });
    expect(said).toBe(batchSummaries.present.messages.none);
  });

  it('names the merchant by its id where the question is about all of them', async () => {
    const it = await sold();
    const args = { ...january, roll_up: 'month', breakdown: 'all_merchant' };
    expect((await sums(it, args)).data.items[0].merchant).toContain(credentials.merchantId);
  });
});

it('the sums are those of an independent account, over random histories, currencies, offsets and periods', async () => {
  const { counts, findings } = await histories(200, Number(process.env.SEED ?? 1));
  console.log(counts);
  expect(findings).toEqual([]);
  expect(counts.rows).toBeGreaterThan(200);
});
