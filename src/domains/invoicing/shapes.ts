import { z } from 'zod';
import { amount, currency, customer, digits, fixed, model, server, text, under, url } from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { isNaming } from '../../core/operation.ts';
import { dueDate, expirationDate } from './dates.ts';
import { invoiceFaults, labelFaults, logoFault } from './field-rules.ts';

// Schemas of document 2, "Invoice" and "Invoice settings", completed from public models of the platform's clients.
// Objects are loose, because real clients and the platform may send more.

/** A percentage as decimal text: `8.25`. */
export const percent = z
  .string()
  .regex(/^(100(\.0{1,4})?|\d{1,2}(\.\d{1,4})?)$/, 'must be a percentage such as "8.25"');
/** The number of an invoice is a name in its address, too (D-153). */
const invoiceNumber = text.refine(isNaming, 'must be one line of text, and more than dots');
const email = z.email().max(limits.textCharacters);

/**
 * Fields that document 2 lists as numbers. It also says that requests send amounts as text, which Purser does; both are accepted, and
 * text is kept.
 */
const orNumber = <S extends z.ZodType<string>>(schema: S) =>
  z.preprocess((given) => (typeof given === 'number' ? String(given) : given), schema);

/** A field that the model may author and that customers see on the invoice, in its e-mail or on its payment page. */
const shown = <S extends z.ZodType>(schema: S): S => customer(model(schema));

const lineItem = once(() =>
  z.looseObject({
    productSku: under('IN-04', shown(text)),
    productName: under('IN-04', shown(text)),
    quantity: under('IN-04', shown(z.int().min(1).max(limits.itemQuantityElements))),
    unitPrice: under('IN-04', shown(amount)),
    totalAmount: under('IN-04', shown(amount)),
    discountAmount: shown(amount).optional(),
    discountRate: shown(percent).optional(),
    discountPercent: shown(percent).optional(),
    taxAmount: shown(amount).optional(),
    taxRate: shown(percent).optional(),
  }),
);

const customerInformation = once(() =>
  z.looseObject({
    name: shown(text).optional(),
    email: shown(email).optional(),
    merchantCustomerId: shown(text).optional(),
    company: z.looseObject({ name: shown(text).optional() }).optional(),
  }),
);

const processingInformation = once(() =>
  z.looseObject({
    requestPhone: shown(z.boolean()).optional(),
    requestShipping: shown(z.boolean()).optional(),
  }),
);

const invoiceTerms = once(() => ({
  transactionReferenceNumber: shown(text).optional(),
  description: shown(text).optional(),
  dueDate: under('IN-02', shown(dueDate)),
  expirationDate: under('IN-12', shown(expirationDate)).optional(),
  allowPartialPayments: shown(z.boolean()).optional(),
  deliveryMode: under('IN-02', model(z.enum(['email', 'none']))),
}));

const orderInformation = once(() =>
  z.looseObject({
    amountDetails: z.looseObject({
      totalAmount: under('IN-02', shown(amount)),
      currency: under('IN-02', shown(currency)),
      subAmount: shown(orNumber(amount)).optional(),
      discountAmount: shown(orNumber(amount)).optional(),
      discountPercent: shown(orNumber(percent)).optional(),
      minimumPartialAmount: shown(orNumber(amount)).optional(),
      taxDetails: z
        .looseObject({
          type: shown(text).optional(),
          amount: shown(amount).optional(),
          rate: shown(percent).optional(),
        })
        .optional(),
      freight: z
        .looseObject({
          amount: shown(amount).optional(),
          taxable: shown(z.boolean()).optional(),
          taxRate: shown(percent).optional(),
        })
        .optional(),
    }),
    lineItems: z.array(lineItem()).max(limits.invoiceLineElements).optional(),
  }),
);

const merchantDefinedFieldValues = once(() =>
  z
    .array(z.looseObject({ definitionId: shown(z.int().positive()), value: shown(text) }))
    .max(limits.arrayElements)
    .optional(),
);

/** Who created an invoice, for partners of the platform. */
const partnerReference = once(() =>
  z.looseObject({
    partner: z
      .looseObject({
        developerId: server(text, 'merchant.developerId').optional(),
        solutionId: server(text, 'merchant.solutionId').optional(),
      })
      .optional(),
  }),
);

export const newInvoice = once(() =>
  z
    .looseObject({
      clientReferenceInformation: partnerReference().optional(),
      customerInformation: customerInformation().optional(),
      processingInformation: processingInformation().optional(),
      invoiceInformation: z.looseObject({
        invoiceNumber: under('IN-07', server(invoiceNumber, 'reference')).optional(),
        ...invoiceTerms(),
        sendImmediately: under('IN-02', model(z.boolean())),
      }),
      orderInformation: orderInformation(),
      merchantDefinedFieldValues: merchantDefinedFieldValues(),
    })
    .superRefine((body, context) => invoiceFaults(body, context, body.invoiceInformation.sendImmediately)),
);

