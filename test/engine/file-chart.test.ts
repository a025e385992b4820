import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { chartOf } from '../../src/engine/file-chart.ts';

const sum = (day: string, currency: string, amount: string) => ({ day, currency, amount, count: 1 });

describe('a chart of sums by day', () => {
  it('has a panel for each currency, and a bar for each day, without sums as well', async () => {
    const svg = chartOf([
      sum('2026-01-01', 'EUR', '10.00'),
      sum('2026-01-04', 'EUR', '-4.00'),
      sum('2026-01-02', 'JPY', '500'),
    ]);
    const bars = [...(svg ?? '').matchAll(/<title>(\d{4}-\d\d-\d\d): ([-\d.]+)<\/title>/g)].map(([, day, amount]) => [
      day,
      amount,
    ]);
    expect(bars).toEqual([
      ...[
        ['2026-01-01', '10.00'],
        ['2026-01-02', '0'],
        ['2026-01-03', '0'],
        ['2026-01-04', '-4.00'],
      ],
      ...[
        ['2026-01-01', '0'],
        ['2026-01-02', '500'],
        ['2026-01-03', '0'],
        ['2026-01-04', '0'],
      ],
    ]);
    expect(svg).toContain('EUR 6.00 in 2 amounts');
    expect(svg).toContain('JPY 500 in 1 amount<');
    const { normalized } = await validateXML({ xml: svg ?? '', normalization: 'format', schema: anything });
    expect(normalized).toContain('<svg');
  });

  it('is none where no sum has a day', () => {
    expect(chartOf([{ currency: 'EUR', amount: '1.00', count: 1 }])).toBeUndefined();
    expect(chartOf([])).toBeUndefined();
  });

  it('shows a year at most', () => {
    const svg = chartOf([sum('2020-01-01', 'EUR', '1.00'), sum('2026-01-01', 'EUR', '1.00')]) ?? '';
    expect(svg.match(/<rect x=/g)?.length).toBe(366);
  });
});

const anything = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="svg"><xs:complexType><xs:sequence><xs:any processContents="skip" minOccurs="0" maxOccurs="unbounded"/></xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element></xs:schema>`;
