import { z } from 'zod';
import { platform, text, url } from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { operation } from '../../core/operation.ts';
import { webhooksError } from './errors.ts';
import { retryPolicy, webhookSubscription, webhookTerms } from './shapes.ts';

// What else the platform does with webhook subscriptions: public models of its clients. The merchant's people and systems call it;
// no tool of Purser's does.

/** A figure of a retry policy, as a number or as text. */
const figure = (most: number) =>
  z.union(
    [
      z.int().min(0).max(most),
      z
        .string()
        .regex(/^\d{1,6}$/)
        .refine((it) => Number(it) <= most),
    ],
    `must be a whole number up to ${most}`,
  );
const minutes = figure(limits.webhookRetryMinutes).optional();
const times = figure(limits.webhookRetryAttempts).optional();

const newRetryPolicy = once(() =>
  retryPolicy().extend({
    algorithm: z.enum(['ARITHMETIC', 'GEOMETRIC']).optional(),
    ...{ firstRetry: minutes, interval: minutes, numberOfRetries: times },
    deactivateFlag: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
    ...{ repeatSequenceCount: times, repeatSequenceWaitTime: minutes },
  }),
);

/** Public models name three types of security. Real clients write them in capitals, too. */
const securityPolicy = once(() =>
  webhookTerms()
    .securityPolicy.unwrap()
    .extend({
      securityType: z
        .string()
        .regex(/^(key|oauth|oauth_jwt)$/i, 'must be key, oAuth or oAuth_JWT')
        .optional(),
    }),
);

const products = once(() =>
  z
    .array(z.looseObject({ productId: text, eventTypes: z.array(text).min(1).max(50) }))
    .min(1)
    .max(50),
);

/** Without a retry policy, which a change can't change. */
const terms = once(() => {
  const { retryPolicy: _, ...told } = webhookTerms();
  return z.looseObject({
    ...told,
    products: products(),
    webhookUrl: url,
    healthCheckUrl: url.optional(),
    notificationScope: z.enum(['SELF', 'DESCENDANTS']).optional(),
    securityPolicy: securityPolicy().optional(),
  });
});
export type WebhookTerms = z.output<ReturnType<typeof terms>>;

export const newWebhook = once(() => terms().extend({ retryPolicy: newRetryPolicy().optional() }));
export type NewWebhook = z.output<ReturnType<typeof newWebhook>>;

/** A change leaves out what stays. */
const changedWebhook = once(() => terms().partial());

export const webhookStatuses = ['ACTIVE', 'INACTIVE'] as const;
const webhookStatus = once(() => z.looseObject({ status: z.enum(webhookStatuses) }));

const nothing = z.undefined();
const wholeSubscription = once(() => webhookSubscription().extend({ updatedOn: platform(text).optional() }));

const product = once(() =>
  z.looseObject({
    productId: platform(text),
    productName: platform(text).optional(),
    eventTypes: z.array(
      z.looseObject({
        eventName: platform(text),
        displayName: platform(text).optional(),
        frequency: platform(z.number()).optional(),
        timeSensitivity: platform(z.boolean()).optional(),
        payloadEncryption: platform(z.boolean()).optional(),
      }),
    ),
  }),
);

const reference = z.looseObject({ code: text.optional() }).optional();

/** The key that deliveries are signed with: the platform makes it, or the merchant stores its own. Public models require nothing. */
const newKey = once(() =>
  z.looseObject({
    clientReferenceInformation: reference,
    clientRequestAction: z.enum(['CREATE', 'STORE']).optional(),
    keyInformation: z
      .looseObject({
        ...{ provider: text.optional(), tenant: text.optional(), keyType: text.optional() },
        ...{ organizationId: text.optional(), clientKeyId: text.optional(), keyId: text.optional() },
        key: z.base64().min(24).max(255).optional(),
        ...{
          status: text.optional(),
          expiryDuration: z
            .string()
            .regex(/^\d{1,4}$/, 'must be a number of days')
            .optional(),
        },
      })
      .optional(),
  }),
);
export type NewKey = z.output<ReturnType<typeof newKey>>;

