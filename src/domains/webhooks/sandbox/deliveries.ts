import { limits } from '../../../core/limits.ts';
import { minute } from '../../../core/schedule.ts';
import { Secret } from '../../../core/secret.ts';
import { sign } from '../../../core/webhook-signature.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { EventDocument } from '../../../sandbox/documents.ts';
import type { Outgoing, OutgoingRequest } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { DeliveryDocument, WebhookDocument } from './documents.ts';
import { keyOf } from './keys.ts';
import { delivery, webhook } from './machines.ts';
import { retryAfter } from './retries.ts';

type Trigger = Parameters<typeof delivery.move>[1];
type Seen = Partial<Omit<Parameters<typeof delivery.move>[0], 'state'>>;

/** A delivery after a trigger. */
function moved(it: DeliveryDocument, trigger: Trigger, seen: Seen = {}): DeliveryDocument {
  const move = delivery.move({ held: false, retries: false, suspends: false, ...seen, state: it.state }, trigger);
  if (!move.ok) throw new Error(move.because);
  return { ...it, state: move.to };
}

/** A subscription after a trigger. It is stored. */
function switched(world: World, it: WebhookDocument, trigger: 'activate' | 'deactivate' | 'suspend' | 'resume') {
  const move = webhook.move(it, trigger);
  if (!move.ok) throw new Error(move.because);
  const suspended = trigger === 'suspend';
  const due = suspended && it.terms.healthCheckUrl !== undefined ? world.now + healthMilliseconds : undefined;
  return world.put('webhook', { ...it, state: move.to, suspended, due });
}

/** How often the address of a suspended subscription is asked for its health. Own choice. */
const healthMilliseconds = 60 * minute;

/** Switches a subscription on: what was held is delivered. */
export function activate(world: World, it: WebhookDocument, trigger: 'activate' | 'resume' = 'activate'): void {
  switched(world, it, trigger);
  for (const held of readyFor(world, it, 'resume'))
    world.put('delivery', { ...moved(held, 'resume'), tries: 0, due: world.now });
}

/** Switches a subscription off: what was not delivered is dropped. */
export function deactivate(world: World, it: WebhookDocument): void {
  switched(world, it, 'deactivate');
  dropAll(world, it);
}

/** Drops what a subscription has not delivered. */
export function dropAll(world: World, it: WebhookDocument): void {
  for (const open of readyFor(world, it, 'drop')) world.put('delivery', { ...moved(open, 'drop'), due: undefined });
}

/** The deliveries of a subscription from whose state a trigger is possible. */
const readyFor = (
  world: World,
  { id }: WebhookDocument,
  trigger: 'resume' | 'hold' | 'drop',
): readonly DeliveryDocument[] =>
  world.listUnder('delivery', `${id}/`).filter(({ state }) => delivery.startsOf(trigger).includes(state));

/** An event that has happened: each subscription that covers it gets a delivery. */
export function settleEvent(world: World, event: EventDocument): void {
  world.put('event', { ...event, due: undefined });
  const covering = world.list('webhook').filter((it) => isLive(it) && covers(it, event));
  if (covering.length === 0) return;
  const traceId = world.uuid('event trace');
  for (const it of covering) begin(world, it, { ...event, eventAt: event.at, traceId, data: event.payload });
}

/** Whether events of now are for it: switched on, or suspended by the platform. */
const isLive = (it: WebhookDocument): boolean => it.suspended || webhook.move(it, 'suspend').ok;

const covers = ({ merchantId, terms: { products } }: WebhookDocument, event: EventDocument): boolean =>
  merchantId === event.organizationId &&
  products.some((it) => it.productId === event.productId && it.eventTypes.includes(event.eventType));

type About = Pick<DeliveryDocument, 'eventType' | 'productId' | 'organizationId' | 'eventAt' | 'traceId' | 'data'>;

/** Begins a delivery. */
export function begin(world: World, it: WebhookDocument, about: About): DeliveryDocument {
  const { eventType, productId, organizationId, eventAt, traceId, data } = about;
  const fresh: DeliveryDocument = {
    // Padding makes the deliveries of a subscription sort by age.
    id: `${it.id}/${String(world.count('delivery')).padStart(12, '0')}`,
    ...{ state: 'none', webhookId: it.id, eventType, productId, organizationId, eventAt, traceId, data },
    ...{ attempts: [], tries: 0, begun: world.now },
  };
  // A test is for an address that may not be healthy yet.
  const held = it.suspended && data !== null;
  return world.put('delivery', { ...moved(fresh, 'create', { held }), due: held ? undefined : world.now });
}