/** An update sends every field again; a missing one is removed. */
export const changedInvoice = once(() =>
  z
    .looseObject({
      clientReferenceInformation: partnerReference().optional(),
      customerInformation: customerInformation().optional(),
      processingInformation: processingInformation().optional(),
      invoiceInformation: z.looseObject({
        invoiceNumber: under('IN-07', server(text, 'invoice.invoiceId')).optional(),
        ...invoiceTerms(),
        sendImmediately: server(z.boolean(), 'invoice.sendImmediately').optional(),
      }),
      orderInformation: orderInformation(),
      merchantDefinedFieldValues: merchantDefinedFieldValues(),
    })
    .superRefine((body, context) => invoiceFaults(body, context, false)),
);

/** The states that a list can be filtered by. */
const invoiceStatus = z.enum(['DRAFT', 'CREATED', 'SENT', 'PARTIAL', 'PAID', 'PENDING', 'CANCELED', 'EXPIRED']);

/** Numbers are text there. Public models require both. */
export const invoicePage = once(() =>
  z.looseObject({
    offset: model(digits),
    limit: model(z.string().regex(/^([1-9]\d?|100)$/, `must be from 1 to ${limits.invoiceRowsMost}`)),
    status: model(invoiceStatus).optional(),
  }),
);

// Settings. A field without a value is reset to its default, except labels.

/** The labels of the payment page that can be renamed. */
export const labelKeys = [
  'billTo',
  'companyName',
  'customerId',
  'description',
  'discount',
  'invoiceNumber',
  'partialPayment',
  'shipping',
  'tax',
] as const;

export const settingShapes = once(
  () =>
    ({
      merchantDisplayName: text,
      customEmailMessage: text,
      enableReminders: z.boolean(),
      // Colours have six digits (D-113).
      fontColor: z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must be a hexadecimal colour such as "#1A2B3C"'),
      backgroundColor: z.string().regex(/^#[0-9A-Fa-f]{6}$/, 'must be a hexadecimal colour such as "#1A2B3C"'),
      deliveryLanguage: z.enum(['zh-CN', 'zh-TW', 'en-US', 'fr-FR', 'de-DE', 'ja-JP', 'pt-BR', 'ru-RU', 'es-419']),
      defaultCurrencyCode: currency,
      payerAuthenticationInInvoicing: z.enum(['enable', 'update', 'disable']),
      showVatNumber: z.boolean(),
      vatRegistrationNumber: text,
      shipTo: z.boolean(),
      phoneNumber: z.boolean(),
      email: z.boolean(),
      enableMerchantEmailNotifications: z.boolean(),
      merchantEmail: email,
      redirect: url,
    }) as const,
);

const setting = <S extends z.ZodType>(schema: S) => customer(merchantSetting(schema));
/** A setting that customers don't see. */
const merchantSetting = <S extends z.ZodType>(schema: S) =>
  under('IN-14', model(z.union([schema, z.literal(''), z.null()]))).optional();

/** Base64 of an image, checked as a whole because it is long. */
const logo = once(() =>
  z.string().superRefine((value, context) => {
    const fault = logoFault(value);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  }),
);

export const invoiceSettings = once(() =>
  z.looseObject({
    invoiceSettingsInformation: z.looseObject({
      merchantLogo: under('IN-14', shown(z.union([logo(), z.null()]))).optional(),
      merchantDisplayName: setting(settingShapes().merchantDisplayName),
      customEmailMessage: setting(settingShapes().customEmailMessage),
      enableReminders: setting(settingShapes().enableReminders),
      headerStyle: z
        .looseObject({
          fontColor: setting(settingShapes().fontColor),
          backgroundColor: setting(settingShapes().backgroundColor),
        })
        .nullable()
        .optional(),
      deliveryLanguage: setting(settingShapes().deliveryLanguage),
      defaultCurrencyCode: setting(settingShapes().defaultCurrencyCode),
      payerAuthenticationInInvoicing: setting(settingShapes().payerAuthenticationInInvoicing),
      showVatNumber: setting(settingShapes().showVatNumber),
      vatRegistrationNumber: setting(settingShapes().vatRegistrationNumber),
      shipTo: setting(settingShapes().shipTo),
      phoneNumber: setting(settingShapes().phoneNumber),
      email: setting(settingShapes().email),
      enableMerchantEmailNotifications: merchantSetting(settingShapes().enableMerchantEmailNotifications),
      merchantEmail: merchantSetting(settingShapes().merchantEmail),
      customLabels: z
        .array(
          z
            .looseObject({
              key: under('IN-14', shown(z.enum(labelKeys))),
              value: setting(text),
              hidden: setting(z.boolean()),
              hiddenForInvoice: setting(z.boolean()),
              hiddenForItem: setting(z.boolean()),
            })
            .superRefine(labelFaults),
        )
        .max(labelKeys.length)
        .optional(),
      customRedirectUrls: z
        .looseObject({
          paymentAccepted: setting(settingShapes().redirect),
          paymentRejected: setting(settingShapes().redirect),
          paymentPending: setting(settingShapes().redirect),
        })
        .nullable()
        .optional(),
    }),
  }),
);

export const settingsProduct = once(() => z.looseObject({ productType: fixed('INVOICING') }));

/** The platform also responds without it: real clients omit it. */
export const settingsProductToRead = once(() => z.looseObject({ productType: fixed('INVOICING').optional() }));
