import { decimal } from '../../../core/money.ts';
import type { QueryOf } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { reporting } from '../contract.ts';
import { feeShares, feesOf, percentage } from './fees.ts';
import { nothingFound, rangeOf } from './fundings.ts';
import { methodOf, sumOf, type Transaction, transactionsOf } from './transactions.ts';

type Query = QueryOf<typeof reporting.getPurchaseRefundDetails>;

/** RP-10: where a page begins, and its rows, by default. */
const defaults = { offset: '0', limit: '2000' };

/** What the name of a network begins with, as fixtures have it, by its code in `paymentSubtype`; or it is the code (D-133). */
const networks: Readonly<Record<string, string | undefined>> = { MC: 'MASTER', AX: 'AMERICAN', DI: 'DISCOVER' };

const isOfNetwork = (method: string, code: string): boolean => {
  const name = method.toUpperCase();
  const beginning = networks[code];
  return name === code || (beginning !== undefined && name.startsWith(beginning));
};

/** Purchases and refunds of a time, a page at a time (RP-10). Throws the platform's 400 or 404. */
export function purchaseDetailsOf(world: World, merchant: Merchant, query: Query) {
  const { offset, limit } = { ...defaults, ...query };
  const rows = pageOf(world, merchant, query);
  const parts = {
    requestDetails: rows.map((it) => ({
      requestId: it.requestId,
      transactionReferenceNumber: it.requestId,
      ...(it.reference === undefined ? {} : { merchantReferenceNumber: it.reference }),
    })),
    settlements: rows.map((it) => ({
      ...{ requestId: it.requestId, transactionType: it.kind === 'sale' ? 'Purchase' : 'Refund' },
      ...{ submissionTime: isoTime(it.at), amount: amountOf(it), currencyCode: it.currency },
      ...{ paymentMethod: methodOf(world, it), ...suffixOf(world, it) },
    })),
    authorizations: rows.flatMap((it) => authorizationOf(world, it)),
    feeAndFundingDetails: rows.map(feesAndFunding),
    settlementStatuses: rows.map((it) => ({
      ...{ requestId: it.requestId, status: 'SETTLED', settlementTime: isoTime(it.at) },
    })),
  };
  return {
    ...{ offset: Number(offset), limit: Number(limit), pageResults: rows.length },
    ...(rows.length === 0 ? {} : parts),
  };
}

/** A page of the transactions, oldest first. */
function pageOf(world: World, merchant: Merchant, query: Query): readonly Transaction[] {
  const isIn = rangeOf(query);
  const { offset, limit } = { ...defaults, ...query };
  const { paymentSubtype = 'ALL' } = query;
  const isOf = (it: Transaction): boolean =>
    paymentSubtype === 'ALL' || isOfNetwork(methodOf(world, it), paymentSubtype);
  const found = transactionsOf(world, merchant)
    .filter((it) => isIn(it.at) && isOf(it))
    .toSorted((one, other) => one.at - other.at || (one.requestId < other.requestId ? -1 : 1));
  if (found.length === 0) throw nothingFound();
  return found.slice(Number(offset), Number(offset) + Number(limit));
}

const amountOf = (it: Transaction): string => decimal(sumOf(it));

const suffixOf = (world: World, { cardId }: Transaction) => {
  const card = cardId === undefined ? undefined : world.get('cardFixture', cardId);
  return card === undefined ? {} : { accountSuffix: card.lastFour };
};

/** The authorization of a capture. */
function authorizationOf(world: World, { requestId }: Transaction) {
  const charge = world.get('charge', world.get('capture', requestId)?.chargeId ?? '');
  if (charge === undefined) return [];
  return [
    {
      ...{ requestId, authorizationRequestId: charge.id, transactionReferenceNumber: charge.id },
      ...{ time: isoTime(charge.createdAt), amount: charge.amount, currencyCode: charge.currency, rcode: '1' },
    },
  ];
}

function feesAndFunding(it: Transaction): FeesAndFunding {
  const sum = sumOf(it);
  const { currency } = sum;
  const text = (minor: bigint): string => decimal({ minor, currency });
  if (it.kind === 'refund')
    return { requestId: it.requestId, fundingAmount: `-${text(sum.minor)}`, fundingCurrency: currency };
  const fees = feesOf(sum);
  return {
    ...{ requestId: it.requestId, interchangePercentage: percentage(feeShares.interchange) },
    ...{ interchangePercentageAmount: text(fees.interchange), discountPercentage: percentage(feeShares.discount) },
    ...{ discountAmount: text(fees.discount), duesAssessments: text(fees.assessments) },
    ...{ totalFee: text(fees.total), feeCurrency: currency },
    ...{ fundingAmount: text(sum.minor - fees.total), fundingCurrency: currency },
  };
}

interface FeesAndFunding {
  readonly requestId: string;
  readonly totalFee?: string;
  readonly fundingAmount: string;
  readonly fundingCurrency: string;
  readonly [more: string]: string | undefined;
}

/** The rows of a file: what belongs to one request, side by side. */
export function purchaseRows({ requestDetails = [], ...parts }: ReturnType<typeof purchaseDetailsOf>) {
  const of = <Part extends { readonly requestId: string }>(all: readonly Part[] | undefined, id: string) =>
    (all ?? []).find(({ requestId }) => requestId === id);
  return requestDetails.map(({ requestId, merchantReferenceNumber = '' }) => {
    const settlement = of(parts.settlements, requestId);
    const funding = of(parts.feeAndFundingDetails, requestId);
    return {
      ...{ requestId, merchantReferenceNumber, transactionType: settlement?.transactionType ?? '' },
      ...{ submissionTime: settlement?.submissionTime ?? '', amount: settlement?.amount ?? '' },
      ...{ currencyCode: settlement?.currencyCode ?? '', paymentMethod: settlement?.paymentMethod ?? '' },
      ...{ totalFee: funding?.totalFee ?? '', fundingAmount: funding?.fundingAmount ?? '' },
    };
  });
}
