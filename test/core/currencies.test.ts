import { data } from 'currency-codes';
import { describe, expect, it } from 'vitest';
import { type Currency, currencies, isCurrency, minorDigits, numericCode } from '../../src/core/currencies.ts';

// The package is dated 2024-06-25. What it lists and we do not, each with its reason.
const absent: Readonly<Record<string, string>> = {
  ANG: 'retired: replaced by XCG in 2025',
  BGN: 'retired: replaced by EUR in 2026',
  CUC: 'retired: the convertible peso ended in 2021',
  BOV: 'fund code: an index unit, nobody pays in it',
  CHE: 'fund code: complementary currency of a cooperative',
  CHW: 'fund code: complementary currency of a cooperative',
  CLF: 'fund code: an index unit, nobody pays in it',
  COU: 'fund code: an index unit, nobody pays in it',
  MXV: 'fund code: an index unit, nobody pays in it',
  USN: 'fund code: next-day funds between banks',
  UYI: 'fund code: an index unit, nobody pays in it',
  UYW: 'fund code: an index unit, nobody pays in it',
  XAG: 'metal',
  XAU: 'metal',
  XPD: 'metal',
  XPT: 'metal',
  XBA: 'bond market unit',
  XBB: 'bond market unit',
  XBC: 'bond market unit',
  XBD: 'bond market unit',
  XDR: 'unit of account between states',
  XSU: 'unit of account between states',
  XUA: 'unit of account between states',
  XTS: 'reserved for tests',
  XXX: 'no currency',
};
// What we list and the package does not know yet.
const newer = {
  XAD: { numeric: '396', digits: 2, why: 'Arab accounting dinar, added after the date of the package' },
  XCG: { numeric: '532', digits: 2, why: 'Caribbean guilder, in use since 2025; it took over the number of ANG' },
} as const;

describe('the table of currencies', () => {
  it('is the standard’s: code, number and digits, but for the differences stated here', () => {
    const theirs = data
      .filter(({ code }) => absent[code] === undefined)
      .map(({ code, number, digits }) => ({ code, numeric: number, digits }));
    const added = Object.entries(newer).map(([code, { numeric, digits }]) => ({ code, numeric, digits }));
    const order = (one: { code: string }, other: { code: string }) => (one.code < other.code ? -1 : 1);
    expect(currencies.toSorted(order)).toEqual([...theirs, ...added].toSorted(order));
  });

  it('states no difference that is none', () => {
    const known = new Set(data.map(({ code }) => code));
    expect(Object.keys(absent).filter((code) => !known.has(code))).toEqual([]);
    expect(Object.keys(newer).filter((code) => known.has(code))).toEqual([]);
  });

  it('knows no retired, fund, metal or test code', () => {
    expect(Object.keys(absent).filter(isCurrency)).toEqual([]);
  });

  it('gives each currency a number of its own, of three digits', () => {
    const numbers = currencies.map(({ numeric }) => numeric);
    expect(new Set(numbers).size).toBe(currencies.length);
    expect(numbers.filter((numeric) => !/^\d{3}$/.test(numeric))).toEqual([]);
  });

  it('answers number and digits as the table holds them', () => {
    const asked = currencies.map(({ code }) => [code, numericCode(code as Currency), minorDigits(code as Currency)]);
    expect(asked).toEqual(currencies.map(({ code, numeric, digits }) => [code, numeric, digits]));
  });

  it.each(['', 'eur', 'EURO', 'EU', ' EUR', 'EUR\n', '978', 'toString', '__proto__', 'constructor'])(
    'does not take %j for a currency',
    (code) => {
      expect(isCurrency(code)).toBe(false);
    },
  );
});
