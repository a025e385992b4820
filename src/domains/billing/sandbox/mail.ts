import { decimal, money } from '../../../core/money.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import { publish } from '../../../sandbox/events.ts';
import type { World } from '../../../sandbox/world.ts';
import { addressOn } from './customers.ts';
import { feeCycleOf } from './cycles.ts';
import type { SubscriptionDocument } from './documents.ts';

/** The three e-mails of document 2, "Events". */
export type Template = 'prepayment' | 'success' | 'failure';

export interface Told {
  readonly cycle: number;
  readonly paymentDate: number;
  /** Of the payments, not of the notices. */
  readonly transactionId?: string | undefined;
  /** Distinguishes messages of one moment. */
  readonly number: number;
}

/** The webhook event that accompanies each e-mail. */
const events: { readonly [T in Template]: string } = {
  prepayment: 'rbs.subscriptions.charge.pre-notified',
  success: 'rbs.subscriptions.charge.created',
  failure: 'rbs.subscriptions.charge.failed',
};

/** Notifies the merchant's systems and the customer of a payment. */
export function tell(world: World, it: SubscriptionDocument, template: Template, told: Told): void {
  publish(world, {
    id: `${String(world.now).padStart(15, '0')}/${it.id}/${template}/${told.number}`,
    at: world.now,
    eventType: events[template],
    productId: 'recurringBilling',
    organizationId: it.merchantId,
    payload: {
      subscriptionId: it.id,
      billingCycle: String(told.cycle),
      billingAmount: it.terms.amount,
      currency: it.terms.currency,
      paymentDate: isoTime(told.paymentDate),
      ...(told.transactionId === undefined ? {} : { transactionId: told.transactionId }),
    },
  });
  mail(world, it, template, told);
}

/** Adds an e-mail to the outbox, with the placeholders of its template. A customer without an address receives none. */
function mail(world: World, it: SubscriptionDocument, template: Template, told: Told): void {
  const to = addressOn(world, it.customerId);
  if (to === '') return;
  const { amount, currency, setupFee } = it.terms;
  world.put('email', {
    // Sorts by time; a subscription sends one message of a kind for a payment.
    id: `${String(world.now).padStart(15, '0')}/${it.id}/${template}/${told.number}`,
    at: world.now,
    to,
    template,
    fields: {
      subscriptionId: it.id,
      subscriptionName: it.name,
      billingAmount: amount,
      currency,
      setupFee: told.cycle === feeCycleOf(it) && setupFee !== null ? setupFee : decimal(money('0', currency)),
      paymentDate: isoTime(told.paymentDate),
      merchantName: world.must('merchant', it.merchantId).name,
      ...(template === 'prepayment' ? {} : { transactionId: told.transactionId ?? '' }),
    },
  });
}
