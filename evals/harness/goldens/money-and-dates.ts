import { amountText, sumsByCurrency, thousandths } from '../../../src/core/file-sums.ts';
import { decimal, inDecimals, type Money, money, moneyFault, spoken } from '../../../src/core/money.ts';
import { cycleDate, isBillable, paymentsWithin, periodUnits, retriesOf } from '../../../src/core/schedule.ts';
import {
  type Balance,
  convert,
  fits,
  isAbout,
  left,
  part,
  plus,
  rounded,
} from '../../../src/domains/conversion/amounts.ts';
import type { Rate } from '../../../src/domains/conversion/facts.ts';
import { isExpired } from '../../../src/domains/conversion/guards.ts';
import { type Converted, extraFields } from '../../../src/domains/conversion/processing.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import { chartOf } from '../../../src/engine/file-chart.ts';
import { invoiceEntity } from '../../../tools/invoicing/invoice.ts';
import type { Mechanisms } from './lines.ts';

// Money and dates, at and beyond their bounds.

const start = Date.UTC(2026, 0, 15, 9);
const iso = (at: number): string => new Date(at).toISOString().replace(/(?::00)?\.000Z/, 'Z');

const amounts = [
  '0',
  '1',
  '1.5',
  '1.50',
  '10.005',
  '0.0005',
  '01.00',
  '-1',
  '1.',
  '.5',
  '1e3',
  '1,50',
  '999999999999.99',
  '9999999999999999',
];

const both = ({ local, billing }: ReturnType<typeof left>): string => `${spoken(local)} as ${spoken(billing)}`;

const retriesText = (period: Parameters<typeof retriesOf>[0]): string => {
  const { attempts, every } = retriesOf(period);
  return `${attempts} retries every ${every / 3_600_000} h`;
};

function refusedOr(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return String(error);
  }
}

/** Equal parts of a whole whose rate rounds each of them up, one after the other. */
function halves(count: number, inverted = false): readonly string[] {
  let balance: Balance = {
    ...{ exchangeRate: inverted ? '0.6' : '1.5', inverted, localCurrency: 'GBP', billingCurrency: 'JPY' },
    whole: { localAmount: '1.05', billingAmount: '2' },
    taken: { localAmount: '0', billingAmount: '0' },
  };
  return Array.from({ length: count }, () => {
    const taken = part(balance, '0.34');
    const told = `${both(taken)}, ${fits(balance, '0.34') ? 'fits' : 'does not fit'}`;
    const more = { localAmount: inDecimalsOf(taken.local), billingAmount: inDecimalsOf(taken.billing) };
    balance = { ...balance, taken: plus(balance.taken, more, balance) };
    return told;
  });
}
const inDecimalsOf = ({ minor, currency }: Money): string => decimal({ minor, currency });

