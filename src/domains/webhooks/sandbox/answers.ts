import { isoTime } from '../../../sandbox/clock.ts';
import { webhookProducts } from '../events.ts';
import type { WebhookDocument } from './documents.ts';

/** A webhook subscription in a list, and where it is created. */
export function subscriptionRow(it: WebhookDocument) {
  const { deactivateFlag, ...figures } = it.retryPolicy;
  const { name, description, webhookUrl, healthCheckUrl, notificationScope = 'DESCENDANTS', products } = it.terms;
  return {
    webhookId: it.id,
    organizationId: it.merchantId,
    products: products.map(({ productId, eventTypes }) => ({ productId, eventTypes })),
    webhookUrl,
    ...(healthCheckUrl === undefined ? {} : { healthCheckUrl }),
    status: it.state,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    retryPolicy: { ...figures, deactivateFlag: String(deactivateFlag) },
    securityPolicy: securityOf(it),
    createdOn: isoTime(it.createdOn),
    notificationScope,
  };
}

/** One webhook subscription. */
export const subscriptionView = (it: WebhookDocument) => ({ ...subscriptionRow(it), updatedOn: isoTime(it.updatedOn) });

function securityOf({ terms: { securityPolicy = {} } }: WebhookDocument) {
  const { securityType = 'key', config } = securityPolicy;
  return {
    securityType: types[securityType.toLowerCase()] ?? securityType,
    ...(config === undefined ? {} : { config }),
  };
}

const types: { readonly [lower: string]: string | undefined } = {
  key: 'key',
  oauth: 'oAuth',
  oauth_jwt: 'oAuth_JWT',
};

/** Every product with its event types. */
export const productList = Object.entries(webhookProducts).map(([productId, { name, eventTypes }]) => ({
  productId,
  productName: name,
  eventTypes: eventTypes.map((eventName) => ({
    eventName,
    displayName: eventName.split('.').slice(1).join(' '),
    ...{ frequency: 1, timeSensitivity: false, payloadEncryption: false },
  })),
}));
