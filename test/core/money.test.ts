import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Currency, currencies, minorDigits } from '../../src/core/currencies.ts';
import { amount, currency } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import { decimal, type Money, money, moneyFault, sameMoney, spoken, sumOf, within } from '../../src/core/money.ts';

const code = fc.constantFrom(...currencies.map((it) => it.code as Currency));
const minor = fc.bigInt({ min: 0n, max: 10n ** BigInt(limits.amountDigits) - 1n });
const anyMoney = fc.record<Money>({ minor, currency: code });
// A failure prints its seed and path, with which fast-check repeats it.
const fixed = { seed: 4217, numRuns: 1000 };

describe('money', () => {
  it.each([
    ['40', 'EUR', 4000n, '40.00', '40.00 EUR'],
    ['40.5', 'EUR', 4050n, '40.50', '40.50 EUR'],
    ['0.05', 'EUR', 5n, '0.05', '0.05 EUR'],
    ['0', 'EUR', 0n, '0.00', '0.00 EUR'],
    ['007.10', 'EUR', 710n, '7.10', '7.10 EUR'],
    ['1500', 'JPY', 1500n, '1500', '1500 JPY'],
    ['0', 'JPY', 0n, '0', '0 JPY'],
    ['1.234', 'KWD', 1234n, '1.234', '1.234 KWD'],
    ['0.001', 'KWD', 1n, '0.001', '0.001 KWD'],
    ['999999999999.99', 'USD', 99999999999999n, '999999999999.99', '999999999999.99 USD'],
  ] as const)('reads %s %s exactly', (text, of, units, printed, said) => {
    const it = money(text, of);
    expect([it, decimal(it), spoken(it)]).toEqual([{ minor: units, currency: of }, printed, said]);
  });

  it('comes back from its text unchanged, in every currency', () => {
    fc.assert(
      fc.property(anyMoney, (it) => {
        expect(money(decimal(it), it.currency)).toEqual(it);
      }),
      fixed,
    );
  });

  it('prints a text that the contract takes, with exactly the decimals of its currency', () => {
    fc.assert(
      fc.property(anyMoney, (it) => {
        const decimals = decimal(it).split('.')[1]?.length ?? 0;
        expect([amount.safeParse(decimal(it)).success, decimals]).toEqual([true, minorDigits(it.currency)]);
      }),
      fixed,
    );
  });

  it('is read by the contract and by itself alike: no text of the contract is too long for it', () => {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(`^\\d{1,${limits.amountDigits}}$`)), code, (text, of) => {
        expect([amount.safeParse(text).success, moneyFault(text, of)]).toEqual([true, null]);
      }),
      fixed,
    );
  });
});

describe('the comparison of money', () => {
  const eur = (text: string) => money(text, 'EUR');

  it('is within a limit up to the last minor unit and not beyond', () => {
    const limit = eur('40.00');
    expect(['39.99', '40', '40.00', '40.01', '400'].map((it) => within(eur(it), limit))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('is never within a limit of another currency, however small', () => {
    expect([within(eur('0'), money('40.00', 'USD')), within(money('1', 'JPY'), eur('40.00'))]).toEqual([false, false]);
  });

  it('takes 25 and 25.00 for the same, and nothing else', () => {
    const same = (one: Money, other: Money) => sameMoney(one, other);
    expect([same(eur('25'), eur('25.00')), same(eur('25'), eur('25.01')), same(eur('25'), money('25', 'USD'))]).toEqual(
      [true, false, false],
    );
  });

  it('is an order: two amounts within each other are the same', () => {
    fc.assert(
      fc.property(anyMoney, anyMoney, (one, other) => {
        expect(within(one, other) && within(other, one)).toBe(sameMoney(one, other));
        expect(within(one, other) || within(other, one)).toBe(one.currency === other.currency);
      }),
      fixed,
    );
  });
});

describe('a sum', () => {
  it('is exact for any number of amounts', () => {
    expect([sumOf([], 'EUR'), sumOf(['0.10', '0.20', '40'], 'EUR')]).toEqual([
      money('0', 'EUR'),
      money('40.30', 'EUR'),
    ]);
  });

  it('is none for an amount that is none of the currency, and for a currency that is not known', () => {
    expect([sumOf(['1', '25.00'], 'JPY'), sumOf(['much'], 'EUR'), sumOf(['1'], 'EUX')]).toEqual(
      Array(3).fill(undefined),
    );
  });
});

describe('a fault of money', () => {
  it.each([
    ['40.00', 'EUX', 'EUX is not an ISO 4217 currency.'],
    ['40.00', 'eur', 'eur is not an ISO 4217 currency.'],
    ['40.00', 'EUR and more text', 'EUR and  is not an ISO 4217 currency.'],
    ['40.001', 'EUR', 'EUR has 2 decimals; the amount has 3.'],
    ['40.0', 'JPY', 'JPY has 0 decimals; the amount has 1.'],
    ['1.2345', 'KWD', 'KWD has 3 decimals; the amount has 4.'],
    ['1234567890123', 'EUR', 'The amount has more than 12 digits before the decimal point.'],
    ['1234567890123456.00', 'JPY', 'The amount has more than 12 digits before the decimal point.'],
  ])('of %s %s says what is wrong', (text, of, fault) => {
    expect(moneyFault(text, of)).toBe(fault);
    expect(() => money(text, of)).toThrow(new RangeError(fault));
  });

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e3',
    '1,00',
    '1 000',
    '.5',
    '5.',
    '0x10',
    'NaN',
    'Infinity',
    '١٢',
    '1.0.0',
    '40.00\n',
    ' 40.00',
  ])('of %j is that it is no decimal text', (text) => {
    expect(moneyFault(text, 'EUR')).toBe('The amount is not decimal text such as "40.00".');
    expect(() => money(text, 'EUR')).toThrow(RangeError);
    expect(amount.safeParse(text).success).toBe(false);
  });

  it('is found by the contract too where a currency does not exist', () => {
    expect(['EUR', 'EUX', 'eur', 'BGN'].map((it) => currency.safeParse(it).success)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
