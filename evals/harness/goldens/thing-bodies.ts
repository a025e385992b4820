import type { Kind } from '../../../src/domains/facts.ts';

// Things of each kind, as the ledger knows them.

export const start = Date.UTC(2026, 0, 15, 9);
export const iso = (at: number): string => new Date(at).toISOString();

/** What every thing of a kind has, and what only some have. */
export const bodies = {
  shopper: [{ displayName: 'Ada Example' }, {}],
  card: [
    { customerId: 'customer', instrumentIdentifierId: 'instrument', paymentInstrumentId: 'payment' },
    { lastFour: '1111', expires: '12/2030', type: '001', bin: '411111' },
  ],
  instruction: [
    {
      ...{ instructionId: 'intent', mandateId: 'mandate', reference: 'order-1', description: 'Headphones' },
      ...{ limit: '40', currency: 'GBP', until: '1768478400', merchant: 'Harbour Audio', card: 'card_one' },
      ...{ releases: 1, releasesApproved: 1, waiting: '' },
    },
    {
      agreed: {
        ...{ 'mandates[].declineThreshold.amount': '40', 'mandates[].declineThreshold.currencyCode': 'GBP' },
        ...{ 'mandates[].description': 'Headphones', 'mandates[].preferredMerchantName': 'Harbour Radio' },
        ...{ 'mandates[].quantity': '2', 'mandates[].recurringPaymentInformation.occurrence': 'MONTHLY' },
      },
      ...{ every: 'MONTHLY', credentials: 'credentials_one', receipt: 'receipt_one' },
    },
  ],
  credentials: [
    { reference: 'order-1', amount: '39.9', currency: 'GBP', lastFour: '1111', expires: '12/2030', type: 'NETWORK' },
    { expiresAt: start + 900_000, eci: '05', commerceIndicator: 'vbv' },
  ],
  receipt: [
    { instruction: 'instruction_one', transactionType: 'PURCHASE', transactionStatus: 'APPROVED' },
    { amount: '39.9', currency: 'GBP' },
  ],
  authentication: [
    {
      ...{ card: 'card_one', reference: 'order-1', amount: '39.9', currency: 'GBP', challenge: 'challenge' },
      ...{ stepUpOptions: [], namedOptions: 0, requests: 0 },
    },
    {
      stepUpOptions: [
        { name: 'OTP', id: 'one', method: 'SMS', value: '*** 05', source: 'Harbour Bank' },
        { name: 'OTP', id: 'two', method: 'EMAIL' },
      ],
      ...{ namedOptions: 2, option: 'one', requests: 1, maxRequests: 3, maxVerifications: 2 },
      context: { id: 'context', endpoint: 'https://bank.example.com', payload: 'payload', platformType: 'WEB' },
      ...{ expiresAt: start + 600_000, eci: '05', authenticatedAt: start, credentials: 'credentials_one' },
      approves: { operation: 'op_one', approval: 'apr_one', digest: 'digest', text: 'Pay 39.90 GBP\nfor Headphones' },
    },
  ],
  offer: [
    {
      ...{
        offerId: 'offer',
        reference: 'order-1',
        card: 'card_one',
        localAmount: '70',
        localCurrency: 'GBP',
        reason: '',
      },
      ...{ billingAmount: '14000', billingCurrency: 'JPY', exchangeRate: '200', markup: '3.5' },
    },
    {
      ...{
        inverted: false,
        rateTime: iso(start),
        rateSource: 'A bank',
        disclaimer: 'It is your choice.',
        expires: iso(start + 900_000),
      },
      ...{ reconciliationId: 'reconciliation', chosenAt: iso(start), charge: 'charge_one' },
    },
  ],
  charge: [
    {
      ...{ paymentId: 'payment', reference: 'order-1', card: 'card_one', localAmount: '70', localCurrency: 'GBP' },
      ...{ billingAmount: '70', billingCurrency: 'GBP', converted: false, processing: '', offer: '' },
      ...{ capturedLocal: '0', capturedBilling: '0', status: 'AUTHORIZED' },
    },
    {
      ...{ billingAmount: '14000', billingCurrency: 'JPY', converted: true, processing: 'direct', offer: 'offer_one' },
      ...{ capturedLocal: '20', capturedBilling: '4000', exchangeRate: '200', inverted: false, markup: '3.5' },
      ...{ refundedLocal: '5', refundedBilling: '1000' },
      ...{ rateTime: iso(start), instruction: 'instruction_one' },
    },
  ],
  capture: [
    {
      captureId: 'capture',
      charge: 'charge_one',
      localAmount: '20',
      billingAmount: '20',
      refundedLocal: '0',
      refundedBilling: '0',
    },
    { billingAmount: '4000', refundedLocal: '5', refundedBilling: '1000' },
  ],
  refund: [
    { refundId: 'refund', capture: 'capture_one', localAmount: '5', billingAmount: '5' },
    { billingAmount: '1000' },
  ],
  plan: [
    { planId: 'plan', length: '1', unit: 'M', currency: 'GBP', amount: '10' },
    {
      ...{ code: 'TEA-1', name: 'Tea', description: 'A box of tea', assigned: true, total: '12', setupFee: '2' },
      ...{ surcharge: '1', surchargeLabel: 'Postage' },
    },
  ],
  subscription: [
    {
      ...{ subscriptionId: 'subscription', name: 'Tea for Ada', startDate: '2026-01-15T09:00:00Z' },
      ...{ length: '1', unit: 'M', currency: 'GBP', amount: '10' },
    },
    {
      ...{ code: 'SUB-1', customerId: 'customer', customerName: 'Ada Example', onPlan: 'plan_one', current: '2' },
      ...{ total: '12', setupFee: '2', surcharge: '1', surchargeLabel: 'Postage', card: '1111' },
      ...{
        missedCount: '1',
        missedAmount: '11',
        missedAt: start + 35 * 86_400_000,
        skipped: [3],
        paymentsReadAt: start,
      },
      payments: [{ cycle: 1, status: 'PAID', type: 'STANDARD', at: start, modifiable: false }],
    },
  ],
  followOn: [{ requestId: 'request', customerName: 'Ada Example', expires: '12/2030' }, {}],
  invoice: [
    { invoiceId: 'INV-1', currency: 'GBP', total: '40.00' },
    {
      ...{ balance: '15.00', delivery: 'email', expires: '2026-03-01', link: 'https://pay.example.com/i/1' },
      ...{ strange: ['orderInformation.giftWrap'], sendImmediately: true, readAt: start, due: '2026-02-01' },
      ...{ customer: 'Ada Example', customerId: 'customer-0001', approved: '40.00' },
    },
  ],
  report: [
    { name: 'January', reportId: 'report' },
    { endsAt: start, timeZone: 'Europe/London', frequency: 'DAILY' },
  ],
  cardReader: [
    { reader: 'reader' },
    {
      ...{ deviceId: 'device', environment: 'TEST', serialNumber: 'serial', handsetGeneration: 15, osVersion: '18.1' },
      ...{ osReleasedOn: '2025-10-01', sdkVersion: '2.3.0', educationShown: true },
    },
  ],
  devicePayment: [
    {
      ...{ identifier: 'transaction', status: 'Approved', reference: 'order-1', cardReader: 'cardReader_one' },
      ...{ type: 'charge', currency: 'GBP', total: '17', preauthorizes: true, captured: '0', refunded: '0' },
    },
    {
      ...{ tip: '2', approved: '20', incremented: '3', captured: '17', refunded: '5' },
      ...{ expiresAt: start + 86_400_000, receiptText: 'Thank you.' },
    },
  ],
} as const satisfies { readonly [K in Kind]?: readonly [object, object] };
