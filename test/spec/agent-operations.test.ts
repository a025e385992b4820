import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { purchase } from '../../src/domains/purchase/contract.ts';
import { agentError } from '../../src/domains/purchase/errors.ts';
import { confirmationByTransaction } from '../../src/domains/purchase/shapes.ts';
import { apart, bare, type Differences, each, stated } from './compare.ts';
import { fields } from './document.ts';
import { parts, printed } from './shape.ts';

const page = 'agent-fields.md';

const spelling = 'document 1 spells it issuedBy in the enrollment; one buyer has one spelling';
const buyer: Differences = {
  leftOut: each(['buyerInformation.personalIdentification[].issueBy'], spelling),
  added: each(['buyerInformation.personalIdentification[].issuedBy'], spelling),
};
const tokens = each(
  ['paymentInformation.customer.id', 'paymentInformation.paymentInstrument.id'],
  'the object holds nothing else',
);
const mandate: Differences = {
  stricter: [
    ...tokens,
    ...each(
      ['mandates[].declineThreshold.amount', 'mandates[].declineThreshold.currencyCode'],
      'AP-09 is a limit, and a limit without amount or currency limits nothing',
    ),
    ['mandates[].recurringPaymentInformation.occurrence', 'the object holds nothing else'],
  ],
};
const items = 'transactionData[].orderInformation.lineItems[].items';
const noUse = 'nobody authors it: neither the model, nor the shopper, nor the merchant configuration';
const money = ['totalAmount', 'currency', 'subTotalAmount', 'discountAmount', 'shippingAmount', 'handlingAmount'];
const policies = ['termsAndConditions', 'cancellationPolicy', 'refundPolicy', 'disputePolicy', 'shippingPolicy'];
const confirmed = 'confirmationData[].orderInformation';
const processor = 'confirmationData[].processorInformation';

/** Lines of the public list at or below a path. */
const below = (heading: string, ...roots: readonly string[]) =>
  fields(page, heading)
    .map(bare)
    .filter((field) => roots.some((root) => field === root || field.startsWith(`${root}.`)));

const requests: Readonly<Record<string, readonly [body: z.ZodType | undefined, differences: Differences]>> = {
  initiatePurchase: [purchase.initiatePurchase.body, { ...buyer, ...mandate }],
  updatePurchase: [purchase.updatePurchase.body, { ...buyer, ...mandate }],
  cancelPurchase: [purchase.cancelPurchase.body, { stricter: tokens }],
  retrieveCredentials: [
    purchase.retrieveCredentials.body,
    {
      leftOut: [
        ...each(
          [
            `${items}.amountDetail`,
            ...money.map((name) => `${items}.amountDetail.${name}`),
            `${items}.policies`,
            ...[...policies, 'discountAndPromotions'].map((name) => `${items}.policies.${name}`),
            ...['', '.key', '.value'].map((name) => `${items}.additionalInfo[]${name}`),
          ],
          noUse,
        ),
        ...each(
          ['', '.name', '.contentType', '.content'].map((name) => `transactionData[].attachments[]${name}`),
          noUse,
        ),
      ],
      stricter: [...tokens, [items, 'a line item holds nothing else']],
    },
  ],
  confirmTransaction: [
    purchase.confirmTransaction.body,
    {
      leftOut: each(
        [
          ...below(
            'confirmTransaction request',
            `${confirmed}.shipTo`,
            `${confirmed}.shippingDetails`,
            `${confirmed}.lineItems[]`,
            `${confirmed}.lineItems[].items.additionalInfo[]`,
            `${processor}.paymentInstrument`,
          ),
          ...[`${confirmed}.amountDetail`, `${processor}.amountDetail`].flatMap((path) =>
            money.slice(2).map((name) => `${path}.${name}`),
          ),
        ],
        'no receipt of ours holds it',
      ),
      stricter: tokens,
      looser: [['paymentInformation', 'D-05: the other form of the body, which is accepted too, does not hold it']],
    },
  ],
};

describe('the body of', () => {
  it.each(Object.entries(requests))(
    '%s is the public one, but for the differences stated here',
    (name, [body, why]) => {
      if (body === undefined) throw new Error(`${name} has a body`);
      expect(apart(printed(body), fields(page, `${name} request`))).toEqual(stated(why));
    },
  );

  it('every operation of the purchase domain is compared: here, or with document 1', () => {
    expect(['enrollCard', ...Object.keys(requests)]).toEqual(Object.keys(purchase));
  });
});

