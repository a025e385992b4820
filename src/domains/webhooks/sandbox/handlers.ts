import { find, invalid, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { webhooks as lookup } from '../contract.ts';
import { eventTypesOf, hasEvent } from '../events.ts';
import type { management, NewWebhook, WebhookTerms, webhookStatuses } from '../management.ts';
import { productList, subscriptionRow, subscriptionView } from './answers.ts';
import { activate, begin, bodyOf, deactivate, dropAll } from './deliveries.ts';
import type { WebhookDocument } from './documents.ts';
import { keyMade } from './keys.ts';
import { webhook } from './machines.ts';
import { policyOf } from './retries.ts';

type Operations = typeof lookup & typeof management;

/** The lookup of document 1, and what public models add. WH-01 is enforced here and by the shapes. */
export const handlers: HandlersOf<Operations> = {
  listWebhookSubscriptions({ query: { organizationId, productId, eventType }, merchant }, world) {
    demandOwn(organizationId, merchant);
    const found = world
      .list('webhook')
      .filter((it) => it.merchantId === merchant.id && isAbout(it, productId, eventType))
      .toSorted((one, other) => one.seq - other.seq);
    return { status: 200, entity: '', body: found.map(subscriptionRow) };
  },

  listWebhookProducts({ path, merchant }) {
    demandOwn(path.organizationId, merchant);
    return { status: 200, entity: '', body: productList };
  },

  createWebhookSubscription({ body, merchant }, world) {
    const created = subscribed(world, merchant, body);
    return { status: 201, entity: created.id, body: subscriptionRow(created) };
  },

  getWebhookSubscription({ path, merchant }, world) {
    const it = own(world, path.webhookId, merchant);
    return { status: 200, entity: it.id, body: subscriptionView(it) };
  },

  updateWebhookSubscription({ path, body, merchant }, world) {
    const it = own(world, path.webhookId, merchant);
    const { organizationId, products, webhookUrl } = it.terms;
    const terms: WebhookTerms = {
      ...{ ...it.terms, ...body },
      organizationId: body.organizationId ?? organizationId,
      products: body.products ?? products,
      webhookUrl: body.webhookUrl ?? webhookUrl,
    };
    demandTerms(terms, merchant);
    const changed = world.put('webhook', { ...it, terms, updatedOn: world.now });
    return { status: 200, entity: it.id, body: subscriptionView(changed) };
  },

  deleteWebhookSubscription({ path, merchant }, world) {
    const it = own(world, path.webhookId, merchant);
    dropAll(world, it);
    world.remove('webhook', it.id);
    return { status: 200, entity: it.id, body: undefined };
  },

  updateWebhookStatus({ path, body, merchant }, world) {
    const it = own(world, path.webhookId, merchant);
    setStatus(world, { ...it, updatedOn: world.now }, body.status);
    return { status: 200, entity: it.id, body: undefined };
  },

  createWebhookKey: ({ body, merchant }, world) => keyMade(world, merchant, body),

  testWebhookSubscription({ path, merchant }, world) {
    const it = own(world, path.webhookId, merchant);
    const [first] = it.terms.products;
    const test = begin(world, it, {
      ...{ eventType: first?.eventTypes[0] ?? '', productId: first?.productId ?? '', organizationId: merchant.id },
      ...{ eventAt: world.now, traceId: world.uuid('event trace'), data: null },
    });
    return { status: 201, entity: it.id, body: bodyOf(test) };
  },
};

/** Switches a subscription on or off. */
export const setStatus = (world: World, it: WebhookDocument, status: (typeof webhookStatuses)[number]): void =>
  statusChanges[status](world, it);

const statusChanges: { readonly [S in (typeof webhookStatuses)[number]]: typeof deactivate } = {
  ACTIVE: (world, it) => activate(world, it),
  INACTIVE: deactivate,
};

/** Creates a subscription. Throws the platform's 400. */
export function subscribed(world: World, merchant: Merchant, { retryPolicy, ...terms }: NewWebhook): WebhookDocument {
  demandTerms(terms, merchant);
  const id = world.uuid('webhook');
  const fresh = {
    ...{ id, state: 'none', suspended: false, merchantId: merchant.id, seq: world.count('webhook') },
    ...{ keyId: world.uuid('webhook key'), key: world.derive(`webhook key/${id}`).toString('base64') },
    ...{ createdOn: world.now, updatedOn: world.now, terms, retryPolicy: policyOf(retryPolicy) },
  };
  const made = webhook.move(fresh, 'create');
  if (!made.ok) throw new Error(made.because);
  return world.put('webhook', { ...fresh, state: made.to });
}

function demandTerms(
  { organizationId, products }: Pick<NewWebhook, 'organizationId' | 'products'>,
  merchant: Merchant,
): void {
  if (organizationId !== merchant.id)
    throw invalid('organizationId', 'The organization is not that of the credentials.');
  products.forEach(({ productId, eventTypes }, index) => {
    if (eventTypesOf(productId) === undefined)
      throw invalid(`products[${index}].productId`, 'There is no such product.');
    if (!eventTypes.every((it) => hasEvent(productId, it)))
      throw invalid(`products[${index}].eventTypes`, 'The product has no such event type.');
  });
}

/** An organization is known to itself alone. */
function demandOwn(organizationId: string, merchant: Merchant): void {
  if (organizationId !== merchant.id)
    throw new PlatformError(404, 'NOT_FOUND', 'There is no organization with this id.', { source: 'organizationId' });
}

const own = (world: World, id: string, merchant: Merchant): WebhookDocument =>
  find(world, 'webhook', id, merchant, 'webhookId');

/** Whether a subscription covers a product and an event type, where they are given (D-10). */
const isAbout = ({ terms: { products } }: WebhookDocument, productId?: string, eventType?: string): boolean =>
  products.some(
    (it) =>
      (productId === undefined || it.productId === productId) &&
      (eventType === undefined || it.eventTypes.includes(eventType)),
  );
