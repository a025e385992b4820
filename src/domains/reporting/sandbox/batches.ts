import { isCurrency } from '../../../core/currencies.ts';
import { decimal } from '../../../core/money.ts';
import { day, minute } from '../../../core/schedule.ts';
import type { QueryOf } from '../../../sandbox/answer.ts';
import { invalid, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { RollUp } from '../batch-shapes.ts';
import type { reporting } from '../contract.ts';
import { methodOf, sumOf, type Transaction, transactionsOf } from './transactions.ts';

type Query = QueryOf<typeof reporting.getPaymentBatchSummaries>;

/** Sales and refunds by period, currency and payment method. Throws the platform's 400 or 404. */
export function batchSummariesOf(world: World, merchant: Merchant, query: Query) {
  const { startTime, endTime, rollUp, breakdown, startDayOfWeek = '1' } = query;
  const [from, to] = [Date.parse(startTime), Date.parse(endTime)];
  if (to <= from) throw invalid('endTime', 'The end is not after the start.');
  if ((rollUp === undefined) !== (breakdown === undefined))
    throw invalid(rollUp === undefined ? 'rollUp' : 'breakdown', 'rollUp and breakdown come together.');
  const offset = offsetOf(startTime);
  const within = transactionsOf(world, merchant).filter(({ at }) => at >= from && at < to);
  if (within.length === 0) throw new PlatformError(404, 'NOT_FOUND', 'There are no transactions in this time.');
  const of = (it: Transaction) => {
    const begins = rollUp === undefined ? from : periodOf(rollUp, it.at, offset, Number(startDayOfWeek));
    return JSON.stringify([Math.max(begins, from), it.currency, methodOf(world, it)]);
  };
  const groups = [...Map.groupBy(within, of)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...{ startTime, endTime },
    paymentBatchSummaries: groups.map(([key, all]) => {
      const [begins, currencyCode, paymentSubTypeDescription] = JSON.parse(key) as [number, string, string];
      const ends = rollUp === undefined ? to : Math.min(to, nextOf(rollUp, begins, offset, Number(startDayOfWeek)));
      const [sales, credits] = (['sale', 'refund'] as const).map((kind) => all.filter((it) => it.kind === kind));
      return {
        ...{ currencyCode, paymentSubTypeDescription },
        ...{ startTime: written(begins, offset), endTime: written(ends, offset) },
        ...{ salesCount: sales?.length ?? 0, salesAmount: sumOfAll(sales ?? [], currencyCode) },
        ...{ creditCount: credits?.length ?? 0, creditAmount: sumOfAll(credits ?? [], currencyCode) },
        ...(breakdown === undefined ? {} : named[breakdown](merchant)),
      };
    }),
  };
}

/** Whom a row is about, by breakdown. */
const named: {
  readonly [B in NonNullable<Query['breakdown']>]: (merchant: Merchant) => { readonly [member: string]: string };
} = {
  account_rollup: ({ id, name }) => ({ accountId: id, accountName: name }),
  all_merchant: ({ id, name }) => ({ merchantId: id, merchantName: name }),
  selected_merchant: ({ id, name }) => ({ merchantId: id, merchantName: name }),
};

function sumOfAll(all: readonly Transaction[], currency: string): string {
  if (!isCurrency(currency)) throw new Error('The books have currencies alone.');
  return decimal({ minor: all.reduce((sum, it) => sum + sumOf(it).minor, 0n), currency });
}

/** Milliseconds by which the local time of a text is ahead of UTC. */
function offsetOf(time: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d)(\d\d)$/.exec(time) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}

/** When the period of a moment begins. */
function periodOf(rollUp: RollUp, at: number, offset: number, firstDay: number): number {
  const local = at + offset;
  const midnight = local - (((local % day) + day) % day);
  const date = new Date(midnight);
  const since = { day: 0, week: (date.getUTCDay() + 1 - firstDay + 7) % 7, month: date.getUTCDate() - 1 }[rollUp];
  return midnight - since * day - offset;
}

/** When the period after that of a moment begins. */
function nextOf(rollUp: RollUp, at: number, offset: number, firstDay: number): number {
  const begins = periodOf(rollUp, at, offset, firstDay);
  const [least] = [{ day: 1, week: 7, month: 31 }[rollUp]];
  return rollUp === 'month' ? periodOf(rollUp, begins + least * day + day, offset, firstDay) : begins + least * day;
}

/** A moment with an offset, as in the query. */
function written(at: number, offset: number): string {
  const minutes = Math.abs(offset) / minute;
  const two = (number: number): string => String(number).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
  return `${new Date(at + offset).toISOString().slice(0, -1)}${zone}`;
}
