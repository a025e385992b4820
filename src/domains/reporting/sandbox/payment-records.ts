import { decimal } from '../../../core/money.ts';
import { day } from '../../../core/schedule.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { World } from '../../../sandbox/world.ts';
import { isHeldUncaptured, isNotAuthorized, isNotRefunded, isReversed, isVoided } from '../../conversion/machines.ts';
import type { OfferDocument } from '../../conversion/sandbox/documents.ts';
import { belongsTo, type ReportRecord, record, type Source } from './record.ts';
import { recurring, subscribed } from './subscription-records.ts';
import { sumOf, type Transaction, transactionsOf } from './transactions.ts';

// What reports say of payments: what was asked for, what was taken and paid back, what was undone or declined.

/** What a record says of the conversion of its payment: the price in the shop's currency, and the rate. */
function converted(world: World, offerId: string | null | undefined): ReportRecord['fields'] {
  const offer = typeof offerId === 'string' ? world.get('offer', offerId) : undefined;
  return offer === undefined ? {} : { ...rated(offer), 'PaymentData.DCCIndicator': '1' };
}

const rated = (it: OfferDocument): ReportRecord['fields'] => ({
  'PaymentData.OriginalAmount': it.originalAmount,
  'PaymentData.OriginalCurrency': it.originalCurrency,
  ...(it.reason === null
    ? {
        'PaymentData.TargetAmount': it.amount,
        'PaymentData.TargetCurrency': it.currency,
        'PaymentData.ExchangeRate': it.exchangeRate,
        'PaymentData.ExchangeRateDate': isoTime(it.createdAt),
      }
    : { 'Application.ReasonCode': it.reason }),
});

/** Questions whether a price can be paid in the card's own currency. */
export const conversions: Source = (world, merchant) =>
  world
    .list('offer')
    .filter(belongsTo(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'currency conversion', succeeded: it.reason === null },
        ...{ amount: it.originalAmount, currency: it.originalCurrency, reference: it.reference, more: rated(it) },
      }),
    );

export const authorizations: Source = (world, merchant) =>
  world
    .list('charge')
    .filter(belongsTo(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'authorization', succeeded: !isNotAuthorized(it.state) },
        ...{ amount: it.amount, currency: it.currency, cardId: it.cardId, reference: it.reference },
        more: converted(world, it.offerId),
      }),
    );

/** The merchant's books: money that was taken or paid back. */
export const settled: Source = (world, merchant) =>
  transactionsOf(world, merchant).map((it) => {
    const [amount, date] = [decimal(sumOf(it)), isoTime(it.at)];
    const captured = world.get('refund', it.requestId)?.captureId ?? it.requestId;
    const charge = world.get('charge', world.get('capture', captured)?.chargeId ?? '');
    return record(world, merchant, {
      ...{ id: it.requestId, at: it.at, succeeded: true, isRefund: it.kind === 'refund', cardId: it.cardId },
      ...{ application: applicationOf(world, it), amount, currency: it.currency, reference: it.reference },
      original: captured === it.requestId ? charge?.id : captured,
      more: {
        'Settlement.SettlementAmount': amount,
        'Settlement.SettlementCurrencyCode': it.currency,
        'Settlement.SettlementDate': date,
        'Settlement.Status': 'S',
        ...{ 'Batch.BatchDate': date, 'Batch.Status': 'S', 'Batch.SuccessFlag': 'Y' },
        ...{ 'Deposit.Amount': amount, 'Deposit.Currency': it.currency, 'Deposit.Status': 'S', 'Deposit.Time': date },
        ...{ 'Funding.FundingAmount': amount, 'Funding.FundingCurrency': it.currency },
        ...{ 'Funding.FundingDate': date, 'Funding.Status': 'S' },
        ...converted(world, charge?.offerId),
        ...subscribed(world, world.get('payment', it.requestId)?.subscriptionId),
      },
    });
  });

function applicationOf(world: World, { kind, requestId }: Transaction): string {
  if (kind === 'refund') return 'refund';
  if (world.get('capture', requestId) !== undefined) return 'capture';
  if (world.get('deviceMovement', requestId) !== undefined) return 'card reader';
  return world.get('payment', requestId) === undefined ? 'invoice payment' : 'subscription';
}

/** Captures and refunds that were undone before they were settled, and payments that were released. */
export const undone: Source = (world, merchant) => {
  const told = (it: { id: string; createdAt: number; amount: string; currency: string }) => ({
    ...{ id: it.id, at: it.createdAt, succeeded: true, amount: it.amount, currency: it.currency },
    more: { 'Event.Amount': it.amount, 'Event.CurrencyCode': it.currency, 'Event.EventDate': isoTime(it.createdAt) },
  });
  const isUndone = (it: { readonly state: string; readonly merchantId: string }): boolean =>
    isVoided(it.state) && belongsTo(merchant)(it);
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
      .filter((it) => isReversed(it.state) && belongsTo(merchant)(it))
      .map((it) => record(world, merchant, { ...told(it), application: 'reversal', cardId: it.cardId })),
  ];
};

/** What the platform or an issuer declined. */
export const declined: Source = (world, merchant) =>
  [
    ...[...authorizations(world, merchant), ...recurring(world, merchant)].filter(
      ({ fields }) => fields['Application.RCode'] === '0',
    ),
    ...world
      .list('refund')
      .filter((it) => isNotRefunded(it.state) && belongsTo(merchant)(it))
      .map((it) =>
        record(world, merchant, {
          ...{ id: it.id, at: it.createdAt, application: 'refund', succeeded: false, isRefund: true },
          ...{ amount: it.amount, currency: it.currency, reference: it.reference, original: it.captureId },
        }),
      ),
  ].map((it) => ({
    ...it,
    fields: {
      ...it.fields,
      'Exception.Action': it.fields['Application.Name'],
      'Exception.ExceptionAmount': it.fields['PaymentData.Amount'],
      'Exception.ExceptionAmountCurrency': it.fields['PaymentData.CurrencyCode'],
      'Exception.ExceptionMessage': it.fields['Application.RMsg'],
      'Exception.ExceptionType': it.fields['Application.RFlag'],
    },
  }));

/** Authorizations of which nothing was captured yet. */
export const open: Source = (world, merchant) =>
  authorizations(world, merchant)
    .filter(({ id }) => isHeldUncaptured(world.get('charge', id)?.state ?? ''))
    .map((it) => ({
      ...it,
      fields: {
        ...it.fields,
        'Settlement.Status': 'P',
        'Settlement.SettlementAge': String(Math.floor((world.now - it.at) / day)),
      },
    }));
