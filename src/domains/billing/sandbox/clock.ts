import { limits } from '../../../core/limits.ts';
import { minute, retriesOf } from '../../../core/schedule.ts';
import { PlatformError } from '../../../sandbox/answer.ts';
import type { World } from '../../../sandbox/world.ts';
import { isBeforeStart, isRunning, payment, subscription } from '../machines.ts';
import { chargeOf } from './charges.ts';
import { dateOf, dueOf, feeCycleOf, hasCycle } from './cycles.ts';
import type { PaymentDocument, Retry, SubscriptionDocument } from './documents.ts';
import { tell } from './mail.ts';

type Trigger = Parameters<typeof subscription.move>[1];
type Looked = Partial<Parameters<typeof subscription.move>[0]>;

/** A subscription after a trigger. Throws the platform's 400 if no row allows it. */
export function moved(it: SubscriptionDocument, trigger: Trigger, look: Looked = {}): SubscriptionDocument {
  const at = { declined: false, processing: false, outstanding: false, changes: 'names', ...look };
  const move = subscription.move({ ...at, ends: it.terms.total !== null, state: it.state }, trigger);
  if (!move.ok) throw new PlatformError(400, 'INVALID_STATE', move.because);
  return { ...it, state: move.to };
}

/** Settles one due event of a subscription: a retry before a new cycle, a cycle before a notice. */
export function settleSubscription(world: World, it: SubscriptionDocument): void {
  world.put('subscription', scheduled(happens(world, it)));
}

/** Settles everything that is due at this moment, and stores the subscription. */
export function settleNow(world: World, it: SubscriptionDocument): SubscriptionDocument {
  let settled = it;
  while ((dueOf(settled) ?? Number.POSITIVE_INFINITY) <= world.now) settled = happens(world, settled);
  return world.put('subscription', scheduled(settled));
}

const scheduled = (it: SubscriptionDocument): SubscriptionDocument => ({ ...it, due: dueOf(it) });

function happens(world: World, it: SubscriptionDocument): SubscriptionDocument {
  const [retry, ...retries] = it.retries;
  if (retry !== undefined && retry.at <= world.now) return over(attempt(world, started({ ...it, retries }), retry));
  if (hasCycle(it, it.next) && dateOf(it, it.next) <= world.now) return over(bill(world, started(it)));
  return notify(world, it);
}

/** The start date is reached (D-14). */
export const started = (it: SubscriptionDocument): SubscriptionDocument =>
  isBeforeStart(it.state) ? moved(it, 'start') : it;

/** Completes a subscription when every cycle was paid or skipped and no retry is scheduled (SB-13). */
export const over = (it: SubscriptionDocument): SubscriptionDocument =>
  isRunning(it.state) && it.retries.length === 0 && !hasCycle(it, it.next) ? moved(it, 'complete') : it;

/** Notifies the customer of an upcoming payment. */
function notify(world: World, it: SubscriptionDocument): SubscriptionDocument {
  const cycle = it.noticed + 1;
  if (!it.skips.includes(cycle))
    tell(world, it, 'prepayment', { cycle, paymentDate: dateOf(it, cycle), number: cycle });
  return { ...it, noticed: cycle };
}

/** Bills the next cycle, when it is due or ahead of time. */
export function bill(world: World, it: SubscriptionDocument): SubscriptionDocument {
  const cycle = it.next;
  const begun = { ...it, next: cycle + 1, noticed: Math.max(it.noticed, cycle) };
  if (!it.skips.includes(cycle)) return attempt(world, begun, freshPayment(it, cycle, world.now));
  const skipped = keep(world, begun, ['schedule', 'skip', 'pass'], { cycle, at: world.now, type: 'STANDARD' });
  const setupCycle = cycle === it.setupCycle ? cycle + 1 : it.setupCycle;
  return { ...skipped, setupCycle, skips: it.skips.filter((one) => one !== cycle) };
}

/** A payment before its first attempt. */
export function freshPayment({ terms }: SubscriptionDocument, cycle: number, at: number): Retry {
  const { attempts: left, every } = retriesOf(terms.period);
  return { cycle, at, type: 'STANDARD', left, every };
}

/** Attempts to charge a payment and applies the outcome. */
export function attempt(world: World, it: SubscriptionDocument, tried: Retry): SubscriptionDocument {
  const begun = { ...it, attempts: it.attempts + 1, lastAttempt: world.now };
  return after[chargeOf(world, it)](world, begun, tried);
}

type After = (world: World, it: SubscriptionDocument, tried: Retry) => SubscriptionDocument;

