import { isCurrency } from '../../../core/currencies.ts';
import { decimal, money } from '../../../core/money.ts';
import type { World } from '../../../sandbox/world.ts';
import type { DefinitionName } from '../definitions.ts';
import { type Owner, type ReportRecord, record } from './record.ts';
import { type Transaction, transactionsOf } from './transactions.ts';

// What reports are made of: everything that the sandbox knows of a merchant's business (D-85).

type Source = (world: World, merchant: Owner) => readonly ReportRecord[];

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

/** Payments of subscriptions, whether they succeeded or not; skipped ones were never tried. */
const recurring: Source = (world, merchant) =>
  world.list('payment').flatMap((it) => {
    const subscription = world.get('subscription', it.subscriptionId);
    const succeeded = attempts[it.state];
    if (subscription?.merchantId !== merchant.id || succeeded === undefined) return [];
    return [
      record(world, merchant, {
        ...{ id: it.id, at: it.at, application: 'subscription', succeeded, currency: it.currency },
        amount: sumOf([it.amount, it.setupFee, it.surcharge?.amount], it.currency),
        ...{ cardId: subscription.cardId, reference: subscription.reference },
        more: subscribed(world, subscription.id),
      }),
    ];
  });

/** Whether an attempt to charge succeeded, by the state of its payment. */
const attempts: Readonly<Record<string, boolean | undefined>> = { PAID: true, FAILED: false };

const paidSubscriptions: Source = (world, merchant) =>
  recurring(world, merchant).filter(({ fields }) => fields['Application.RCode'] === '1');

const surcharges: Source = (world, merchant) =>
  world.list('payment').flatMap((it) => {
    const subscription = world.get('subscription', it.subscriptionId);
    if (subscription?.merchantId !== merchant.id || attempts[it.state] !== true || it.surcharge === null) return [];
    const { amount } = it.surcharge;
    const { cardId, reference } = subscription;
    const about = { application: 'service fee', succeeded: true, amount, currency: it.currency, cardId, reference };
    return [record(world, merchant, { id: it.id, at: it.at, ...about })];
  });

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

const none: Source = () => [];

const together =
  (...sources: readonly Source[]): Source =>
  (world, merchant) =>
    sources.flatMap((source) => source(world, merchant));

const declinedBesideAuthorizations: Source = (world, merchant) =>
  declined(world, merchant).filter(({ fields }) => fields['Application.Name'] !== 'authorization');

const requests = together(authorizations, settled, undone, declinedBesideAuthorizations);

/** What the reports of each definition are about. Nothing happens in the sandbox of which the last ones could tell. */
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
  ChargebackAndRetrievalDetailClass: none,
  FeeDetailClass: none,
  ConversionDetailClass: none,
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

function subscribed(world: World, id: string | undefined): ReportRecord['fields'] {
  const it = id === undefined ? undefined : world.get('subscription', id);
  if (it === undefined) return {};
  return {
    'Subscriptions.SubscriptionID': it.id,
    'Subscriptions.PlanID': it.planId ?? undefined,
    'Subscriptions.Status': it.state,
    'BillTo.FirstName': it.firstName,
    'BillTo.LastName': it.lastName,
    'BillTo.Email': it.email,
  };
}

const amountOf = ({ amounts, currency }: Transaction): string => sumOf(amounts, currency);

function sumOf(amounts: readonly (string | null | undefined)[], currency: string): string {
  if (!isCurrency(currency)) throw new Error('The books have currencies alone.');
  const given = amounts.filter((amount) => typeof amount === 'string');
  return decimal({ minor: given.reduce((sum, amount) => sum + money(amount, currency).minor, 0n), currency });
}
