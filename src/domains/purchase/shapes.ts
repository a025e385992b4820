import { z } from 'zod';
import {
  amount,
  blob,
  country,
  currency,
  device,
  digits,
  epochSeconds,
  model,
  platform,
  server,
  shopper,
  text,
  under,
  url,
  uuid,
} from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';

// The schemas of the agent purchase flow: document 1, "Enrollment request", "Instruction", "Endpoints". What the
// document leaves open (bodies of the five instruction operations, enumerations, codes) follows public models of the
// platform's clients. Objects are loose, because real clients may send undocumented properties.

export const correlationId = under('AP-01', server(uuid, 'new.correlationId'));

export const deviceInformation = once(() =>
  z.looseObject({
    applicationName: device(text),
    fingerprintSessionId: device(text),
    ipAddress: device(z.union([z.ipv4(), z.ipv6()])),
    deviceData: z.looseObject({
      type: device(text),
      brand: device(text),
      manufacturer: device(text).optional(),
      model: device(text).optional(),
    }),
    userAgent: device(blob).optional(),
    country: device(country).optional(),
    clientDeviceId: device(text).optional(),
  }),
);

const assurance = once(() =>
  z.looseObject({
    verificationMethod: shopper(z.enum(['02', '04', '21', '22', '23'])),
    verificationResults: shopper(z.enum(['01', '02', '03', '04', '21'])),
    verificationTimestamp: under('AP-02', shopper(epochSeconds)),
    verificationType: shopper(z.enum(['CARDHOLDER', 'DEVICE'])).optional(),
    verificationEntity: shopper(text).optional(),
    verificationEvents: z
      .array(shopper(z.enum(['01', '02', '03', '04'])))
      .max(limits.arrayElements)
      .optional(),
    authenticationContext: z.looseObject({ action: shopper(text).optional() }).optional(),
    authenticatedIdentities: authenticatedIdentity().optional(),
    additionalData: shopper(blob).optional(),
  }),
);
const authenticatedIdentity = once(() =>
  z.looseObject({ id: shopper(text), data: shopper(blob).optional(), provider: shopper(text).optional() }),
);
export const assuranceData = once(() => z.array(assurance()).max(limits.arrayElements));

/** In an enrollment the document requires none of it. */
export const enrollmentAssuranceData = once(() =>
  z
    .array(assurance().partial().extend({ authenticatedIdentities: authenticatedIdentity().partial().optional() }))
    .max(limits.arrayElements),
);

export const buyerInformation = once(() =>
  z.looseObject({
    merchantCustomerId: shopper(text).optional(),
    language: shopper(text).optional(),
    personalIdentification: z
      .array(
        z.looseObject({
          type: shopper(text).optional(),
          id: shopper(text).optional(),
          issuedBy: shopper(text).optional(),
        }),
      )
      .max(limits.arrayElements)
      .optional(),
  }),
);

export const consentData = once(() =>
  z
    .array(
      z.looseObject({
        id: shopper(text).optional(),
        type: shopper(text).optional(),
        source: shopper(text).optional(),
        acceptedTime: under('AP-02', shopper(epochSeconds)).optional(),
        effectiveUntil: under('AP-02', shopper(epochSeconds)).optional(),
      }),
    )
    .max(limits.arrayElements),
);

/** The card, by its token identifiers. Enrollment needs all three; later calls need the instrument. */
export const cardTokens = once(() =>
  z.looseObject({
    instrumentIdentifier: z.looseObject({ id: server(text, 'card.instrumentIdentifierId') }),
    customer: z.looseObject({ id: server(text, 'card.customerId') }),
    paymentInstrument: z.looseObject({ id: server(text, 'card.paymentInstrumentId') }),
  }),
);
export const paymentInformation = once(() => cardTokens().partial({ customer: true, paymentInstrument: true }));

const mandate = once(() =>
  z.looseObject({
    mandateId: server(text, 'new.mandateId'),
    declineThreshold: z.looseObject({ amount: model(amount), currencyCode: model(currency) }),
    effectiveUntilTime: under('AP-09', model(epochSeconds)),
    description: model(text),
    preferredMerchantName: model(text).optional(),
    merchantCategory: model(text).optional(),
    merchantCategoryCode: model(z.string().regex(/^\d{4}$/, 'must be four digits')).optional(),
    quantity: model(digits).optional(),
    recurringPaymentInformation: z
      .looseObject({ occurrence: model(z.enum(['WEEKLY', 'MONTHLY', 'YEARLY'])) })
      .optional(),
  }),
);
export const mandates = once(() => z.array(mandate()).min(1).max(limits.arrayElements));

