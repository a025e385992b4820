import { retriesOf } from '../../../src/core/schedule.ts';
import { payment, subscription } from '../../../src/domains/billing/machines.ts';
import type { PaymentDocument, SubscriptionDocument } from '../../../src/domains/billing/sandbox/documents.ts';
import { handleFor } from '../../../src/engine/handles.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import { answerOf, callsOf, type Run } from '../replay/run.ts';
import { look } from '../scenario/captures.ts';
import type { Transition, TransitionsOfRun } from './transition.ts';

// Transitions of the platform's billing engine, inferred from the sandbox's documents.

const pair = (machine: string, from: string, trigger: string, to?: string): Transition => ({
  machine,
  from,
  trigger,
  to,
});

/** How a payment got to its end. */
const courses: Readonly<Record<string, readonly Transition[]>> = {
  PAID: [pair(payment.name, 'SCHEDULED', 'pay', 'PAID')],
  FAILED: [pair(payment.name, 'SCHEDULED', 'fail', 'FAILED')],
  SKIPPED: [pair(payment.name, 'SCHEDULED_SKIPPED', 'pass', 'SKIPPED')],
};
const skip = pair(payment.name, 'SCHEDULED', 'skip', 'SCHEDULED_SKIPPED');
const restore = pair(payment.name, 'SCHEDULED_SKIPPED', 'restore', 'SCHEDULED');

/** The transitions of payments: to their ends, and by calls that name the cycles to be skipped. */
export function paymentTransitions(run: Run): TransitionsOfRun {
  const payments = run.after === undefined ? [] : paymentsIn(run.after.platform);
  const ended = payments.flatMap(({ state }) => [
    pair(payment.name, 'none', 'schedule', 'SCHEDULED'),
    ...(courses[state] ?? []),
  ]);
  const skipped = new Map<string, readonly number[]>();
  const rows: Transition[] = [];
  const refused: Transition[] = [];
  for (const entry of callsOf(run).filter(({ tool }) => tool === 'skip_subscription_payments')) {
    const { outcome, error } = answerOf(entry);
    const handle = String(entry.args.subscription);
    const cycles = (entry.args.cycles ?? []) as readonly number[]; // by the tool's shape
    if (outcome === 'refused' && error?.code === 'RULE')
      refused.push(
        ...payments
          .filter((it) => handleFor('subscription', it.subscriptionId) === handle && cycles.includes(it.cycle))
          .map(({ state }) => pair(payment.name, state, 'skip')),
      );
    if (outcome !== 'done') continue;
    const before = skipped.get(handle) ?? [];
    const now = (look(entry.answer, ['skipped']) ?? []) as readonly number[]; // by what the tool shows
    skipped.set(handle, now);
    if (now.some((cycle) => !before.includes(cycle))) rows.push(skip);
    if (before.some((cycle) => !now.includes(cycle))) rows.push(restore);
  }
  return { rows: [...ended, ...rows], refused };
}

/**
 * What time has done to subscriptions, by how they stood before and after. Where more than one payment came to its end
 * meanwhile, more than one thing may have happened, and nothing is said.
 */
export function subscriptionTransitions(before: Snapshot, after: Snapshot): readonly Transition[] {
  const earlier = new Map(subscriptionsIn(before).map((it) => [it.id, it]));
  return subscriptionsIn(after).flatMap((it) => {
    const was = earlier.get(it.id);
    if (was === undefined || it.payments - was.payments !== 1) return [];
    const ended = paymentsIn(after).find(
      ({ subscriptionId, number }) => subscriptionId === it.id && number === it.payments,
    );
    const starts = was.state === 'PENDING' ? [pair(subscription.name, 'PENDING', 'start', 'ACTIVE')] : [];
    const from = was.state === 'PENDING' ? 'ACTIVE' : was.state;
    const trigger = ended && triggerOf(from, it, ended, paymentsIn(after));
    return trigger === undefined ? starts : [...starts, pair(subscription.name, from, trigger, it.state)];
  });
}

/** What a payment's end was to its subscription; undefined where it moved nothing. */
function triggerOf(
  from: string,
  { id, state, terms }: SubscriptionDocument,
  ended: PaymentDocument,
  payments: readonly PaymentDocument[],
): string | undefined {
  if (state === 'COMPLETED') return 'complete';
  if (ended.state === 'PAID') return from === 'DELINQUENT' && state === 'ACTIVE' ? 'recover' : undefined;
  if (ended.state !== 'FAILED') return undefined;
  if (state === 'DELINQUENT') return ended.type === 'STANDARD' ? 'fail' : undefined;
  if (state !== 'SUSPENDED') return undefined;
  const retries = payments.filter((it) => it.subscriptionId === id && it.cycle === ended.cycle && it.type === 'RETRY');
  return retries.length === retriesOf(terms.period).attempts ? 'exhaust' : 'stop';
}

// The sandbox's own documents.
const subscriptionsIn = ({ documents }: Snapshot): readonly SubscriptionDocument[] =>
  documents.filter(({ kind }) => kind === 'subscription').map(({ body }) => body as unknown as SubscriptionDocument);
const paymentsIn = ({ documents }: Snapshot): readonly PaymentDocument[] =>
  documents.filter(({ kind }) => kind === 'payment').map(({ body }) => body as unknown as PaymentDocument);
