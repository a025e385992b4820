import { z } from 'zod';
import { decimal, sumOf } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import { breakdowns, rollUps } from '../../src/domains/reporting/batch-shapes.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { amountShown, countShown, currencyShown, momentShown } from '../../src/engine/shown.ts';
import type { Arg, ToolSpec } from '../../src/engine/tool.ts';
import { listState, none } from '../offset-pages.ts';
import { organizationArg } from './organization.ts';

/** A time as the platform wants it: with milliseconds, and the offset without a colon. */
const batchTime = (path: '?startTime' | '?endTime', about: string): Arg<typeof path> => ({
  schema: z.iso.datetime({ offset: true }).describe(about),
  fills: [{ path, value: (given) => withOffset(String(given)) }],
});

const withOffset = (time: string): string =>
  time
    .replace(/^([^.Z+]{10}T\d\d:\d\d)(?=Z|[+-])/, '$1:00')
    .replace(/(T\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-]\d\d:?\d\d)$/, (_, clock, part: string | undefined, zone) =>
      [clock, '.', (part ?? '').padEnd(3, '0'), zone === 'Z' ? '+0000' : zone.replace(':', '')].join(''),
    );

const sums = once(
  () =>
    ({
      ...{ sales_count: countShown, sales: amountShown, refunds_count: countShown, refunds: amountShown },
    }) as const,
);

interface Row {
  readonly currencyCode: string;
  readonly paymentSubTypeDescription?: string | undefined;
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly salesCount: number;
  readonly salesAmount: string;
  readonly creditCount: number;
  readonly creditAmount: string;
  readonly merchantId?: string | undefined;
  readonly accountId?: string | undefined;
}

const showRow = ({ currencyCode, paymentSubTypeDescription: method, startTime, endTime, ...it }: Row) => ({
  currency: untrusted(currencyCode),
  ...(method === undefined ? {} : { method: untrusted(method) }),
  ...(startTime === undefined ? {} : { from: momentText(startTime) }),
  ...(endTime === undefined ? {} : { until: momentText(endTime) }),
  ...{ sales_count: it.salesCount, sales: it.salesAmount, refunds_count: it.creditCount, refunds: it.creditAmount },
  ...(it.merchantId === undefined ? {} : { merchant: untrusted(it.merchantId) }),
  ...(it.accountId === undefined ? {} : { account: untrusted(it.accountId) }),
});

/** Sums by currency. Left out: a currency that isn't known, and one with an amount that isn't valid in it. */
const totalsOf = (rows: readonly Row[]) =>
  [...Map.groupBy(rows, ({ currencyCode }) => currencyCode)].flatMap(([currency, its]) => {
    const sales = sumOf(
      its.map(({ salesAmount }) => salesAmount),
      currency,
    );
    const refunds = sumOf(
      its.map(({ creditAmount }) => creditAmount),
      currency,
    );
    if (sales === undefined || refunds === undefined) return [];
    const isLoss = sales.minor < refunds.minor;
    const [more, less] = isLoss ? [refunds, sales] : [sales, refunds];
    const net = decimal({ ...more, minor: more.minor - less.minor });
    return [{ currency, sales: decimal(sales), refunds: decimal(refunds), net: isLoss ? `-${net}` : net }];
  });

export const getPaymentBatchSummaries: ToolSpec<'getPaymentBatchSummaries'> = {
  description: 'Sum sales and refunds of a period, by currency and payment method.',
  input: {
    args: () => ({
      from: batchTime('?startTime', 'With offset.'),
      until: batchTime('?endTime', 'Excluded.'),
      roll_up: {
        schema: z.enum(rollUps).optional().describe('A row for each; with `breakdown`.'),
        fills: [{ path: '?rollUp', value: (given) => given }],
        rule: 'RP-09',
      },
      breakdown: {
        schema: z.enum(breakdowns).optional().describe('Whose; with `roll_up`.'),
        fills: [{ path: '?breakdown', value: (given) => given }],
        rule: 'RP-09',
      },
      week_begins: {
        schema: z.int().min(1).max(7).optional().describe('1: Sunday.'),
        fills: [{ path: '?startDayOfWeek', value: (given) => (given === undefined ? undefined : String(given)) }],
        rule: 'RP-09',
      },
      organization: organizationArg('getPaymentBatchSummaries'),
    }),
  },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }) => listState(body.paymentBatchSummaries?.length ?? 0),
  },
  present: {
    messages: {
      done: 'These are the sums. Sums of different currencies are never added up.',
      [none]: 'There are no sales or refunds in this range.',
    },
    next: {
      '': { tools: [], because: 'Sums are an answer by themselves.' },
      [none]: { tools: [], because: 'Another range may have some.' },
    },
    empty: { paymentBatchSummaries: [] },
    outputSchema: () =>
      z.looseObject({
        items: z.array(
          z.looseObject({
            ...{ currency: currencyShown, method: z.string().optional() },
            ...{ from: momentShown.optional(), until: momentShown.optional() },
            ...sums(),
            ...{ merchant: z.string().optional(), account: z.string().optional() },
          }),
        ),
        totals: z.array(
          z.looseObject({ currency: currencyShown, sales: amountShown, refunds: amountShown, net: amountShown }),
        ),
      }),
    toOutput: (_, __, { body: { paymentBatchSummaries: rows = [] } }) => ({
      items: rows.map(showRow),
      totals: totalsOf(rows),
    }),
  },
};
