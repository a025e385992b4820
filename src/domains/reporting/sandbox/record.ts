import type { World } from '../../../sandbox/world.ts';

/** One thing that happened, as a row of a report. */
export interface ReportRecord {
  readonly id: string;
  /** When it happened, in milliseconds of virtual time. */
  readonly at: number;
  /** Whether its money went to the customer; reports can sign it. */
  readonly isRefund: boolean;
  /** Values by field id; a field that it doesn't have is empty. */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** The merchant whose record it is. */
export interface Owner {
  readonly id: string;
}

/** Whether a document is a merchant's. */
export const belongsTo =
  ({ id }: Owner) =>
  (it: { readonly merchantId: string }): boolean =>
    it.merchantId === id;

/** Where records come from. */
export type Source = (world: World, merchant: Owner) => readonly ReportRecord[];

/** What every record says. */
export interface Told {
  readonly id: string;
  readonly at: number;
  readonly application: string;
  /** Null where nothing was decided. */
  readonly succeeded: boolean | null;
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly cardId?: string | undefined;
  readonly reference?: string | undefined;
  readonly original?: string | undefined;
  readonly isRefund?: boolean;
  readonly more?: ReportRecord['fields'];
}

/** The fields that hold an amount: a report can sign them, and a spreadsheet can add them up. */
export const amountFields: readonly string[] = [
  ...['PaymentData.Amount', 'PaymentData.OriginalAmount', 'PaymentData.TargetAmount', 'Settlement.SettlementAmount'],
  ...['Deposit.Amount', 'Funding.FundingAmount', 'Event.Amount', 'Exception.ExceptionAmount'],
  ...['ChargebackAndRetrieval.ChargebackAmount', 'Subscriptions.RecurringPaymentAmount'],
  ...['Fee.InterchangeAmount', 'Fee.DiscountAmount', 'Fee.AssessmentAmount', 'Fee.TotalFeeAmount'],
];
/** The field that holds the moment of a record. */
export const timeField = 'Request.TransactionDate';
/** Other fields that hold a moment, in ISO 8601; and those of which a report shows the day alone. All are in the time zone of the report. */
export const momentFields: readonly string[] = [
  ...['Event.EventDate', 'Conversion.ConversionDate', 'PaymentData.ExchangeRateDate'],
  'Subscriptions.RecurringStartDate',
];
export const dayFields: readonly string[] = [
  ...['Settlement.SettlementDate', 'Batch.BatchDate', 'Deposit.Time', 'Funding.FundingDate'],
];

/** A record with what every record says, and what the sandbox knows of its card. */
export function record(world: World, merchant: Owner, it: Told): ReportRecord {
  const card = it.cardId === undefined ? undefined : world.get('cardFixture', it.cardId);
  const [month, year] = card?.expires.split('/') ?? [];
  return {
    ...{ id: it.id, at: it.at, isRefund: it.isRefund === true },
    fields: {
      'Request.RequestID': it.id,
      'Request.MerchantID': merchant.id,
      'Request.MerchantReferenceNumber': it.reference,
      'Request.PartnerOriginalTransactionID': it.original,
      'Application.Name': it.application,
      ...(it.succeeded === null ? {} : outcomes[it.succeeded ? 'succeeded' : 'failed']),
      'PaymentData.PaymentRequestID': it.id,
      'PaymentData.Amount': it.amount,
      'PaymentData.CurrencyCode': it.currency,
      'CustomerFields.CustomerID': card?.customerId,
      'TMSToken.CustomerID': card?.customerId,
      'TMSToken.PaymentInstrumentID': card?.paymentInstrumentId,
      'TMSToken.InstrumentIdentifierID': card?.id,
      'PaymentMethod.AccountSuffix': card?.lastFour,
      'PaymentMethod.CardType': card?.network,
      'PaymentMethod.ExpirationMonth': month,
      'PaymentMethod.ExpirationYear': year,
      ...it.more,
    },
  };
}

/** How a request ended: its code, flag and message (D-85). */
const outcomes = {
  succeeded: { 'Application.RCode': '1', 'Application.RFlag': 'SOK', 'Application.RMsg': 'The request succeeded.' },
  failed: {
    'Application.RCode': '0',
    'Application.RFlag': 'DECLINED',
    'Application.RMsg': 'The request was declined.',
  },
} as const;
