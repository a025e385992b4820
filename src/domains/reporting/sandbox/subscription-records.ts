import { decimal } from '../../../core/money.ts';
import type { World } from '../../../sandbox/world.ts';
import type { PaymentDocument } from '../../billing/sandbox/documents.ts';
import { type ReportRecord, record, type Source } from './record.ts';
import { sumOf } from './transactions.ts';

// What reports say of subscriptions.

/** Payments of subscriptions, whether they succeeded or not; skipped ones were never tried. */
export const recurring: Source = (world, merchant) =>
  world.list('payment').flatMap((it) => {
    const subscription = world.get('subscription', it.subscriptionId);
    const succeeded = attempts[it.state];
    if (subscription?.merchantId !== merchant.id || succeeded === undefined) return [];
    return [
      record(world, merchant, {
        ...{ id: it.id, at: it.at, application: 'subscription', succeeded, currency: it.currency },
        amount: decimal(sumOf({ amounts: partsOf(it), currency: it.currency })),
        ...{ cardId: subscription.cardId, reference: it.reference },
        more: subscribed(world, subscription.id),
      }),
    ];
  });

/** Whether an attempt to charge succeeded, by the state of its payment. */
const attempts: Readonly<Record<string, boolean | undefined>> = { PAID: true, FAILED: false };

export const paidSubscriptions: Source = (world, merchant) =>
  recurring(world, merchant).filter(({ fields }) => fields['Application.RCode'] === '1');

export const surcharges: Source = (world, merchant) =>
  world.list('payment').flatMap((it) => {
    const subscription = world.get('subscription', it.subscriptionId);
    if (subscription?.merchantId !== merchant.id || attempts[it.state] !== true || it.surcharge === null) return [];
    const { amount } = it.surcharge;
    const { currency, reference } = it;
    const about = { application: 'service fee', succeeded: true, amount, currency, reference };
    return [record(world, merchant, { id: it.id, at: it.at, cardId: subscription.cardId, ...about })];
  });

/** The parts of what an attempt takes. */
const partsOf = ({ amount, setupFee, surcharge }: PaymentDocument): readonly string[] =>
  [amount, setupFee, surcharge?.amount].filter((part) => typeof part === 'string');

/** What a record says of its subscription. */
export function subscribed(world: World, id: string | undefined): ReportRecord['fields'] {
  const it = id === undefined ? undefined : world.get('subscription', id);
  if (it === undefined) return {};
  return {
    'Subscriptions.SubscriptionID': it.id,
    'Subscriptions.PlanID': it.planId ?? undefined,
    'Subscriptions.SubscriptionStatus': it.state,
    'Subscriptions.SubscriptionTitle': it.name,
    'Subscriptions.RecurringStartDate': it.startDate,
    'Subscriptions.PaymentsSuccess': String(it.paid),
    ...{ 'BillTo.FirstName': it.firstName, 'BillTo.LastName': it.lastName, 'BillTo.Email': it.email },
    'Subscriptions.BillToFirstName': it.firstName,
    'Subscriptions.BillToLastName': it.lastName,
    'Subscriptions.BillToEmail': it.email,
  };
}
