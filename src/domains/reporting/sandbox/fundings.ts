import type { Currency } from '../../../core/currencies.ts';
import { decimal } from '../../../core/money.ts';
import { invalid, PlatformError, type QueryOf } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { reporting } from '../contract.ts';
import { type FundingType, fundingTypes } from '../on-demand-shapes.ts';
import { feesOf } from './fees.ts';
import { methodOf, sumOf, transactionsOf } from './transactions.ts';

/** An entry in what is paid out: what it is about, and by which method it was paid. */
interface Entry {
  readonly type: FundingType;
  readonly method: string;
  readonly currency: Currency;
  readonly minor: bigint;
}

/** A range of time of a query. Throws the platform's 400 where it has no length. */
export function rangeOf({ startTime, endTime }: { readonly startTime: string; readonly endTime: string }) {
  const [from, to] = [Date.parse(startTime), Date.parse(endTime)];
  if (to <= from) throw invalid('endTime', 'The end is not after the start.');
  return (at: number): boolean => at >= from && at < to;
}

export const nothingFound = () => new PlatformError(404, 'NOT_FOUND', 'There are no transactions in this time.');

/** What was paid out of a time, by type, method and currency. Throws the platform's 400 or 404. */
export function netFundingsOf(world: World, merchant: Merchant, query: QueryOf<typeof reporting.getNetFundings>) {
  const isIn = rangeOf(query);
  const all = transactionsOf(world, merchant);
  const methods = new Map(all.map((it) => [it.requestId, methodOf(world, it)]));
  const entries: readonly Entry[] = [
    ...all
      .filter(({ at }) => isIn(at))
      .flatMap((it): readonly Entry[] => {
        const [sum, method] = [sumOf(it), methodOf(world, it)];
        if (it.kind === 'refund') return [{ ...sum, type: 'REFUNDS', method }];
        return [
          { ...sum, type: 'PURCHASES', method },
          { ...sum, type: 'FEES', method, minor: feesOf(sum).total },
        ];
      }),
    ...world
      .list('chargeback')
      .filter(({ merchantId, at }) => merchantId === merchant.id && isIn(at))
      .map((it) => ({
        ...sumOf({ amounts: [it.amount], currency: it.currency }),
        ...{ type: 'CHARGEBACKS' as const, method: methods.get(it.transactionId) ?? '' },
      })),
  ];
  if (entries.length === 0) throw nothingFound();
  const groups = Map.groupBy(entries, ({ type, method, currency }) =>
    [fundingTypes.indexOf(type), method, currency].join('\n'),
  );
  const currencies = [...new Set(entries.map(({ currency }) => currency))].toSorted();
  const totals = (types: readonly FundingType[], signed = false) =>
    currencies.flatMap((currency) => {
      const its = entries.filter((it) => it.currency === currency && types.includes(it.type));
      if (its.length === 0) return [];
      const sum = its.reduce((all, it) => all + (signed && it.type !== 'PURCHASES' ? -it.minor : it.minor), 0n);
      return [{ currency, value: signedText(sum, currency) }];
    });
  return {
    ...{ startTime: query.startTime, endTime: query.endTime },
    netFundingSummaries: [...groups.keys()].toSorted().map((key) => {
      const its = groups.get(key) ?? [];
      const [{ type, method, currency } = its[0] as Entry] = its; // no group is empty
      const amount = signedText(
        its.reduce((sum, { minor }) => sum + minor, 0n),
        currency,
      );
      return {
        ...{ type, paymentSubType: method, currencyCode: currency },
        ...{ conveyedCount: its.length, conveyedAmount: amount, settledCount: its.length },
        ...{ fundedCount: its.length, fundedAmount: amount },
      };
    }),
    totalPurchases: totals(['PURCHASES']),
    totalRefunds: totals(['REFUNDS']),
    totalFees: totals(['FEES']),
    totalChargebacks: totals(['CHARGEBACKS']),
    netTotal: totals(fundingTypes, true),
  };
}

/** Decimal text, with a minus where it is less than nothing. */
const signedText = (minor: bigint, currency: Currency): string =>
  minor < 0n ? `-${decimal({ minor: -minor, currency })}` : decimal({ minor, currency });
