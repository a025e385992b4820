import { z } from 'zod';
import { blob, model, platform, server, text, under, word } from '../../core/fields.ts';
import { once } from '../../core/once.ts';

// The shapes of webhook subscriptions: document 1, "Webhook subscription lookup". What it does not show comes from public models of
// the platform's clients.

const productId = z
  .string()
  .max(64)
  .regex(/^\w[\w-]*$/, 'must be the id of a product such as "recurringBilling"');
const eventType = z
  .string()
  .max(128)
  .regex(/^[A-Za-z][\w-]*(\.[\w-]+)+$/, 'must be an event type such as "tms.token.created"');

/** Whose subscriptions, and which of them. Without product and event type, all of them (D-10). */
export const webhookFilters = once(() =>
  z.looseObject({
    organizationId: under('WH-01', server(text, 'merchant.id')),
    productId: under('WH-01', model(productId)).optional(),
    eventType: under('WH-01', model(eventType)).optional(),
  }),
);

/** Public models print numbers; real clients send text, too. */
const figure = platform(z.union([z.number(), text]));

export const retryPolicy = once(() =>
  z.looseObject({
    algorithm: platform(text).optional(),
    firstRetry: figure.optional(),
    interval: figure.optional(),
    numberOfRetries: figure.optional(),
    deactivateFlag: platform(z.union([z.boolean(), text])).optional(),
    repeatSequenceCount: figure.optional(),
    repeatSequenceWaitTime: figure.optional(),
    additionalAttributes: z.array(platform(z.record(z.string(), z.string()))).optional(),
  }),
);

const securityPolicy = once(() =>
  z.looseObject({
    securityType: platform(text).optional(),
    config: z
      .looseObject({
        oAuthURL: platform(blob).optional(),
        oAuthTokenType: platform(text).optional(),
        additionalConfig: z
          .looseObject({
            aud: platform(text).optional(),
            client_id: platform(text).optional(),
            keyId: platform(text).optional(),
            scope: platform(text).optional(),
          })
          .optional(),
      })
      .optional(),
  }),
);

const words = platform(z.string());

/** What the platform and its callers say about a subscription. */
export const webhookTerms = once(
  () =>
    ({
      name: words.optional(),
      description: words.optional(),
      organizationId: platform(text),
      products: z.array(z.looseObject({ productId: platform(text), eventTypes: z.array(platform(text)).optional() })),
      webhookUrl: platform(blob),
      healthCheckUrl: platform(blob).optional(),
      notificationScope: platform(text).optional(),
      retryPolicy: retryPolicy().optional(),
      securityPolicy: securityPolicy().optional(),
    }) as const,
);

/** One webhook subscription in a list. Public models require nothing of it. */
export const webhookSubscription = once(() =>
  z.looseObject({
    webhookId: platform(text),
    ...webhookTerms(),
    organizationId: webhookTerms().organizationId.optional(),
    products: webhookTerms().products.optional(),
    webhookUrl: webhookTerms().webhookUrl.optional(),
    status: platform(word).optional(),
    createdOn: platform(text).optional(),
  }),
);
