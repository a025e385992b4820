import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFileSums } from '../../src/client/sum-file.ts';
import type { FileSpec, FileType } from '../../src/core/file-answer.ts';
import { sumsByCurrency } from '../../src/core/file-sums.ts';
import { limits } from '../../src/core/limits.ts';

const spec: FileSpec = {
  types: ['text/csv', 'application/xml'],
  ...{ element: 'Row', headerLines: 2 },
  sums: { amount: ['amount', 'Amount'], currency: ['currency'], at: ['at'] },
};

async function sums(type: FileType, text: string, size = 5) {
  const bytes = new TextEncoder().encode(text);
  const found = createFileSums(type, spec);
  for (let at = 0; at < bytes.length; at += size) await found?.add(bytes.subarray(at, at + size));
  return found?.end();
}

const csv = (...rows: readonly string[]): string => ['Report,1', 'at,amount,currency', ...rows, ''].join('\r\n');

describe('the sums of a CSV file', () => {
  it('are by day and currency, in their decimals', async () => {
    const rows = [
      ...['2026-01-02T09:00:00Z,40.00,USD', '2026-01-01T09:00:00Z,1.10,USD', '2026-01-01T10:00:00Z,-0.30,USD'],
      ...['2026-01-01T10:00:00Z,500,JPY', '2026-01-01T10:00:00Z,1.005,KWD'],
    ];
    expect(await sums('text/csv', csv(...rows))).toEqual([
      { day: '2026-01-01', currency: 'JPY', amount: '500', count: 1 },
      { day: '2026-01-01', currency: 'KWD', amount: '1.005', count: 1 },
      { day: '2026-01-01', currency: 'USD', amount: '0.80', count: 2 },
      { day: '2026-01-02', currency: 'USD', amount: '40.00', count: 1 },
    ]);
  });

  it('leave out what is no amount of a currency', async () => {
    const rows = [',,', 'x,=1+1,USD', 'x,1.00,usd', 'x,1.00,XX', 'x,1e3,USD', 'x,1.0000,USD', '"a,b",2.00,USD'];
    expect(await sums('text/csv', csv(...rows))).toEqual([{ currency: 'USD', amount: '2.00', count: 1 }]);
  });

  it('have no day where the calendar has none', async () => {
    const days = ['2026-02-29', '2026-13-01', '2026-99-99', '2025-02-30', '0000-00-00', '12026-01-01'];
    const found = await sums('text/csv', csv(...[...days, '2028-02-29'].map((day) => `${day}T09:00:00Z,1.00,USD`)));
    expect(found).toEqual([
      { currency: 'USD', amount: '6.00', count: 6 },
      { day: '2028-02-29', currency: 'USD', amount: '1.00', count: 1 },
    ]);
  });

  it('add up over all days, also where a sum is longer than any amount', async () => {
    const most = '999999999999999';
    const rows = ['2026-01-01', '2026-01-01', '2026-01-02'].map((day) => `${day},${most},USD`);
    const found = (await sums('text/csv', csv(...rows, '2026-01-03,1000000000000000,USD'))) ?? [];
    expect(sumsByCurrency(found)).toEqual([{ currency: 'USD', amount: '2999999999999997.00', count: 3 }]);
  });

  it.each([
    ['nothing', ''],
    ['other columns', 'Report\r\na,b\r\n1,2\r\n'],
    ['an open quote', csv('x,"1.00,USD')],
    ['bytes that are no CSV', 'Report\r\nat,amount,currency\r\n"a"b,1,USD\r\n'],
  ])('are absent for %s', async (_, text) => {
    expect(await sums('text/csv', text)).toBeUndefined();
  });

  it('are absent where there are too many days', async () => {
    const day = (at: number): string => new Date(at * 86_400_000).toISOString();
    const rows = Array.from({ length: limits.fileSumRows + 1 }, (_, at) => `${day(at)},1.00,USD`);
    expect(await sums('text/csv', csv(...rows), 65_536)).toBeUndefined();
  });

  it.each<[FileType, string]>([
    ['text/csv', `Report\r\nat,amount,currency\r\nx,"${'a'.repeat(limits.fileRecordBytes + 1)}`],
    ['text/csv', `${csv('2026-01-01,1.00,USD')}${','.repeat(limits.fileRecordBytes + 65_536)}`],
    ['application/xml', `<All><Row><note>${'a'.repeat(limits.fileRecordBytes + 1)}`],
    ['application/xml', `<All><Row ${'a'.repeat(limits.fileRecordBytes + 1)}`],
  ])('are absent for a record of %s that does not end, which is not kept in memory', async (type, text) => {
    expect(await sums(type, text, 65_536)).toBeUndefined();
  });

  it('are those of any amounts, however the file arrives', async () => {
    const amounts = fc.array(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.integer({ min: 1, max: 64 }), async (cents, size) => {
        const text = (minor: number): string =>
          `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`;
        const found = await sums('text/csv', csv(...cents.map((minor) => `2026-01-01,${text(minor)},EUR`)), size);
        const sum = cents.reduce((all, minor) => all + minor, 0);
        expect(found).toEqual([{ day: '2026-01-01', currency: 'EUR', amount: text(sum), count: cents.length }]);
      }),
      { numRuns: 100, seed: 16 },
    );
  });
});

describe('the sums of an XML file', () => {
  const xml = (...rows: readonly string[]): string => `<?xml version="1.0"?><All>${rows.join('\n')}</All>`;

  it('are by day and currency, by any name of a column', async () => {
    const rows = [
      '<Row><at>2026-01-01T00:00:00Z</at><amount>1.00</amount><currency>EUR</currency></Row>',
      '<Row><Amount>-2.50</Amount><at>2026-01-01T23:00:00Z</at><currency>EUR</currency><note>&lt;Row&gt; ü</note></Row>',
      '<Other><amount>9.00</amount><currency>EUR</currency></Other>',
    ];
    for (const size of [1, 7, 4096])
      expect(await sums('application/xml', xml(...rows), size)).toEqual([
        { day: '2026-01-01', currency: 'EUR', amount: '-1.50', count: 2 },
      ]);
  });

  it('are absent where more tags are open than a report has, which are not kept in memory', async () => {
    const deep = (levels: number): string =>
      xml(
        `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`,
        '<Row><amount>1.00</amount><currency>EUR</currency></Row>',
      );
    expect(await sums('application/xml', deep(limits.fileLevels - 1))).toHaveLength(1);
    expect(await sums('application/xml', deep(limits.fileLevels))).toBeUndefined();
  });

  it.each(['', '<All><Row>', '<All><Row><amount>1.00</amount><currency>EUR</currency></All>', 'no XML'])(
    'are absent for %j',
    async (text) => {
      expect(await sums('application/xml', text)).toBeUndefined();
    },
  );
});
