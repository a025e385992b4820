import { decimal } from '../../../core/money.ts';
import type { World } from '../../../sandbox/world.ts';
import type { DefinitionName } from '../definitions.ts';
import { decisionsOf } from './decisions.ts';
import { feesOf } from './fees.ts';
import { type Owner, type ReportRecord, record, type Source } from './record.ts';
import { paidSubscriptions, recurring, subscribed, surcharges } from './subscription-records.ts';
import { sumOf, type Transaction, transactionsOf } from './transactions.ts';

// What reports are made of: everything that the sandbox knows of a merchant's business (D-85).

const of =
  ({ id }: Owner) =>
  (it: { readonly merchantId: string }): boolean =>
    it.merchantId === id;

const authorizations: Source = (world, merchant) =>
  world
    .list('charge')
    .filter(of(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'authorization', succeeded: it.state !== 'NOT_AUTHORIZED' },
        ...{ amount: it.amount, currency: it.currency, cardId: it.cardId, reference: it.reference },
      }),
    );

/** The merchant's books: money that was taken or paid back. */
const settled: Source = (world, merchant) =>
  transactionsOf(world, merchant).map((it) =>
    record(world, merchant, {
      ...{ id: it.requestId, at: it.at, succeeded: true, isRefund: it.kind === 'refund', cardId: it.cardId },
      ...{
        application: applicationOf(world, it),
        amount: amountOf(it),
        currency: it.currency,
        reference: it.reference,
      },
      original: world.get('refund', it.requestId)?.captureId ?? world.get('capture', it.requestId)?.chargeId,
      more: {
        'Settlement.SettlementAmount': amountOf(it),
        'Settlement.SettlementCurrencyCode': it.currency,
        'Settlement.SettlementDate': new Date(it.at).toISOString().slice(0, 10),
        'Settlement.Status': 'S',
        ...subscribed(world, world.get('payment', it.requestId)?.subscriptionId),
      },
    }),
  );

/** Captures and refunds that were undone before they were settled. */
const undone: Source = (world, merchant) => {
  const isUndone = (it: { readonly state: string; readonly merchantId: string }): boolean =>
    it.state === 'VOIDED' && it.merchantId === merchant.id;
  const told = (it: { id: string; createdAt: number; amount: string; currency: string }) => ({
    ...{ id: it.id, at: it.createdAt, succeeded: true, amount: it.amount, currency: it.currency },
  });
  return [
    ...world
      .list('capture')
      .filter(isUndone)
      .map((it) => record(world, merchant, { ...told(it), application: 'void', original: it.chargeId })),
    ...world
      .list('refund')
      .filter(isUndone)
      .map((it) => record(world, merchant, { ...told(it), application: 'void', original: it.captureId })),
    ...world
      .list('charge')
      .filter((it) => it.state === 'REVERSED' && it.merchantId === merchant.id)
      .map((it) => record(world, merchant, { ...told(it), application: 'reversal', cardId: it.cardId })),
  ];
};

/** What the platform or an issuer declined. */
const declined: Source = (world, merchant) => [
  ...authorizations(world, merchant).filter(({ fields }) => fields['Application.RCode'] === '0'),
  ...world
    .list('refund')
    .filter((it) => it.state === 'NOT_REFUNDED' && it.merchantId === merchant.id)
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'refund', succeeded: false, isRefund: true },
        ...{ amount: it.amount, currency: it.currency, reference: it.reference, original: it.captureId },
      }),
    ),
  ...recurring(world, merchant).filter(({ fields }) => fields['Application.RCode'] === '0'),
];

/** Authorizations of which nothing was captured yet. */
const open: Source = (world, merchant) => {
  const waiting = new Set(
    world
      .list('charge')
      .filter((it) => it.state === 'AUTHORIZED')
      .map(({ id }) => id),
  );
  return authorizations(world, merchant)
    .filter(({ id }) => waiting.has(id))
    .map((it) => ({
      ...it,
      fields: {
        ...it.fields,
        'Settlement.Status': 'P',
        'Settlement.SettlementAge': String(Math.floor((world.now - it.at) / day)),
      },
    }));
};