/** The consequence of each outcome of a charge (SB-07, SB-08). */
const after: { readonly [O in ReturnType<typeof chargeOf>]: After } = {
  paid: (world, it, tried) => {
    const transactionId = transactionOf(it);
    const paid = keep(world, it, ['schedule', 'pay'], tried, transactionId);
    tell(world, it, 'success', { ...told(tried, paid), transactionId });
    const outstanding = it.retries.some(({ type }) => type === 'RETRY');
    const recovered = subscription.move({ ...calm, outstanding, state: it.state }, 'recover').ok;
    return { ...(recovered ? moved(paid, 'recover') : paid), paid: it.paid + 1 };
  },
  declined: (world, it, tried) => {
    const failed = fail(world, it, tried);
    if (tried.left === 0) return givenUp(moved(failed, 'exhaust'), tried);
    const delinquent = tried.type === 'STANDARD' ? moved(failed, 'fail') : failed;
    // A payment that an older build has begun does not say it.
    const { every = retriesOf(it.terms.period).every } = tried;
    return queued(delinquent, { ...tried, type: 'RETRY', at: world.now + every, left: tried.left - 1 });
  },
  doNotRetry: (world, it, tried) => givenUp(moved(fail(world, it, tried), 'stop'), tried),
  // The request never reached the bank network: nobody is notified, and no retry is used up.
  error: (world, it, tried) => queued(it, { ...tried, at: world.now + limits.internalErrorMinutes * minute }),
};

/** The id of the transaction that a payment makes. */
const transactionOf = ({ id, payments }: SubscriptionDocument): string => `${id}-${payments + 1}`;

const calm = { declined: false, processing: false, outstanding: false, changes: 'names', ends: false };

/** Records a declined payment and notifies the customer. */
export function fail(world: World, it: SubscriptionDocument, tried: Retry): SubscriptionDocument {
  // The issuer declined it, so there is a transaction.
  const transactionId = transactionOf(it);
  const failed = keep(world, it, ['schedule', 'fail'], tried, transactionId);
  tell(world, it, 'failure', { ...told(tried, failed), transactionId });
  return failed;
}

const told = ({ cycle, at }: Retry, { payments }: SubscriptionDocument) => ({
  cycle,
  paymentDate: at,
  number: payments,
});

/** Ends all retries. Outstanding cycles can be collected when the subscription is reactivated. */
const givenUp = (it: SubscriptionDocument, { cycle }: Retry): SubscriptionDocument => ({
  ...it,
  retries: [],
  missed: [...new Set([...it.missed, ...it.retries.map((retry) => retry.cycle), cycle])].toSorted((a, b) => a - b),
});

/** Adds a retry, in order of time. */
const queued = (it: SubscriptionDocument, retry: Retry): SubscriptionDocument => ({
  ...it,
  retries: [...it.retries, retry].toSorted((one, other) => one.at - other.at || one.cycle - other.cycle),
});

/** Records a completed payment; `triggers` lead to its state. */
function keep(
  world: World,
  it: SubscriptionDocument,
  triggers: readonly Parameters<typeof payment.move>[1][],
  { cycle, at, type }: Pick<Retry, 'cycle' | 'at' | 'type'>,
  transactionId: string | null = null,
): SubscriptionDocument {
  const number = it.payments + 1;
  const id = paymentId(it.id, number);
  const record: PaymentDocument = {
    id,
    state: triggers.reduce(paymentAfter, 'none'),
    subscriptionId: it.id,
    ...{ type, cycle, number, at, transactionId },
    billingStart: dateOf(it, cycle),
    billingEnd: dateOf(it, cycle + 1) - 1,
    currency: it.terms.currency,
    amount: it.terms.amount,
    setupFee: cycle === feeCycleOf(it) ? it.terms.setupFee : null,
    surcharge: it.terms.surcharge,
    reference: it.reference === '' ? randomReference(world, id) : it.reference,
  };
  world.put('payment', record);
  return { ...it, payments: number };
}

/** The platform's own reference of a payment: a random number. */
const randomReference = (world: World, id: string): string =>
  String(world.derive(`payment reference/${id}`).readBigUInt64BE());

/** Padding makes the ids of a subscription's payments sort by age. */
const paymentId = (subscriptionId: string, number: number): string =>
  `${subscriptionId}/${String(number).padStart(6, '0')}`;

function paymentAfter(state: string, trigger: Parameters<typeof payment.move>[1]): string {
  const move = payment.move({ state, modifiable: true }, trigger);
  if (!move.ok) throw new Error(move.because);
  return move.to;
}
