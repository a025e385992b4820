import { limits } from '../../../core/limits.ts';
import { find, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { billing as operations } from '../contract.ts';
import { isSuspendableAsPublished, payment } from '../machines.ts';
import { changed, page, paymentView, reactivationView, scheduledViews, subscriptionView } from './answers.ts';
import { attempt, freshPayment, moved, over, settleNow } from './clock.ts';
import { nextCode } from './codes.ts';
import { create } from './creation.ts';
import { customerOf, payerOf } from './customers.ts';
import { cycleAfter, goingOnWith, isBilled, isModifiable, isProcessing, missedAt, noticedBefore } from './cycles.ts';
import type { SubscriptionDocument } from './documents.ts';
import { matching } from './filters.ts';
import { updated } from './updates.ts';

const root = '/rbs/v1/subscriptions';

/** The subscriptions of document 2 and their payments. A rule marked P is enforced here, by the engine or by the machines. */
export const subscriptions: HandlersOf<
  Pick<typeof operations, Exclude<keyof typeof operations, `${string}Plan${string}`>>
> = {
  createSubscription({ body, merchant }, world) {
    const payer = customerOf(world, body.paymentInformation.customer.id);
    return created(world, create(world, merchant, body, payer));
  },

  listSubscriptions({ query, merchant }, world) {
    const mine = world.list('subscription').filter(({ merchantId }) => merchantId === merchant.id);
    const found = mine.filter(
      (it) =>
        matching(query)(it) &&
        [undefined, it.customerId].includes(query.customerId) &&
        [undefined, it.reference].includes(query.clientReferenceInformationCode),
    );
    const sorted = found.toSorted((one, other) => one.seq - other.seq);
    const { rows, ...paged } = page(root, query, sorted, world.now);
    return { status: 200, entity: '', body: { ...paged, subscriptions: rows.map((it) => viewOf(world, it)) } };
  },

  getSubscription({ path, merchant }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    const more = { submitTimeUtc: isoTime(world.now), ...reactivationView(it, world.now) };
    return { status: 200, entity: it.id, body: { ...viewOf(world, it), ...more } };
  },

  getSubscriptionCode({ merchant }, world) {
    const code = nextCode(world, 'subscription', merchant.id);
    return { status: 200, entity: '', body: { code, submitTimeUtc: isoTime(world.now) } };
  },

  updateSubscription({ path, body, merchant }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    return done(world, 200, updated(world, merchant, it, body));
  },

  cancelSubscription({ path, merchant }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    const processing = isProcessing(it, world.now);
    return done(world, 202, { ...moved(it, 'cancel', { processing }), retries: [] }, 'ACCEPTED');
  },

  suspendSubscription({ path, merchant, isPublished }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    // D-17: public models let these states pass as well, but nothing while a payment is processed.
    const published = isPublished('SB-09');
    const state = published && isSuspendableAsPublished(it.state) ? 'ACTIVE' : it.state;
    if (published && isProcessing(it, world.now))
      throw new PlatformError(
        400,
        'INVALID_STATE',
        'A payment begins processing within ten minutes, or has just begun.',
      );
    const suspended = moved({ ...it, state }, 'suspend');
    const missed = [...new Set([...it.missed, ...it.retries.map(({ cycle }) => cycle)])].toSorted((a, b) => a - b);
    return done(world, 202, { ...suspended, missed, retries: [] }, 'ACCEPTED');
  },

  reactivateSubscription({ path, query, merchant }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    const active = moved(it, 'reactivate');
    const missed = missedAt(it, world.now);
    const resumed = { ...active, ...goingOnWith(it, cycleAfter(it, world.now)), missed: [] };
    const noticed = { ...resumed, noticed: noticedBefore(resumed, world.now) };
    const collects = query.processMissedPayments !== 'false';
    return done(world, 200, over(collects ? collect(world, noticed, missed) : noticed));
  },

  listSubscriptionPayments({ path, query, merchant }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    const cycles = Math.min(Number(query.scheduledPaymentsCount ?? limits.scheduledRows), limits.scheduledRowsMost);
    const past = world.listUnder('payment', `${it.id}/`).map(paymentView);
    const all = [...scheduledViews(it, cycles, world.now), ...past.toReversed()];
    const { rows, _links, ...paged } = page(`${root}/${it.id}/payments`, query, all, world.now);
    const { previous, ...links } = _links;
    const body = {
      _links: { ...links, ...(previous === undefined ? {} : { prev: previous }), update: updateLink(it) },
      ...paged,
      cyclesCompletedCount: { paid: it.paid },
      billingCyclesToSkip: it.skips,
      subscriptionPayment: rows,
    };
    return { status: 200, entity: it.id, body };
  },

  skipSubscriptionPayments({ path, body, merchant }, world) {
    const it = find(world, 'subscription', path.id, merchant, 'id');
    const skips = [...new Set(body.billingCyclesToSkip)].toSorted((a, b) => a - b);
    const fixed = differing(it.skips, skips).filter((cycle) => !canChange(it, cycle, world.now));
    if (fixed.length > 0) throw unmodifiable(fixed);
    const stored = settleNow(world, { ...it, skips });
    const submitTimeUtc = isoTime(world.now);
    const links = { self: { href: `${root}/${it.id}/payments`, method: 'GET' }, update: updateLink(it) };
    const answer = { _links: links, submitTimeUtc, status: 'COMPLETED', billingCyclesToSkip: stored.skips };
    return { status: 200, entity: it.id, body: answer };
  },

  getFollowOn({ path, merchant }, world) {
    const { transaction, customer } = payerOf(world, merchant, path.requestId);
    const href = `${root}/follow-ons/${transaction.id}`;
    const { card, shopper } = customer;
    const body = {
      _links: { self: { href, method: 'GET' }, create: { href, method: 'POST' } },
      buyerInformation: { merchantCustomerID: customer.id, email: customer.email },
      paymentInstrument: {
        id: card.paymentInstrumentId,
        card: {
          number: `XXXXXXXXXXXX${card.lastFour}`,
          expirationMonth: card.expires.slice(0, 2),
          expirationYear: card.expires.slice(3),
          ...(card.network === undefined ? {} : { type: card.network }),
        },
        billTo: customer.billTo,
      },
      ...(shopper === undefined ? {} : { shippingAddress: { id: shopper, shipTo: customer.shipTo } }),
    };
    return { status: 200, entity: transaction.id, body };
  },

  createFollowOnSubscription({ path, body, merchant }, world) {
    const { transaction, customer } = payerOf(world, merchant, path.requestId);
    const { subscriptionInformation } = body;
    const original = {
      originalTransactionId: subscriptionInformation.originalTransactionId ?? transaction.networkTransactionId,
      originalTransactionAuthorizedAmount:
        subscriptionInformation.originalTransactionAuthorizedAmount ?? transaction.authorizedAmount,
    };
    const asked = { ...body, subscriptionInformation: { ...subscriptionInformation, ...original } };
    return created(world, create(world, merchant, asked, customer));
  },
};

const viewOf = (world: World, it: SubscriptionDocument) =>
  subscriptionView(it, it.planId === null ? undefined : world.get('plan', it.planId));

const updateLink = ({ id }: SubscriptionDocument) => ({ href: `${root}/${id}/payments`, method: 'PUT' });

/** Settles everything that is due, and stores the changed subscription. */
function done(world: World, status: number, it: SubscriptionDocument, said?: string) {
  return { status, entity: it.id, body: changed('subscription', settleNow(world, it), world.now, said) };
}

const declined: { readonly [state: string]: string | undefined } = { FAILED: 'DECLINED' };

function created(world: World, it: SubscriptionDocument) {
  const body = changed('subscription', it, world.now, declined[it.state]);
  const reference = it.reference === '' ? {} : { clientReferenceInformation: { code: it.reference } };
  return { status: 201, entity: it.id, body: { ...body, ...reference } };
}

/** Collects missed cycles, oldest first, until one is declined for good (D-39). */
function collect(world: World, it: SubscriptionDocument, missed: readonly number[]): SubscriptionDocument {
  let at = it;
  for (const [index, cycle] of missed.entries()) {
    at = attempt(world, at, freshPayment(at, cycle, world.now));
    if (!isBilled(at)) return { ...at, missed: [...at.missed, ...missed.slice(index + 1)] };
  }
  return at;
}

/** The cycles that are in one list but not in the other. */
const differing = (one: readonly number[], other: readonly number[]): readonly number[] =>
  [...one.filter((it) => !other.includes(it)), ...other.filter((it) => !one.includes(it))].toSorted((a, b) => a - b);

/** Whether the payment's machine allows the cycle to be restored, if it is skipped, or else to be skipped. */
function canChange(it: SubscriptionDocument, cycle: number, now: number): boolean {
  const [state, trigger] = it.skips.includes(cycle)
    ? (['SCHEDULED_SKIPPED', 'restore'] as const)
    : (['SCHEDULED', 'skip'] as const);
  return payment.move({ state, modifiable: isModifiable(it, cycle, now) }, trigger).ok;
}

const unmodifiable = (cycles: readonly number[]): PlatformError =>
  new PlatformError(
    400,
    'INVALID_DATA',
    'A payment that begins too soon, or is over, can be neither skipped nor restored.',
    {
      source: 'billingCyclesToSkip',
      details: cycles.map((cycle) => ({
        field: 'billingCyclesToSkip',
        reason: `UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: ${cycle}`,
      })),
    },
  );