const amountDetail = once(() =>
  z.looseObject({
    totalAmount: model(amount),
    currency: model(currency),
    subTotalAmount: model(amount).optional(),
    discountAmount: model(amount).optional(),
    shippingAmount: model(amount).optional(),
    handlingAmount: model(amount).optional(),
  }),
);

const shipTo = once(() =>
  z.looseObject({
    addressId: shopper(text, 'shipTo.addressId').optional(),
    firstName: shopper(text, 'shipTo.firstName').optional(),
    middleName: shopper(text, 'shipTo.middleName').optional(),
    lastName: shopper(text, 'shipTo.lastName').optional(),
    email: shopper(text, 'shipTo.email').optional(),
    address1: shopper(text, 'shipTo.address1').optional(),
    address2: shopper(text, 'shipTo.address2').optional(),
    address3: shopper(text, 'shipTo.address3').optional(),
    district: shopper(text, 'shipTo.district').optional(),
    locality: shopper(text, 'shipTo.locality').optional(),
    administrativeArea: shopper(text, 'shipTo.administrativeArea').optional(),
    postalCode: shopper(text, 'shipTo.postalCode').optional(),
    country: shopper(country, 'shipTo.country'),
    countryCallingCode: shopper(text, 'shipTo.countryCallingCode'),
    phoneNumber: shopper(text, 'shipTo.phoneNumber'),
    numberIsVoiceOnly: shopper(z.boolean(), 'shipTo.numberIsVoiceOnly').optional(),
    instructions: shopper(text, 'shipTo.instructions').optional(),
    createTime: shopper(text, 'shipTo.createTime').optional(),
    lastUsedTime: shopper(text, 'shipTo.lastUsedTime').optional(),
  }),
);

const lineItem = once(() =>
  z.looseObject({
    items: z.looseObject({
      productName: model(text).optional(),
      productSku: model(text).optional(),
      quantity: model(digits).optional(),
      unitPrice: model(amount).optional(),
      unitPriceCurrency: model(currency).optional(),
      productUrl: model(url).optional(),
    }),
  }),
);

const transactionType = once(() => z.enum(['PURCHASE', 'BILL_PAYMENT', 'MONEY_TRANSFER', 'DISBURSEMENT', 'P2P']));

export const transactionData = once(() =>
  z
    .array(
      z.looseObject({
        clientReferenceInformation: z.looseObject({ code: server(text, 'reference') }),
        mandateReferenceData: z
          .array(z.looseObject({ mandateId: server(text, 'instruction.mandateId').optional() }))
          .max(limits.arrayElements)
          .optional(),
        type: model(transactionType()).optional(),
        merchantOrderId: server(text, 'reference').optional(),
        orderInformation: z.looseObject({
          amountDetail: amountDetail(),
          shipTo: shipTo().optional(),
          lineItems: z.array(lineItem()).max(limits.arrayElements).optional(),
          deliveryMethod: model(text).optional(),
        }),
        merchantInformation: z.looseObject({
          merchantName: server(text, 'merchant.name'),
          merchantDescriptor: z.looseObject({
            country: server(country, 'merchant.country'),
            url: server(text, 'merchant.url'),
          }),
          merchantId: server(text, 'merchant.id').optional(),
          categoryCode: server(text, 'merchant.categoryCode').optional(),
          domainName: server(text, 'merchant.domainName').optional(),
          language: server(text, 'merchant.language').optional(),
        }),
        paymentServiceProviderUrl: server(text, 'merchant.paymentServiceProviderUrl').optional(),
        paymentServiceProviderName: server(text, 'merchant.paymentServiceProviderName').optional(),
        paymentOptions: z
          .looseObject({
            dpaDynamicDataTtlMinutes: server(digits, 'merchant.dynamicDataTtlMinutes').optional(),
            dynamicDataType: server(z.enum(['TAVV', 'DAVV', 'NONE']), 'merchant.dynamicDataType').optional(),
          })
          .optional(),
      }),
    )
    .min(1)
    .max(limits.arrayElements),
);

/** Types of a receipt that don't count as a payment. */
const unpaidTypes = ['REFUND', 'REVERSAL', 'VERIFICATION', 'CHARGEBACK', 'FRAUD'] as const;

const processedTypes = ['PURCHASE', 'AUTHORIZATION', 'CAPTURE', ...unpaidTypes] as const;

/** Whether a receipt of this type can prove a payment. */
export const isPaidType = (type: string): boolean => !unpaidTypes.some((unpaid) => unpaid === type);

/** What a receipt or a confirmation says of a transaction. */
interface Processed {
  readonly transactionType: string;
  readonly transactionStatus: string;
}

/** The statuses of a payment that is approved, and of one that may still be. */
const approvedStatuses: readonly string[] = ['APPROVED'];
const openStatuses: readonly string[] = ['PENDING'];