/** What a delivery says, in its body. */
export function bodyOf(it: DeliveryDocument) {
  const { eventType, webhookId, productId, organizationId, data } = it;
  const about = {
    ...{ eventType, webhookId, productId, organizationId, eventDate: isoTime(it.eventAt) },
    ...{ transactionTraceId: it.traceId, retryNumber: it.tries, requestType: requestTypeOf(it) },
  };
  return data === null
    ? { ...about, payloads: { testPayload: { message: 'This is a test of the webhook subscription.' } } }
    : { ...about, payload: { data, organizationId } };
}

const requestTypeOf = ({ data, tries }: DeliveryDocument): string =>
  data === null ? 'TEST' : tries === 0 ? 'NEW' : 'RETRY';

/** The deliveries and the health checks of the sandbox. */
export const outgoing: Outgoing = {
  next(world) {
    const found = world.firstDue(['delivery', 'webhook']);
    if (found === undefined) return undefined;
    const { kind, document } = found;
    // What is due says what it is by its kind.
    return kind === 'delivery'
      ? requestOf(world, document as DeliveryDocument)
      : healthCheck(document as WebhookDocument);
  },
  answered(world, { id, due }, status) {
    const at = world.at(due);
    const [attempted, checked] = [world.get('delivery', id), world.get('webhook', id)];
    // Another process may have made the same attempt.
    if (attempted?.due === due) finish(at, attempted, status);
    else if (checked?.due === due) checkedHealth(at, checked, status);
  },
};

function requestOf(world: World, it: DeliveryDocument): OutgoingRequest {
  const subscription = world.must('webhook', it.webhookId);
  const { keyId, key } = keyOf(world, subscription);
  const body = JSON.stringify(bodyOf(it));
  return {
    ...{ id: it.id, due: it.due ?? world.now, url: subscription.terms.webhookUrl, body },
    headers: {
      'content-type': 'application/json',
      'v-c-event-type': it.eventType,
      'v-c-organization-id': it.organizationId,
      'v-c-product-name': it.productId,
      'v-c-request-type': requestTypeOf(it),
      'v-c-retry-count': String(it.tries),
      'v-c-transaction-trace-id': it.traceId,
      'v-c-webhook-id': it.webhookId,
      // As every signature it carries the real time, whatever the virtual clock says.
      'v-c-signature': sign(new Secret(key), body, world.wall, keyId),
    },
  };
}

const healthCheck = ({ id, due = 0, terms }: WebhookDocument): OutgoingRequest => ({
  ...{ id, due, url: terms.healthCheckUrl ?? terms.webhookUrl, body: '' },
  headers: { 'content-type': 'application/json' },
});

/** Records an attempt, and what follows by the retry policy. */
function finish(world: World, it: DeliveryDocument, status: number | null): void {
  const subscription = world.must('webhook', it.webhookId);
  const tried = {
    ...{ ...it, due: undefined, tries: it.tries + 1, begun: it.tries === 0 ? world.now : it.begun },
    attempts: [...it.attempts, { at: world.now, status }].slice(-limits.arrayElements),
  };
  if (isTaken(status)) {
    world.put('delivery', moved(tried, 'accept'));
    return;
  }
  const after = it.data === null ? undefined : retryAfter(subscription.retryPolicy, tried.tries);
  const suspends = it.data !== null && subscription.retryPolicy.deactivateFlag;
  const refused = moved(tried, 'refuse', { retries: after !== undefined, suspends });
  world.put('delivery', {
    ...refused,
    due: after === undefined ? undefined : Math.max(world.now, tried.begun + after),
  });
  if (after === undefined && suspends) suspend(world, subscription);
}

const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Nobody takes the deliveries of a subscription: they are held. */
function suspend(world: World, it: WebhookDocument): void {
  switched(world, it, 'suspend');
  for (const open of readyFor(world, it, 'hold')) world.put('delivery', { ...moved(open, 'hold'), due: undefined });
}

function checkedHealth(world: World, it: WebhookDocument, status: number | null): void {
  if (isTaken(status)) activate(world, it, 'resume');
  else world.put('webhook', { ...it, due: world.now + healthMilliseconds });
}