const keyAnswer = once(() =>
  z.looseObject({
    submitTimeUtc: platform(text),
    status: platform(text),
    clientReferenceInformation: reference,
    keyInformation: z.looseObject({
      ...{ provider: platform(text).optional(), tenant: platform(text).optional(), organizationId: platform(text) },
      ...{ clientKeyId: platform(text).optional(), keyId: platform(text), key: platform(text).optional() },
      ...{ keyType: platform(text), status: platform(text), expirationDate: platform(text) },
      message: platform(text).optional(),
      errorInformation: z
        .looseObject({
          reason: platform(text).optional(),
          details: z.array(z.looseObject({ field: text.optional(), reason: text.optional() })).optional(),
        })
        .optional(),
    }),
  }),
);

/** What a test delivers, and answers. */
const testDelivery = once(() =>
  z.looseObject({
    eventDate: platform(text),
    eventType: platform(text),
    organizationId: platform(text),
    payloads: z.looseObject({ testPayload: z.looseObject({ message: platform(text) }) }),
    productId: platform(text),
    requestType: platform(text),
    retryNumber: platform(z.number()),
    transactionTraceId: platform(text),
    webhookId: platform(text),
  }),
);

const each = { error: webhooksError, shape: 'WH-01' } as const;
const read = { ...each, effect: 'read', recovery: 'repeat' } as const;
const change = { ...each, effect: 'write', recovery: 'repeat' } as const;
const path = '/notification-subscriptions/v2/webhooks';

export const management = {
  listWebhookProducts: operation({
    ...read,
    call: 'GET /notification-subscriptions/v2/products/{organizationId}',
    title: 'List products and their event types',
    about: 'Answers what an organization can be notified of.',
    output: () => ({ 200: z.array(product()) }),
  }),
  createWebhookSubscription: operation({
    ...change,
    call: `POST ${path}`,
    recovery: 'park',
    title: 'Create a webhook subscription',
    about: 'Subscribes an address to events. It is inactive until its status is changed.',
    body: newWebhook,
    output: () => ({ 201: webhookSubscription() }),
  }),
  getWebhookSubscription: operation({
    ...read,
    call: `GET ${path}/{webhookId}`,
    title: 'Get a webhook subscription',
    about: 'Answers one webhook subscription.',
    output: () => ({ 200: wholeSubscription() }),
  }),
  updateWebhookSubscription: operation({
    ...change,
    call: `PATCH ${path}/{webhookId}`,
    title: 'Update a webhook subscription',
    about: 'Changes what a webhook subscription covers and where it delivers.',
    body: changedWebhook,
    output: () => ({ 200: wholeSubscription() }),
  }),
  deleteWebhookSubscription: operation({
    ...change,
    call: `DELETE ${path}/{webhookId}`,
    title: 'Delete a webhook subscription',
    about: 'Ends a webhook subscription and what it has not delivered yet.',
    output: () => ({ 200: nothing }),
  }),
  updateWebhookStatus: operation({
    ...change,
    call: `PUT ${path}/{webhookId}/status`,
    title: 'Update the status of a webhook subscription',
    about: 'Switches a webhook subscription on or off.',
    body: webhookStatus,
    output: () => ({ 200: nothing }),
  }),
  createWebhookKey: operation({
    ...change,
    call: 'POST /kms/egress/v2/keys-sym',
    recovery: 'park',
    title: 'Create the key of deliveries',
    about: 'Creates, or stores, the key with which all deliveries of an organization are signed from then on.',
    body: newKey,
    output: () => ({ 201: keyAnswer() }),
  }),
  testWebhookSubscription: operation({
    ...change,
    call: `POST ${path}/{webhookId}/tests`,
    recovery: 'park',
    title: 'Test a webhook subscription',
    about: 'Delivers a test to the address of a webhook subscription.',
    output: () => ({ 201: testDelivery() }),
  }),
} as const;
