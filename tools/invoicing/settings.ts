import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { valueAt } from '../../src/core/members.ts';
import { once } from '../../src/core/once.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { logoFault } from '../../src/domains/invoicing/field-rules.ts';
import { labelKeys, settingShapes } from '../../src/domains/invoicing/shapes.ts';
import { fingerprint, quoted, spokenName } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import { untrusted } from '../../src/engine/render.ts';
import { codeShown, currencyShown } from '../../src/engine/shown.ts';
import type { Arg, ToolSpec } from '../../src/engine/tool.ts';
import { always } from '../../src/engine/tool-policy.ts';

// The tools for invoice settings.

const at = 'invoiceSettingsInformation';

/** The largest logo that an argument can hold; the platform accepts larger ones (IN-14). Four Base64 characters hold three bytes. */
const logoKilobytes = (limits.blobCharacters * 3) / 4 / 1_024;

// Checked in full, but listed as plain text.
const address = z
  .string()
  .refine((value) => settingShapes().redirect.safeParse(value).success, 'must be an http or https address');
const colour = z
  .string()
  .refine(
    (value) => settingShapes().fontColor.safeParse(value).success,
    'must be a hexadecimal colour such as "#1A2B3C"',
  );

/** Path and shape of each setting, by argument. */
const settings = {
  display_name: [`${at}.merchantDisplayName`, settingShapes().merchantDisplayName.describe('What customers call you.')],
  message: [`${at}.customEmailMessage`, settingShapes().customEmailMessage.describe('Text of e-mails.')],
  reminders: [`${at}.enableReminders`, settingShapes().enableReminders.describe('Remind before due.')],
  language: [
    `${at}.deliveryLanguage`,
    z
      .string()
      .refine((value) => settingShapes().deliveryLanguage.safeParse(value).success, `must be one of ${languages()}`)
      .describe('Such as fr-FR.'),
  ],
  currency: [
    `${at}.defaultCurrencyCode`,
    z.string().length(3, 'must be three capital letters').describe('Default, such as USD.'),
  ],
  font_color: [`${at}.headerStyle.fontColor`, colour.describe('#RRGGBB.')],
  header_color: [`${at}.headerStyle.backgroundColor`, colour.describe('#RRGGBB.')],
  logo: [
    `${at}.merchantLogo`,
    z
      .string()
      .min(1)
      .max(limits.blobCharacters)
      .superRefine((value, context) => {
        const fault = logoFault(value);
        if (fault !== null) context.addIssue({ code: 'custom', message: fault });
      })
      .describe(`Base64 gif, jpg or png up to ${logoKilobytes} KB; larger: merchant portal.`),
  ],
  show_vat: [`${at}.showVatNumber`, settingShapes().showVatNumber.describe('Show vat_number.')],
  vat_number: [
    `${at}.vatRegistrationNumber`,
    settingShapes().vatRegistrationNumber.describe('VAT registration number.'),
  ],
  save_address: [`${at}.shipTo`, settingShapes().shipTo.describe('Shipping address.')],
  save_phone: [`${at}.phoneNumber`, settingShapes().phoneNumber.describe('Phone number.')],
  save_email: [`${at}.email`, settingShapes().email.describe('E-mail address.')],
  payer_authentication: [
    `${at}.payerAuthenticationInInvoicing`,
    settingShapes().payerAuthenticationInInvoicing.describe('3-D Secure.'),
  ],
  tell_merchant: [
    `${at}.enableMerchantEmailNotifications`,
    settingShapes().enableMerchantEmailNotifications.describe('E-mail of payments.'),
  ],
  merchant_email: [`${at}.merchantEmail`, settingShapes().merchantEmail.describe('Where tell_merchant writes.')],
  accepted_url: [`${at}.customRedirectUrls.paymentAccepted`, address.describe('After a payment.')],
  rejected_url: [`${at}.customRedirectUrls.paymentRejected`, address.describe('After a rejection.')],
  pending_url: [`${at}.customRedirectUrls.paymentPending`, address.describe('While one is pending.')],
} as const;
type Setting = keyof typeof settings;
const names = Object.keys(settings) as Setting[]; // the keys of the table

type PathOf<S extends Setting> = (typeof settings)[S][0];
const setting = <S extends Setting>(name: S): Arg<PathOf<S>> => ({
  schema: settings[name][1].optional(),
  fills: [{ path: settings[name][0], value: (given) => given }],
  rule: 'IN-14',
});

const label = once(() =>
  z.strictObject({
    key: z
      .string()
      .refine((key) => labelKeys.some((one) => one === key), `must be one of ${labelKeys.join(', ')}`)
      .describe('Such as billTo, discount, tax.'),
    text: z.string().min(1).max(limits.textCharacters).describe('Shown instead.').optional(),
    hidden: z.boolean().describe('Everywhere.').optional(),
    hidden_for_invoice: z.boolean().describe('On invoices.').optional(),
    hidden_for_item: z.boolean().describe('On itemized invoices.').optional(),
  }),
);
type Label = z.output<ReturnType<typeof label>>;

const labelled = ({ key, text, hidden, hidden_for_invoice, hidden_for_item }: Label) => ({
  key,
  ...(text === undefined ? {} : { value: text }),
  ...(hidden === undefined ? {} : { hidden }),
  ...(hidden_for_invoice === undefined ? {} : { hiddenForInvoice: hidden_for_invoice }),
  ...(hidden_for_item === undefined ? {} : { hiddenForItem: hidden_for_item }),
});

const settingsShown = once(() =>
  z.looseObject({
    ...{ display_name: z.string().optional(), currency: currencyShown.optional(), language: codeShown.optional() },
    ...{ reminders: z.boolean().optional(), payer_authentication: z.boolean().optional() },
  }),
);