// biome-ignore format: a table
const answers: readonly [heading: string, body: z.ZodType, differences: Differences][] = [
  ['enrollCard 200', purchase.enrollCard.output[200],
    { stricter: [['status', 'document 1: the answer holds PENDING or ACTIVE']] }],
  ['enrollCard 202', purchase.enrollCard.output[202],
    { stricter: each(['status', 'pendingEvents[]'], 'document 1: pendingEvents is present with PENDING') }],
  ['initiatePurchase 200', purchase.initiatePurchase.output[200], {}],
  ['initiatePurchase 200', purchase.updatePurchase.output[200], {}],
  ['initiatePurchase 200', purchase.cancelPurchase.output[200], {}],
  ...(['initiatePurchase', 'updatePurchase', 'cancelPurchase'] as const).map(
    (name): [string, z.ZodType, Differences] => ['initiatePurchase 202', purchase[name].output[202], {}],
  ),
  ['retrieveCredentials 200', purchase.retrieveCredentials.output[200],
    { stricter: [['signedPayload', 'D-06: without it nothing was released']] }],
  ['retrieveCredentials 202', purchase.retrieveCredentials.output[202],
    {
      looser: [['instructionId', 'the caller names the instruction in the path: its echo is not needed']],
    }],
  ['confirmTransaction 202', purchase.confirmTransaction.output[202],
    { added: [['status', 'the guide answers COMPLETED']] }],
  ['enrollCard 400', agentError.schema, { stricter: [['error', 'an error body without an error tells nothing']] }],
];

describe('the answer of', () => {
  it.each(answers)('%s is the public one, but for the differences stated here', (heading, body, why) => {
    expect(apart(printed(body), fields(page, heading))).toEqual(stated(why));
  });

  it('every operation comes with the published status codes', () => {
    const codes = Object.entries(purchase).map(([name, it]) => [name, Object.keys(it.output).join(' ')]);
    expect(Object.fromEntries(codes)).toEqual({
      enrollCard: '200 202',
      initiatePurchase: '200 202',
      updatePurchase: '200 202',
      cancelPurchase: '200 202',
      retrieveCredentials: '200 202',
      confirmTransaction: '202',
    });
  });
});

it('takes the other form of a confirmation as it is published', () => {
  expect(printed(confirmationByTransaction())).toEqual([
    'clientCorrelationId *',
    'transactionData[] *',
    'transactionData[].clientReferenceInformation *',
    'transactionData[].clientReferenceInformation.code *',
    'transactionData[].merchantInformation *',
    'transactionData[].merchantInformation.merchantName *',
    'transactionData[].merchantInformation.merchantDescriptor *',
    'transactionData[].merchantInformation.merchantDescriptor.country *',
    'transactionData[].merchantInformation.merchantDescriptor.url *',
    'transactionData[].orderInformation *',
    'transactionData[].orderInformation.amountDetail *',
    'transactionData[].orderInformation.amountDetail.totalAmount *',
    'transactionData[].orderInformation.amountDetail.currency *',
    'transactionData[].type',
  ]);
});

it('takes the published values where a field of a request is an enumeration, and leaves the others open', () => {
  const found = Object.values(purchase).flatMap((operation) => parts(operation.body as z.ZodType));
  const closed = found.filter((part) => part.values !== undefined);
  expect(Object.fromEntries(closed.map((part) => [part.path, part.values?.toSorted().join(' ')]))).toEqual({
    'consumerIdentity.identityType': 'EMAIL_ADDRESS MOBILE_PHONE_NUMBER',
    'assuranceData[].verificationMethod': '02 04 21 22 23',
    'assuranceData[].verificationResults': '01 02 03 04 21',
    'assuranceData[].verificationType': 'CARDHOLDER DEVICE',
    'assuranceData[].verificationEvents[]': '01 02 03 04',
    'mandates[].recurringPaymentInformation.occurrence': 'MONTHLY WEEKLY YEARLY',
    'transactionData[].type': 'BILL_PAYMENT DISBURSEMENT MONEY_TRANSFER P2P PURCHASE',
    'transactionData[].paymentOptions.dynamicDataType': 'DAVV NONE TAVV',
    [`${processor}.transactionType`]: 'AUTHORIZATION CAPTURE CHARGEBACK FRAUD PURCHASE REFUND REVERSAL VERIFICATION',
    [`${processor}.transactionStatus`]: 'APPROVED CANCELLED DECLINED ERROR PENDING',
    [`${processor}.entryMode`]: 'CONTACTLESS ECOMMERCE EMV MANUAL WALLET',
  });
});
