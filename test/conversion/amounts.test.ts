import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Currency } from '../../src/core/currencies.ts';
import { decimal, money } from '../../src/core/money.ts';
import {
  type Balance,
  convert,
  fits,
  left,
  nothing,
  part,
  plus,
  rounded,
  without,
} from '../../src/domains/conversion/amounts.ts';

const runs = { seed: 4217, numRuns: process.env.SOAK === '1' ? 100_000 : 1_000 };
/** Currencies with no decimals, two and three. */
const some: readonly Currency[] = ['JPY', 'USD', 'AUD', 'KWD'];

describe('a converted amount', () => {
  it.each([
    ['100.00', 'USD', 'AUD', '1.57', false, '157.00'],
    ['33.33', 'USD', 'AUD', '1.57', false, '52.33'], // 52.3281
    ['0.01', 'USD', 'JPY', '152.8005', false, '2'], // 1.528005
    ['0.01', 'USD', 'JPY', '49.9', false, '0'], // 0.499
    ['0.01', 'USD', 'JPY', '50', false, '1'], // 0.5 is rounded up
    ['1000', 'JPY', 'USD', '0.0067', false, '6.70'],
    ['10.00', 'USD', 'KWD', '0.316313', false, '3.163'],
    ['1.234', 'KWD', 'USD', '3.25', false, '4.01'], // 4.0105
    ['100.00', 'USD', 'AUD', '0.637', true, '156.99'], // 100 / 0.637 = 156.985…
    ['100.00', 'USD', 'JPY', '0.0065', true, '15385'], // 15384.6…
  ] as const)(
    'of %s %s in %s at %s (inverted: %s, %s) is rounded half up',
    (amount, from, to, exchangeRate, inverted, expected) => {
      expect(decimal(convert(money(amount, from), to, { exchangeRate, inverted }))).toBe(expected);
    },
  );

  it('has no rate of zero', () => {
    expect(() => convert(money('1.00', 'USD'), 'AUD', { exchangeRate: '0.00', inverted: true })).toThrow(RangeError);
  });

  it.each([
    ['1.570029', '1.5700'],
    ['1.57005', '1.5701'],
    ['0.99995', '1.0000'],
    ['1.57', '1.57'],
    ['152', '152'],
  ])('goes over the gateway at a rate of at most four decimals: %s', (rate, expected) => {
    expect(rounded(rate, 4)).toBe(expected);
  });
});

const rate = fc
  .record({ whole: fc.integer({ min: 0, max: 999 }), decimals: fc.integer({ min: 1, max: 999_999 }) })
  .map(({ whole, decimals }) => `${whole}.${String(decimals).padStart(6, '0')}`);

/** A whole of a payment at a rate, as the platform offers it. */
const balance = fc
  .record({
    local: fc.constantFrom(...some),
    billing: fc.constantFrom(...some),
    minor: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    exchangeRate: rate,
    inverted: fc.boolean(),
  })
  .map(({ local, billing, minor, exchangeRate, inverted }): Balance => {
    const whole = { currency: local, minor };
    return {
      ...{ localCurrency: local, billingCurrency: billing, exchangeRate, inverted, taken: nothing },
      whole: {
        localAmount: decimal(whole),
        billingAmount: decimal(convert(whole, billing, { exchangeRate, inverted })),
      },
    };
  });

describe('the parts of a payment', () => {
  it('never add up to more than the whole, and to all of it once everything is taken, in every currency', () => {
    fc.assert(
      fc.property(balance, fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { maxLength: 8 }), (whole, asked) => {
        let at = whole;
        for (const minor of asked) {
          const rest = left(at);
          const amount = decimal({ currency: rest.local.currency, minor });
          if (!fits(at, amount)) {
            expect(minor > rest.local.minor || part(at, amount).billing.minor > rest.billing.minor).toBe(true);
            continue;
          }
          at = take(at, amount);
          const now = left(at);
          expect([now.local.minor >= 0n, now.billing.minor >= 0n]).toEqual([true, true]);
        }
        const all = left(take(at, undefined));
        expect([all.local.minor, all.billing.minor]).toEqual([0n, 0n]);
      }),
      runs,
    );
  });

  it('come back when they are voided, to the last minor unit', () => {
    fc.assert(
      fc.property(balance, fc.bigInt({ min: 1n, max: 10n ** 9n }), (whole, minor) => {
        const amount = decimal({ currency: left(whole).local.currency, minor });
        if (!fits(whole, amount)) return;
        const { local, billing } = part(whole, amount);
        const one = { localAmount: decimal(local), billingAmount: decimal(billing) };
        const back = without(take(whole, amount).taken, one, whole);
        expect([Number(back.localAmount), Number(back.billingAmount)]).toEqual([0, 0]);
      }),
      runs,
    );
  });

  it('are refused above what is left, by one minor unit', () => {
    fc.assert(
      fc.property(balance, (whole) => {
        const { local } = left(whole);
        expect(fits(whole, decimal(local))).toBe(true);
        expect(fits(whole, decimal({ ...local, minor: local.minor + 1n }))).toBe(false);
      }),
      runs,
    );
  });
});

function take(at: Balance, amount: string | undefined): Balance {
  const { local, billing } = part(at, amount);
  return { ...at, taken: plus(at.taken, { localAmount: decimal(local), billingAmount: decimal(billing) }, at) };
}
