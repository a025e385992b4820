import { z } from 'zod';
import {
  amount,
  blob,
  currency,
  customer,
  digits,
  model,
  platform,
  server,
  text,
  under,
  word,
} from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { periodUnits } from '../../core/schedule.ts';

// Schemas of document 2, "Plan", "Subscription" and "Subscription payment record", completed from public models of the
// platform's clients. Objects are loose, because real clients and the platform may send more.

/** PL-01 and SB-03: the same format for plans and subscriptions. */
const code = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9.-]{1,${limits.billingCodeCharacters}}$`),
    `must be at most ${limits.billingCodeCharacters} letters, digits, "-" and "."`,
  );
export const planCode = under('PL-01', model(code));
export const subscriptionCode = under('SB-03', model(code));

/** Whole numbers are text on the wire. */
const whole = z.string().regex(/^[1-9]\d{0,3}$/, 'must be text holding a whole number from 1 to 9999');
/** The document prints lower case in requests and upper case in responses; both are accepted. */
const unit = z.enum([...periodUnits, 'd', 'w', 'm', 'y'], `must be one of ${periodUnits.join(', ')}`);

export const billingPeriod = once(() =>
  z.looseObject({
    length: under('PL-02', model(whole)),
    unit: under('PL-02', model(unit)),
  }),
);
/** A change of a billing period: the part that is left out stays as it is. */
export const changedPeriod = once(() => billingPeriod().partial());
export const billingCycles = once(() => z.looseObject({ total: under('PL-02', model(whole)).optional() }));

/** Optional in an amendment or an override, required in a new plan. */
export const planAmounts = once(() => ({
  currency: under('PL-02', model(currency)),
  billingAmount: under('PL-02', model(amount)),
  setupFee: model(amount).optional(),
}));
/** One without an amount charges nothing (D-152). */
const surcharge = once(() =>
  z.looseObject({ amount: model(amount).optional(), description: customer(model(text)).optional() }),
);

/** The amounts of a plan, each of which a call may leave as it is. */
export const someAmounts = once(() => ({
  currency: planAmounts().currency.optional(),
  billingAmount: planAmounts().billingAmount.optional(),
  setupFee: planAmounts().setupFee,
}));

/** What a subscription may override, or needs itself if it has no plan. */
export const overrides = once(() => ({
  planInformation: z
    .looseObject({ billingPeriod: changedPeriod().optional(), billingCycles: billingCycles().optional() })
    .optional(),
  orderInformation: z
    .looseObject({
      amountDetails: z.looseObject({ ...someAmounts(), surcharge: surcharge().optional() }).optional(),
    })
    .optional(),
}));

/** The card networks that require the authorized amount of the original transaction (SB-06, D-21). */
const networksWithAmount: readonly string[] = ['DISCOVER', 'DINERS CLUB'];
export const needsOriginalAmount = (network: string | undefined): boolean =>
  networksWithAmount.includes((network ?? '').trim().toUpperCase());

/** Real clients send a partner here, without a code. */
export const clientReferenceInformation = once(() => z.looseObject({ code: server(text, 'reference').optional() }));

export const subscriptionInformation = once(() =>
  z.looseObject({
    code: subscriptionCode.optional(),
    planId: server(text, 'plan.planId').optional(),
    name: under('SB-01', customer(model(text))),
    startDate: under('SB-01', model(z.iso.datetime('must be an ISO 8601 date-time in UTC'))),
    originalTransactionId: model(text).optional(),
    originalTransactionAuthorizedAmount: under('SB-06', model(amount)).optional(),
  }),
);

export const changedTerms = once(() => ({
  planInformation: z.looseObject({ billingCycles: billingCycles().optional() }).optional(),
  orderInformation: z
    .looseObject({
      amountDetails: z
        .looseObject({
          billingAmount: planAmounts().billingAmount.optional(),
          setupFee: planAmounts().setupFee,
          surcharge: surcharge().optional(),
        })
        .optional(),
    })
    .optional(),
}));

// Queries. Numbers are text there.

const rows = model(z.string().regex(/^([1-9]\d?|100)$/, `must be from 1 to ${limits.billingRowsMost}`));
export const paging = once(() => ({ offset: model(digits).optional(), limit: rows.optional() }));
export const planPaging = once(() => ({ ...paging(), limit: under('PL-12', rows).optional() }));

const term = '(name|code|status):[^:]+';
const terms = new RegExp(`^${term}( AND ${term})*$`);
export const filters = under(
  'PL-12',
  model(
    z
      .string()
      .max(limits.textCharacters)
      .refine((given) => terms.test(given), 'must be terms such as name:Gold joined by AND'),
  ),
);
export const planStatus = z.enum(['DRAFT', 'ACTIVE', 'INACTIVE']);
export const subscriptionStatus = z.enum([
  'PENDING',
  'ACTIVE',
  'FAILED',
  'COMPLETED',
  'DELINQUENT',
  'SUSPENDED',
  'CANCELLED',
]);
export const boolean = z.enum(['true', 'false']);

// Responses.

/** A link of a list repeats the list's filters. */
const link = once(() => z.looseObject({ href: platform(blob), method: platform(text).optional() }));
const links = (...names: readonly string[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, link().optional()]))).optional();
const submitTimeUtc = platform(text).optional();

/** What a change that was made is answered with: public models know others, which say that nothing has changed, or not yet. */
const completed = platform(z.enum(['COMPLETED']));
const changed = (part: string) =>
  z.looseObject({
    id: platform(text),
    submitTimeUtc,
    status: completed,
    [part]: z.looseObject({ code: platform(text).optional(), status: platform(word) }),
  });

export const planDone = once(() =>
  z.looseObject({
    _links: links('self', 'update', 'activate', 'deactivate'),
    ...changed('planInformation').shape,
    planInformation: z.looseObject({ code: platform(text).optional(), status: platform(word) }),
  }),
);

const periodShown = once(() => z.looseObject({ length: platform(text), unit: platform(word) }));
const amountsShown = once(() =>
  z.looseObject({
    currency: platform(text),
    billingAmount: platform(text),
    setupFee: platform(text).optional(),
  }),
);

const planShown = once(() => ({
  id: platform(text),
  planInformation: z.looseObject({
    code: platform(text).optional(),
    status: platform(word),
    name: platform(z.string()).optional(),
    description: platform(z.string()).optional(),
    billingPeriod: periodShown(),
    billingCycles: z.looseObject({ total: platform(text).optional() }).optional(),
  }),
  orderInformation: z.looseObject({ amountDetails: amountsShown() }),
}));

export const planAnswer = once(() => z.looseObject({ _links: links('self'), submitTimeUtc, ...planShown() }));
export const plansAnswer = once(() =>
  z.looseObject({
    _links: links('self', 'next', 'previous'),
    submitTimeUtc,
    totalCount: platform(z.int().nonnegative()),
    plans: z.array(z.looseObject({ _links: links('self'), ...planShown() })),
  }),
);
export const codeAnswer = once(() => z.looseObject({ code: platform(text), submitTimeUtc }));
export const deletedAnswer = once(() => z.looseObject({ submitTimeUtc, status: completed }));

/**
 * The response to a change of a subscription. Status declined, invalid or under review means that nothing has changed
 * yet.
 */
export const subscriptionDone = (...also: readonly string[]) =>
  z.looseObject({
    _links: links('self', ...also),
    id: platform(text),
    submitTimeUtc,
    status: platform(z.enum(['COMPLETED', 'ACCEPTED'])),
    subscriptionInformation: z.looseObject({ code: platform(text).optional(), status: platform(word) }),
  });
export const subscriptionCreated = once(() =>
  z.looseObject({
    ...subscriptionDone('update', 'cancel', 'suspend', 'activate').shape,
    status: platform(z.enum(['COMPLETED', 'DECLINED'])),
    clientReferenceInformation: z.looseObject({ code: platform(text).optional() }).optional(),
  }),
);

const moves = ['self', 'cancel', 'suspend', 'activate'];
const subscriptionShown = once(() => ({
  id: platform(text),
  planInformation: z.looseObject({
    code: platform(text).optional(),
    name: platform(z.string()).optional(),
    billingPeriod: periodShown(),
    billingCycles: z.looseObject({ total: platform(text).optional(), current: platform(text).optional() }).optional(),
  }),
  subscriptionInformation: z.looseObject({
    code: platform(text).optional(),
    planId: platform(text).optional(),
    name: platform(z.string()),
    startDate: platform(text),
    status: platform(word),
  }),
  paymentInformation: z
    .looseObject({ customer: z.looseObject({ id: platform(text).optional() }).optional() })
    .optional(),
  orderInformation: z.looseObject({
    amountDetails: z.looseObject({
      ...amountsShown().shape,
      surcharge: z
        .looseObject({ amount: platform(text).optional(), description: platform(z.string()).optional() })
        .optional(),
    }),
    billTo: z
      .looseObject({ firstName: platform(z.string()).optional(), lastName: platform(z.string()).optional() })
      .optional(),
  }),
  clientReferenceInformation: z.looseObject({ code: platform(text).optional() }).optional(),
}));

export const subscriptionAnswer = once(() =>
  z.looseObject({
    _links: links(...moves),
    submitTimeUtc,
    ...subscriptionShown(),
    reactivationInformation: z
      .looseObject({
        missedPaymentsCount: platform(text).optional(),
        missedPaymentsTotalAmount: platform(text).optional(),
      })
      .optional(),
  }),
);
export const subscriptionsAnswer = once(() =>
  z.looseObject({
    _links: links('self', 'next', 'previous'),
    submitTimeUtc,
    totalCount: platform(z.int().nonnegative()),
    subscriptions: z.array(z.looseObject({ _links: links(...moves), ...subscriptionShown() })),
  }),
);

const cycles = z.array(platform(z.int().positive()));
export const paymentsAnswer = once(() =>
  z.looseObject({
    _links: links('self', 'next', 'prev', 'update'),
    submitTimeUtc,
    totalCount: platform(z.int().nonnegative()),
    cyclesCompletedCount: z.looseObject({ paid: platform(z.int().nonnegative()) }),
    billingCyclesToSkip: cycles,
    subscriptionPayment: z.array(
      z.looseObject({
        id: platform(text).optional(),
        status: platform(word),
        paymentType: platform(text),
        transactionID: platform(text).optional(),
        date: platform(text),
        currency: platform(text),
        billingStartDate: platform(text).optional(),
        billingEndDate: platform(text).optional(),
        billingCycle: platform(digits),
        paymentNumber: platform(text).optional(),
        billingAmount: platform(text),
        setupFee: platform(text).optional(),
        surchargeAmount: platform(text).optional(),
        surchargeDescription: platform(z.string()).optional(),
        modifiable: platform(z.boolean()),
      }),
    ),
  }),
);
export const cyclesToSkip = z.array(under('SB-14', model(z.int().positive()))).max(limits.arrayElements);
export const skippedAnswer = once(() =>
  z.looseObject({
    _links: links('self', 'update'),
    submitTimeUtc,
    status: completed,
    billingCyclesToSkip: cycles,
  }),
);

/** The data of a payment that a subscription can follow. Only the card data that may be shown is read. */
export const followOnAnswer = once(() =>
  z.looseObject({
    _links: links('self', 'create'),
    buyerInformation: z
      .looseObject({ merchantCustomerID: platform(text).optional(), email: platform(z.string()).optional() })
      .optional(),
    paymentInstrument: z
      .looseObject({
        id: platform(text).optional(),
        card: z
          .looseObject({
            expirationMonth: platform(text).optional(),
            expirationYear: platform(text).optional(),
            type: platform(text).optional(),
          })
          .optional(),
        billTo: z
          .looseObject({ firstName: platform(z.string()).optional(), lastName: platform(z.string()).optional() })
          .optional(),
      })
      .optional(),
    shippingAddress: z.looseObject({ id: platform(text).optional() }).optional(),
  }),
);