export const moneyAndDates: Mechanisms = {
  'amounts of money': () =>
    ['GBP', 'JPY', 'KWD', 'XXX', 'POUNDS OF BRITAIN'].flatMap((currency) =>
      amounts.map((it) => [`${it} ${currency}`, moneyFault(it, currency) ?? inDecimals(it, currency)] as const),
    ),
  'sums of a file': () => [
    ...['1', '1.5', '10.005', '-3.25', '0.0001', '12345678901234567', 'x', ''].map(
      (it) => [`"${it}"`, thousandths(it)] as const,
    ),
    ...(['GBP', 'JPY', 'KWD', 'XXX'] as const).flatMap((currency) =>
      [0n, 5n, 1_500n, -1_250n, 123_456_789n].map(
        (sum) => [`${sum} thousandths of ${currency}`, amountText(sum, currency)] as const,
      ),
    ),
    [
      'two currencies of two days',
      sumsByCurrency([
        { day: '2026-01-14', currency: 'GBP', amount: '10.10', count: 2 },
        { day: '2026-01-15', currency: 'GBP', amount: '-0.20', count: 1 },
        { day: '2026-01-15', currency: 'JPY', amount: '300', count: 4 },
      ]),
    ],
    [
      'their chart',
      chartOf([
        { day: '2026-01-12', currency: 'GBP', amount: '10.10', count: 2 },
        { day: '2026-01-15', currency: 'GBP', amount: '-0.20', count: 1 },
        { day: '2026-01-15', currency: 'JPY', amount: '300', count: 4 },
      ]),
    ],
  ],
  'a converted amount': () => {
    const rate: Pick<Rate, 'exchangeRate' | 'inverted'> = { exchangeRate: '1.23456', inverted: false };
    const balance: Balance = {
      ...rate,
      ...{ localCurrency: 'GBP', billingCurrency: 'KWD' },
      whole: { localAmount: '100.00', billingAmount: '123.456' },
      taken: { localAmount: '33.33', billingAmount: '41.148' },
    };
    const { inverted: _, ...unsaid } = balance;
    const odd: Balance = {
      ...{ exchangeRate: '0.33', localCurrency: 'GBP', billingCurrency: 'EUR' },
      whole: { localAmount: '1.00', billingAmount: '0.33' },
      taken: { localAmount: '0.50', billingAmount: '0.17' },
    };
    const parts = ['0.01', '33.33', '66.66', '66.67', '66.68', undefined];
    return [
      ...['0.01', '10.00', '33.33', '99.99'].flatMap((amount) =>
        (['EUR', 'JPY', 'KWD'] as const).flatMap((to) =>
          [false, true].map(
            (inverted) =>
              [
                `${amount} GBP ${inverted ? 'by' : 'times'} ${rate.exchangeRate} in ${to}`,
                spoken(convert(money(amount, 'GBP'), to, { ...rate, inverted })),
              ] as const,
          ),
        ),
      ),
      ...['0', '0.00', '0.01'].map((exchangeRate) => {
        const told = () => spoken(convert(money('10.00', 'GBP'), 'EUR', { exchangeRate, inverted: false }));
        return [`10.00 GBP at a rate of ${exchangeRate}`, refusedOr(told)] as const;
      }),
      ['what is left', both(left(balance))],
      ...parts.map(
        (amount) =>
          [
            `a part of ${amount ?? 'all that is left'}`,
            `${both(part(balance, amount))}, ${fits(balance, amount) ? 'fits' : 'does not fit'}`,
          ] as const,
      ),
      ['the half that is left of what rounding made odd', both(part(odd, '0.50'))],
      ['the same, without a sum', both(part(odd, undefined))],
      ['a part of it', both(part(odd, '0.49'))],
      ['a part at a rate that doesn’t say which way', both(part(unsaid, '0.50'))],
      ['the parts of a whole, each rounded up', halves(3)],
      ['the same of an inverted rate', halves(3, true)],
      ...['10', '10.00', '10.001', '10.01', '9.99', 'x', undefined].map((amount) => {
        const asked = money('10.00', 'GBP');
        const [same, less] = [false, true].map((orLess) => isAbout(asked, { amount }, orLess));
        return [`${amount} is about 10.00 GBP`, `${same}, or less: ${less}`] as const;
      }),
      ...['1.23456', '1.23455', '0.000049', '12', '1.5'].map(
        (it) => [`the rate ${it} of four decimals`, rounded(it, 4)] as const,
      ),
    ];
  },
  'the time of a rate, as a processor takes it': () =>
    ['2026-01-15T09:30:05Z', '2026-01-15T23:30:05-02:00', '2026-01-15T00:30+02:00', 'soon', '']
      .flatMap((rateTime) =>
        (['direct', 'common', 'foreign'] as const).map((processing) => [rateTime, processing] as const),
      )
      .map(([rateTime, processing]) => {
        const ten = money('10.00', 'GBP');
        const converted = {
          exchangeRate: '1.15',
          inverted: false,
          rateTime,
          local: ten,
          billing: money('11.50', 'EUR'),
        };
        return [`"${rateTime}", ${processing}`, extraFields(converted as Converted, processing, 'authorize')] as const;
      }),
  'whether an invoice has expired': () =>
    ['2026-01-14', '2026-01-15', '2026-01-16', 'soon', undefined].flatMap((expires) =>
      [-1, 0, 1].map((later) => {
        const invoice = { state: 'SENT', body: { total: '10.00', ...(expires === undefined ? {} : { expires }) } };
        const now = Date.UTC(2026, 0, 15) + later;
        return [
          `on ${expires ?? 'no day'}, ${later} ms after the day began`,
          invoiceEntity({ invoice } as unknown as Facts['things'], now).expired ? 'it has' : 'it has not',
        ] as const;
      }),
    ),
  'when an offer of a conversion has expired': () =>
    [undefined, '', 'soon', '2026-01-15T08:59:59Z', '2026-01-15T09:00:00Z', '2026-01-15T09:00:01Z'].map((expires) => {
      const offer = { handle: 'offer', kind: 'offer', state: 'PENDING', owner: '', body: { reason: '', expires } };
      return [
        `its end is ${expires ?? 'not said'}`,
        isExpired({ offer } as unknown as Facts['things'], start),
      ] as const;
    }),
  'dates of payments': () => {
    const anchors = ['2026-01-15T09:00:00Z', '2026-01-31T00:00:00Z', '2024-02-29T23:59:59Z', '2026-12-30T12:00:00Z'];
    return [
      ...anchors.flatMap((anchor) =>
        periodUnits.map(
          (unit) =>
            [
              `every ${unit} and every third from ${anchor}`,
              [1, 3]
                .map((length) =>
                  [1, 2, 3, 4, 13]
                    .map((cycle) => iso(cycleDate(Date.parse(anchor), { length, unit }, cycle)))
                    .join(' '),
                )
                .join('; '),
            ] as const,
        ),
      ),
      ...periodUnits.flatMap((unit) =>
        [0, 1, 2, 7, 12, 13, 31, 32, 52, 53, 365, 366].map(
          (length) =>
            [
              `${length} ${unit}`,
              `${isBillable({ length, unit }) ? '' : 'not '}billable, ${retriesText({ length, unit })}, ${length === 0 ? 'no' : paymentsWithin(start, { length, unit }, 3)} payments in three months`,
            ] as const,
        ),
      ),
    ];
  },
};
