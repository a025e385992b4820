import { z } from 'zod';
import { platform, text, word } from '../../core/fields.ts';
import { once } from '../../core/once.ts';

// The platform's responses about invoices: document 2, "Invoice", and public models of the platform's clients.

/** The document prints response amounts as numbers, public models as text. Both are read. */
const sum = platform(z.union([z.number(), text]));
const words = platform(z.string());
const flag = platform(z.boolean());

const link = once(() => z.looseObject({ href: platform(text), method: platform(text).optional() }));
const links = once(() =>
  z
    .looseObject({
      self: link().optional(),
      update: link().optional(),
      deliver: link().optional(),
      cancel: link().optional(),
    })
    .optional(),
);

const customLabels = once(() =>
  z
    .array(
      z.looseObject({
        key: words,
        value: words.optional(),
        hidden: flag.optional(),
        hiddenForInvoice: flag.optional(),
        hiddenForItem: flag.optional(),
      }),
    )
    .optional(),
);

const customerInformation = once(() =>
  z
    .looseObject({
      name: words.optional(),
      email: words.optional(),
      merchantCustomerId: words.optional(),
      company: z.looseObject({ name: words.optional() }).optional(),
    })
    .optional(),
);

const orderInformation = once(() =>
  z.looseObject({
    amountDetails: z.looseObject({
      totalAmount: sum,
      currency: platform(text),
      balanceAmount: sum.optional(),
      discountAmount: sum.optional(),
      discountPercent: sum.optional(),
      subAmount: sum.optional(),
      minimumPartialAmount: sum.optional(),
      taxDetails: z.looseObject({ type: words.optional(), amount: sum.optional(), rate: sum.optional() }).optional(),
      freight: z.looseObject({ amount: sum.optional(), taxable: flag.optional(), taxRate: sum.optional() }).optional(),
    }),
    lineItems: z
      .array(
        z.looseObject({
          productSku: words,
          productName: words,
          quantity: platform(z.number()),
          unitPrice: sum,
          totalAmount: sum,
          discountAmount: sum.optional(),
          discountRate: sum.optional(),
          discountPercent: sum.optional(),
          taxAmount: sum.optional(),
          taxRate: sum.optional(),
        }),
      )
      .optional(),
  }),
);

const whole = once(() => ({
  _links: links(),
  id: platform(text),
  submitTimeUtc: platform(text).optional(),
  status: platform(word),
  customerInformation: customerInformation(),
  processingInformation: z.looseObject({ requestPhone: flag.optional(), requestShipping: flag.optional() }).optional(),
  invoiceInformation: z.looseObject({
    invoiceNumber: platform(text).optional(),
    transactionReferenceNumber: words.optional(),
    description: words.optional(),
    dueDate: platform(text),
    expirationDate: platform(text).optional(),
    allowPartialPayments: flag.optional(),
    paymentLink: platform(text).optional(),
    deliveryMode: platform(text),
    customLabels: customLabels(),
  }),
  orderInformation: orderInformation(),
  merchantDefinedFieldValuesWithDefinition: z
    .array(
      z.looseObject({
        mdfValueId: words.optional(),
        referenceType: words.optional(),
        label: words.optional(),
        fieldType: words.optional(),
        customerVisible: flag.optional(),
        readOnly: flag.optional(),
        textMinLength: platform(z.number()).optional(),
        textMaxLength: platform(z.number()).optional(),
        textDefaultValue: words.optional(),
        possibleValues: words.optional(),
        value: words,
        position: platform(z.number()).optional(),
        definitionId: platform(z.number()),
        merchantDefinedDataIndex: platform(z.number()).optional(),
      }),
    )
    .optional(),
}));

/** An invoice after it was created or updated. */
export const invoiceAnswer = once(() => z.looseObject(whole()));
export type InvoiceAnswer = z.output<ReturnType<typeof invoiceAnswer>>;

/** For sending and cancelling, the document guarantees only a time and a status. */
export const invoiceMoved = once(() =>
  z.looseObject({
    ...whole(),
    id: whole().id.optional(),
    invoiceInformation: whole().invoiceInformation.partial().optional(),
    orderInformation: orderInformation().partial().optional(),
  }),
);

export const invoiceWithHistory = once(() =>
  z.looseObject({
    ...whole(),
    invoiceHistory: z
      .array(
        z.looseObject({
          event: platform(text),
          date: platform(text),
          transactionDetails: z
            .looseObject({ transactionId: platform(text).optional(), amount: sum.optional() })
            .optional(),
        }),
      )
      .optional(),
  }),
);

export type InvoiceWithHistory = z.output<ReturnType<typeof invoiceWithHistory>>;

export const invoicesAnswer = once(() =>
  z.looseObject({
    _links: links(),
    submitTimeUtc: platform(text).optional(),
    totalInvoices: platform(z.int().nonnegative()),
    invoices: z.array(
      z.looseObject({
        _links: links(),
        id: platform(text),
        status: platform(word),
        createdDate: platform(text).optional(),
        customerInformation: z.looseObject({ name: words.optional(), merchantCustomerId: words.optional() }).optional(),
        invoiceInformation: z.looseObject({ dueDate: platform(text), expirationDate: platform(text).optional() }),
        orderInformation: z.looseObject({
          amountDetails: z.looseObject({ totalAmount: sum, currency: platform(text) }),
        }),
      }),
    ),
  }),
);

export const settingsAnswer = once(() =>
  z.looseObject({
    submitTimeUtc: platform(text).optional(),
    invoiceSettingsInformation: z.looseObject({
      merchantLogo: words.optional(),
      merchantDisplayName: words.optional(),
      customEmailMessage: words.optional(),
      enableReminders: flag.optional(),
      headerStyle: z.looseObject({ fontColor: words.optional(), backgroundColor: words.optional() }).optional(),
      deliveryLanguage: words.optional(),
      defaultCurrencyCode: words.optional(),
      payerAuthentication3DSVersion: flag.optional(),
      showVatNumber: flag.optional(),
      vatRegistrationNumber: words.optional(),
      shipTo: flag.optional(),
      phoneNumber: flag.optional(),
      email: flag.optional(),
      enableMerchantEmailNotifications: flag.optional(),
      merchantEmail: words.optional(),
      customLabels: customLabels(),
      customRedirectUrls: z
        .looseObject({
          paymentAccepted: words.optional(),
          paymentRejected: words.optional(),
          paymentPending: words.optional(),
        })
        .optional(),
    }),
    merchantInformation: z
      .looseObject({
        name: words.optional(),
        phone: words.optional(),
        addressDetails: z
          .looseObject({
            address1: words.optional(),
            address2: words.optional(),
            city: words.optional(),
            state: words.optional(),
            country: words.optional(),
            postalCode: words.optional(),
          })
          .optional(),
      })
      .optional(),
  }),
);