/** Whether it is a payment that was approved. */
export const isPayment = ({ transactionType, transactionStatus }: Processed): boolean =>
  approvedStatuses.includes(transactionStatus) && isPaidType(transactionType);

/** Whether it is a payment that was approved, or may still be. */
export const mayBePayment = ({ transactionType, transactionStatus }: Processed): boolean =>
  [...approvedStatuses, ...openStatuses].includes(transactionStatus) && isPaidType(transactionType);

/** The merchant's payment system's data about the processed payment. It arrives as a receipt, never from the model. */
const processorInformation = once(() =>
  z.looseObject({
    transactionType: server(z.enum(processedTypes), 'receipt.transactionType'),
    transactionStatus: server(
      z.enum(['APPROVED', 'DECLINED', 'PENDING', 'ERROR', 'CANCELLED']),
      'receipt.transactionStatus',
    ),
    responseCode: server(text, 'receipt.responseCode').optional(),
    transactionTimestamp: server(text, 'receipt.transactionTimestamp').optional(),
    approvalCode: server(text, 'receipt.approvalCode').optional(),
    retrievalReferenceNumber: server(text, 'receipt.retrievalReferenceNumber').optional(),
    systemTraceAuditNumber: server(text, 'receipt.systemTraceAuditNumber').optional(),
    acquirerReferenceNumber: server(text, 'receipt.acquirerReferenceNumber').optional(),
    entryMode: server(z.enum(['EMV', 'CONTACTLESS', 'MANUAL', 'ECOMMERCE', 'WALLET']), 'receipt.entryMode').optional(),
    dynamicDataId: server(text, 'receipt.dynamicDataId').optional(),
    amountDetail: z
      .looseObject({ totalAmount: server(amount, 'receipt.amount'), currency: server(currency, 'receipt.currency') })
      .optional(),
  }),
);

export const confirmationData = once(() =>
  z
    .array(
      z.looseObject({
        clientReferenceInformation: z.looseObject({ code: server(text, 'credentials.reference') }),
        processorInformation: processorInformation(),
        orderInformation: z
          .looseObject({
            orderId: server(text, 'receipt.orderId').optional(),
            orderStatus: server(text, 'receipt.orderStatus').optional(),
            orderDate: server(text, 'receipt.orderDate').optional(),
            expectedDeliveryDate: server(text, 'receipt.expectedDeliveryDate').optional(),
            trackingId: server(text, 'receipt.trackingId').optional(),
            carrier: server(text, 'receipt.carrier').optional(),
            amountDetail: z
              .looseObject({
                totalAmount: server(amount, 'receipt.amount'),
                currency: server(currency, 'receipt.currency'),
              })
              .optional(),
          })
          .optional(),
        merchantInformation: z
          .looseObject({
            merchantId: server(text, 'merchant.id').optional(),
            merchantName: server(text, 'merchant.name').optional(),
            categoryCode: server(text, 'merchant.categoryCode').optional(),
          })
          .optional(),
      }),
    )
    .min(1)
    .max(limits.arrayElements),
);

/** The older form of a confirmation, which the platform also accepts: the transaction as sent for credentials. */
const confirmedTransaction = once(() =>
  z.looseObject({
    clientReferenceInformation: z.looseObject({ code: text }),
    merchantInformation: z.looseObject({
      merchantName: text,
      merchantDescriptor: z.looseObject({ country, url: text }),
    }),
    orderInformation: z.looseObject({ amountDetail: z.looseObject({ totalAmount: amount, currency }) }),
    // What was paid for, or what else became of a payment.
    type: z.union([transactionType(), z.enum(processedTypes)]).optional(),
  }),
);

/** The alternative body of confirmations; the client sends `confirmationData`. */
export const confirmationByTransaction = once(() =>
  z.looseObject({
    clientCorrelationId: uuid,
    transactionData: z.array(confirmedTransaction()).min(1).max(limits.arrayElements),
  }),
);

const pendingEvents = z.array(platform(text)).max(limits.arrayElements);
/** Document 1 shows both with an enrollment. */
export const pending = once(() =>
  z.looseObject({
    clientCorrelationId: platform(text),
    status: platform(z.literal('PENDING')),
    pendingEvents,
  }),
);
/** The HTTP status says that something waits: public models require neither the word nor the events. */
export const instructionPending = once(() =>
  pending()
    .partial({ status: true, pendingEvents: true })
    .extend({ instructionId: platform(text).optional() }),
);
export const instructionDone = once(() =>
  z.looseObject({
    clientCorrelationId: platform(text),
    instructionId: platform(text),
    status: platform(z.enum(['ACTIVE', 'CANCELLED', 'PENDING', 'COMPLETED', 'EXPIRED'])).optional(),
  }),
);