interface Answer {
  readonly body: {
    readonly invoiceSettingsInformation: {
      readonly payerAuthentication3DSVersion?: boolean | undefined;
      readonly merchantLogo?: string | undefined;
      readonly customLabels?:
        | readonly {
            readonly key: string;
            readonly value?: string | undefined;
            readonly hidden?: boolean | undefined;
            readonly hiddenForInvoice?: boolean | undefined;
            readonly hiddenForItem?: boolean | undefined;
          }[]
        | undefined;
    };
  };
}

/** Settings by argument name. A logo is only reported as present. */
function showSettings(_: unknown, __: unknown, { body }: Answer) {
  const { customLabels = [], merchantLogo, payerAuthentication3DSVersion } = body.invoiceSettingsInformation;
  const plain = names
    .filter((name) => name !== 'logo' && name !== 'payer_authentication')
    .map((name) => [name, valueAt(body, settings[name][0].split('.'))] as const)
    .filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(plain.map(([name, value]) => [name, typeof value === 'string' ? untrusted(value) : value])),
    payer_authentication: payerAuthentication3DSVersion ?? false,
    logo: merchantLogo !== undefined && merchantLogo !== '',
    ...(customLabels.length === 0 ? {} : { labels: customLabels.map(showLabel) }),
  };
}

const showLabel = ({
  key,
  value,
  hidden,
  hiddenForInvoice,
  hiddenForItem,
}: NonNullable<Answer['body']['invoiceSettingsInformation']['customLabels']>[number]) => ({
  key: untrusted(key),
  ...(value === undefined ? {} : { text: untrusted(value) }),
  ...(hidden === undefined ? {} : { hidden }),
  ...(hiddenForInvoice === undefined ? {} : { hidden_for_invoice: hiddenForInvoice }),
  ...(hiddenForItem === undefined ? {} : { hidden_for_item: hiddenForItem }),
});

export const getInvoiceSettings: ToolSpec<'getInvoiceSettings'> = {
  description: 'Read the settings for how invoices, their e-mails and their payment page look.',
  input: {
    args: () => ({}),
  },
  observe: {
    observations: () => [],
  },
  present: {
    messages: { done: 'These are the settings.' },
    next: { '': { tools: ['update_invoice_settings'], because: 'Settings are read in order to change them.' } },
    outputSchema: settingsShown,
    toOutput: showSettings,
  },
};

export const updateInvoiceSettings: ToolSpec<'updateInvoiceSettings'> = {
  description: 'Change how every invoice, e-mail and payment page looks. Give only what changes. A person approves it.',
  input: {
    args: () => ({
      display_name: setting('display_name'),
      message: setting('message'),
      reminders: setting('reminders'),
      language: setting('language'),
      currency: setting('currency'),
      font_color: setting('font_color'),
      header_color: setting('header_color'),
      logo: { ...setting('logo'), approvalText: (_, [sent]) => `another picture, ${fingerprint(sent)}` },
      show_vat: setting('show_vat'),
      vat_number: setting('vat_number'),
      save_address: setting('save_address'),
      save_phone: setting('save_phone'),
      save_email: setting('save_email'),
      payer_authentication: setting('payer_authentication'),
      tell_merchant: setting('tell_merchant'),
      merchant_email: setting('merchant_email'),
      accepted_url: setting('accepted_url'),
      rejected_url: setting('rejected_url'),
      pending_url: setting('pending_url'),
      labels: {
        schema: z
          .array(label())
          .refine(({ length }) => length >= 1 && length <= labelKeys.length, 'must name a label, and each once')
          .describe('Words on the payment page.')
          .optional(),
        fills: [
          {
            path: `${at}.customLabels[]`,
            value: (given) => (given as readonly Label[] | undefined)?.map(labelled), // by the tool's shape
          },
        ],
        rule: 'IN-14',
      },
      reset: {
        schema: z
          .array(z.string().refine((name) => names.some((one) => one === name), 'must be the name of a setting'))
          .refine(({ length }) => length >= 1 && length <= names.length, 'must name a setting, and each once')
          .optional()
          .describe('Back to default.'),
        fills: names.map((name) => ({
          path: settings[name][0],
          // An empty value resets a setting.
          value: (given: unknown) => ((given as readonly string[] | undefined)?.includes(name) ? '' : undefined),
        })),
        approvalText: (given) => (given as readonly string[]).join(', '), // by the tool's shape
        rule: 'IN-14',
      },
    }),
  },
  policy: {
    externalEffect: true,
    lockKey: () => 'invoice settings',
    approval: {
      // Each setting affects every future invoice, or who receives the merchant's e-mails.
      needed: always,
      title: () => 'Allow the agent to change how every invoice looks, and where it leads',
      text: ({ args, merchant }) => [`Merchant: ${quoted(merchant.name)}`, ...disguised(args)],
    },
  },
  observe: {
    observations: () => [],
  },
  present: {
    messages: { done: 'The settings are changed, for every invoice.' },
    next: { '': { tools: ['get_invoice_settings'], because: 'The answer shows some of the settings, not all.' } },
    outputSchema: settingsShown,
    toOutput: showSettings,
  },
};

/** The real hosts of addresses that disguise them. */
const disguised = (args: Facts['args']): readonly string[] =>
  (['accepted_url', 'rejected_url', 'pending_url'] as const).flatMap((name) => {
    const address = String(args[name] ?? '');
    const host = hostOf(address);
    return args[name] === undefined || address.toLowerCase().split('/')[2] === host
      ? []
      : [`${spokenName(name)} leads to: ${host}`];
  });

function languages(): string {
  return settingShapes().deliveryLanguage.options.join(', ');
}