const day = 86_400_000;

const invoices: Source = (world, merchant) =>
  world
    .list('invoice')
    .filter(of(merchant))
    .map((it) => {
      const { totalAmount, currency } = it.terms.orderInformation.amountDetails;
      const { name, email } = it.terms.customerInformation ?? {};
      return record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'invoice', succeeded: null, reference: it.number },
        ...{ amount: totalAmount, currency },
        more: {
          'Invoice.InvoiceNumber': it.number,
          'Invoice.Status': it.state,
          'BillTo.FirstName': name,
          'BillTo.Email': email,
        },
      });
    });

const authentications: Source = (world, merchant) =>
  world
    .list('authentication')
    .filter(of(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'authentication', succeeded: null, amount: it.amount },
        more: { 'PaymentData.CurrencyCode': it.currency, 'VEReq.MerchantID': merchant.id, 'VERes.Enrolled': 'Y' },
      }),
    );

const chargebacks: Source = (world, merchant) =>
  world
    .list('chargeback')
    .filter(of(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.at, application: 'chargeback', succeeded: null, isRefund: true },
        ...{ amount: it.amount, currency: it.currency, original: it.transactionId },
      }),
    );

const fees: Source = (world, merchant) =>
  transactionsOf(world, merchant)
    .filter(({ kind }) => kind === 'sale')
    .map((it) => {
      const { currency } = sumOf(it);
      const minor = feesOf(sumOf(it)).total;
      return record(world, merchant, {
        ...{ id: it.requestId, at: it.at, application: 'fee', succeeded: null, reference: it.reference },
        ...{ amount: decimal({ minor, currency }), currency },
      });
    });

const reviewed: Source = (world, merchant) =>
  decisionsOf(world, merchant).map((it) =>
    record(world, merchant, {
      ...{ id: it.requestId, at: it.at, application: 'review', succeeded: it.decision === 'ACCEPT' },
      reference: it.reference,
    }),
  );

const none: Source = () => [];

const together =
  (...sources: readonly Source[]): Source =>
  (world, merchant) =>
    sources.flatMap((source) => source(world, merchant));

const declinedBesideAuthorizations: Source = (world, merchant) =>
  declined(world, merchant).filter(({ fields }) => fields['Application.Name'] !== 'authorization');

const requests = together(authorizations, settled, undone, declinedBesideAuthorizations);

/** What the reports of each definition are about. Nothing happens in the sandbox of which the last one could tell. */
const sources: { readonly [D in DefinitionName]: Source } = {
  TransactionRequestClass: requests,
  GatewayTransactionRequestClass: requests,
  PaymentBatchDetailClass: settled,
  ProcessorSettlementDetailClass: settled,
  FundingDetailClass: settled,
  DepositDetailClass: settled,
  ProcessorEventsDetailClass: undone,
  ExceptionDetailClass: declined,
  AgingDetailClass: open,
  InvoiceSummaryClass: invoices,
  SubscriptionDetailClass: paidSubscriptions,
  RecurringBillingDetailClass: recurring,
  ServiceFeeDetailClass: surcharges,
  PayerAuthDetailClass: authentications,
  ChargebackAndRetrievalDetailClass: chargebacks,
  FeeDetailClass: fees,
  ConversionDetailClass: reviewed,
  DecisionManagerEventDetailClass: none,
};

/** The records of a definition in a range of time, oldest first. */
export const recordsOf = (
  world: World,
  merchant: Owner,
  definition: string,
  { from, to }: { readonly from: number; readonly to: number },
): readonly ReportRecord[] =>
  sources[definition as DefinitionName](world, merchant) // the contract takes no other name
    .filter(({ at }) => at >= from && at < to)
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));

const applicationOf = (world: World, { kind, requestId }: Transaction): string => {
  if (kind === 'refund') return 'refund';
  if (world.get('capture', requestId) !== undefined) return 'capture';
  return world.get('payment', requestId) === undefined ? 'invoice payment' : 'subscription';
};

const amountOf = (it: Transaction): string => decimal(sumOf(it));
