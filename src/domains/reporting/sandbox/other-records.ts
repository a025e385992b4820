import { currencies } from '../../../core/currencies.ts';
import { decimal } from '../../../core/money.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import { decisionsOf, reviewsOf } from './decisions.ts';
import { feeShares, feesOf, percentage } from './fees.ts';
import { belongsTo, record, type Source } from './record.ts';
import { sumOf, transactionsOf } from './transactions.ts';

// What reports say besides payments: invoices, authentications, chargebacks, fees, reviews, and what the platform tells.

export const invoices: Source = (world, merchant) =>
  world
    .list('invoice')
    .filter(belongsTo(merchant))
    .map((it) => {
      const { totalAmount, currency } = it.terms.orderInformation.amountDetails;
      const { name, email } = it.terms.customerInformation ?? {};
      return record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'invoice', succeeded: null, reference: it.number },
        ...{ amount: totalAmount, currency },
        more: {
          ...{ 'Invoice.InvoiceNumber': it.number, 'Invoice.Status': it.state, 'Invoice.OrganizationID': merchant.id },
          ...{ 'BillTo.FirstName': name, 'BillTo.Email': email },
        },
      });
    });

export const authentications: Source = (world, merchant) =>
  world
    .list('authentication')
    .filter(belongsTo(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.createdAt, application: 'authentication', succeeded: null, amount: it.amount },
        more: {
          'PaymentData.CurrencyCode': currencies.find(({ numeric }) => numeric === it.currency)?.code,
          ...{ 'PayerAuth.MerchantID': merchant.id, 'PayerAuth.RequestID': it.id },
          ...{ 'PayerAuth.TransactionType': it.state, 'VEReq.MerchantID': merchant.id, 'VERes.Enrolled': 'Y' },
        },
      }),
    );

export const chargebacks: Source = (world, merchant) =>
  world
    .list('chargeback')
    .filter(belongsTo(merchant))
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.at, application: 'chargeback', succeeded: null, isRefund: true },
        ...{ amount: it.amount, currency: it.currency, original: it.transactionId },
        more: {
          'ChargebackAndRetrieval.CaseIdentifier': it.id,
          'ChargebackAndRetrieval.CaseTime': isoTime(it.at),
          'ChargebackAndRetrieval.CaseType': 'CHARGEBACK',
          'ChargebackAndRetrieval.ChargebackAmount': it.amount,
          'ChargebackAndRetrieval.ChargebackCurrency': it.currency,
          'ChargebackAndRetrieval.ChargebackTime': isoTime(it.at),
          'ChargebackAndRetrieval.FinancialImpact': 'Y',
        },
      }),
    );

/** The fees of sales. Refunds give none back. */
export const fees: Source = (world, merchant) =>
  transactionsOf(world, merchant)
    .filter(({ kind }) => kind === 'sale')
    .map((it) => {
      const sum = sumOf(it);
      const { currency } = sum;
      const text = (minor: bigint): string => decimal({ minor, currency });
      const { interchange, discount, assessments, total } = feesOf(sum);
      return record(world, merchant, {
        ...{ id: it.requestId, at: it.at, application: 'fee', succeeded: null, reference: it.reference },
        ...{ amount: text(total), currency },
        more: {
          ...{ 'Fee.InterchangeAmount': text(interchange), 'Fee.InterchangeCurrency': currency },
          ...{ 'Fee.InterchangeRate': percentage(feeShares.interchange) },
          ...{ 'Fee.DiscountAmount': text(discount), 'Fee.DiscountCurrency': currency },
          ...{ 'Fee.DiscountRate': percentage(feeShares.discount) },
          ...{ 'Fee.AssessmentAmount': text(assessments), 'Fee.AssessmentCurrency': currency },
          ...{
            'Fee.TotalFeeAmount': text(total),
            'Fee.TotalFeeCurrency': currency,
            'Fee.BillingType': 'interchangePlus',
          },
        },
      });
    });

/** Decisions on payments that were held for review. */
export const reviewed: Source = (world, merchant) =>
  decisionsOf(world, merchant).map((it) =>
    record(world, merchant, {
      ...{ id: it.requestId, at: it.at, application: 'review', succeeded: it.decision === 'ACCEPT' },
      reference: it.reference,
      more: {
        'Conversion.ConversionDate': isoTime(it.at),
        'Conversion.OriginalDecision': 'REVIEW',
        'Conversion.NewDecision': it.decision,
      },
    }),
  );

/** What fraud management did: it held a payment, and somebody decided on it. */
export const fraudEvents: Source = (world, merchant) => [
  ...reviewsOf(world, merchant).map((it) =>
    record(world, merchant, {
      ...{ id: it.requestId, at: it.at, application: 'review', succeeded: null, reference: it.reference },
      more: { 'Event.Event': 'REVIEW', 'Event.EventDate': isoTime(it.at), 'Profile.ProfileDecision': 'REVIEW' },
    }),
  ),
  ...reviewed(world, merchant).map((it) => ({
    ...it,
    fields: { ...it.fields, 'Event.Event': it.fields['Conversion.NewDecision'], 'Event.EventDate': isoTime(it.at) },
  })),
];

/** What the platform told, or would have told, whoever listens to its events. */
export const events: Source = (world, merchant) =>
  world
    .list('event')
    .filter(({ organizationId }) => organizationId === merchant.id)
    .map((it) =>
      record(world, merchant, {
        ...{ id: it.id, at: it.at, application: 'event', succeeded: null },
        more: {
          ...{ 'Event.Event': it.eventType, 'Event.EventDate': isoTime(it.at) },
          'Event.ProcessorMessage': it.productId,
        },
      }),
    );
