import { dayOf } from '../../../core/schedule.ts';
import { type BodyOf, invalid } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { billing } from '../contract.ts';
import { isRunning } from '../machines.ts';
import { bill, moved, over } from './clock.ts';
import { changeCode } from './codes.ts';
import { planOf } from './creation.ts';
import { noticedBefore } from './cycles.ts';
import type { Override, PlanDocument, SubscriptionDocument, Terms } from './documents.ts';
import { checkedTerms, isSame, surchargeOf } from './plans.ts';

type Asked = BodyOf<typeof billing.updateSubscription>;

/** Applies an update to a subscription. Throws the platform's 400 for a change that its state doesn't allow. */
export function updated(
  world: World,
  merchant: Merchant,
  it: SubscriptionDocument,
  asked: Asked,
): SubscriptionDocument {
  const { subscriptionInformation: said = {}, clientReferenceInformation } = asked;
  demandChangeable(asked, it);
  const target = planOf(world, merchant, said.planId);
  const plan = target?.id === it.planId ? undefined : target;
  const { state } = moved(it, 'update', { changes: changesOf(asked, it, plan) });
  const named: SubscriptionDocument = {
    ...it,
    state,
    name: said.name ?? it.name,
    reference: clientReferenceInformation?.code ?? it.reference,
    code: changeCode(world, 'subscription', merchant.id, it.code, said.code, it.id),
  };
  const restarted = restart(world, named, said.startDate);
  const termed = retermed(plan === undefined ? restarted : onPlan(world, restarted, plan), asked);
  return plan !== undefined && isRunning(it.state) ? over(bill(world, termed)) : over(termed);
}

/** Throws the platform's 400 if an update changes a fixed value. */
function demandChangeable(asked: Asked, { terms, customerId }: SubscriptionDocument): void {
  const period = member(asked, 'planInformation.billingPeriod');
  const fixed: readonly (readonly [field: string, given: unknown, held: string])[] = [
    [
      'orderInformation.amountDetails.currency',
      member(asked, 'orderInformation.amountDetails')?.currency,
      terms.currency,
    ],
    ['planInformation.billingPeriod.length', period?.length, String(terms.period.length)],
    ['planInformation.billingPeriod.unit', inCapitals(period?.unit), terms.period.unit],
    ['paymentInformation.customer.id', member(asked, 'paymentInformation.customer')?.id, customerId],
  ];
  const wrong = fixed.find(([, given, held]) => given !== undefined && given !== held)?.[0];
  if (wrong !== undefined) throw invalid(wrong, `${wrong} of a subscription can't be changed.`);
}

/** The document prints units in lower case, too. */
const inCapitals = (unit: unknown): unknown => (typeof unit === 'string' ? unit.toUpperCase() : unit);

type Members = { readonly [name: string]: unknown };

/** An object in a body. The contract doesn't validate unlisted properties. */
const member = (body: object, path: string): Members | undefined =>
  path.split('.').reduce<Members | undefined>((at, name) => asMembers(at?.[name]), asMembers(body));

const asMembers = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? (value as Members) : undefined; // an object has members

/** What an update changes: the strictest category applies. */
function changesOf(
  { subscriptionInformation: said = {}, clientReferenceInformation, planInformation, orderInformation }: Asked,
  it: SubscriptionDocument,
  plan: PlanDocument | undefined,
): 'names' | 'terms' | 'start' {
  const { setupFee, billingAmount, surcharge } = orderInformation?.amountDetails ?? {};
  const { total, amount, setupFee: fee, surcharge: extra } = it.terms;
  const starts = said.startDate !== undefined && Date.parse(said.startDate) !== Date.parse(it.startDate);
  if (starts || differs(setupFee, fee)) return 'start';
  const terms = [
    differs(planInformation?.billingCycles?.total, String(total)),
    differs(billingAmount, amount),
    surcharges(surcharge, extra),
    (clientReferenceInformation?.code ?? it.reference) !== it.reference,
  ];
  return plan !== undefined || terms.includes(true) ? 'terms' : 'names';
}

/** Whether another number or amount is given than the one held: an unchanged value is no change. */
const differs = (given: unknown, held: unknown): boolean => given !== undefined && !isSame(given, held);

/** Whether an update gives another surcharge than the one held. What it leaves out of an unchanged one stays. */
const surcharges = ({ amount, description }: Given = {}, held: Terms['surcharge']): boolean =>
  differs(amount, held?.amount) || (description ?? held?.description) !== held?.description;

type Given = NonNullable<Parameters<typeof surchargeOf>[0]>;

function restart(world: World, it: SubscriptionDocument, startDate: string | undefined): SubscriptionDocument {
  if (startDate === undefined || Date.parse(startDate) === Date.parse(it.startDate)) return it;
  const anchor = Date.parse(startDate);
  if (dayOf(anchor) < dayOf(world.now))
    throw invalid('subscriptionInformation.startDate', 'The start date has already passed.');
  const moved = { ...it, ...dates, startDate, anchor };
  return { ...moved, noticed: noticedBefore(moved, world.now) };
}

/** Dates that are counted from a new anchor. */
const dates = { first: 1, dayOfMonth: undefined, earlier: undefined } as const;

/** Switching to another plan restarts the schedule and drops all overrides. */
function onPlan(world: World, it: SubscriptionDocument, plan: PlanDocument): SubscriptionDocument {
  world.put('plan', { ...plan, assigned: true });
  const anchor = isRunning(it.state) ? world.now : it.anchor;
  const fresh = { ...dates, next: 1, setupCycle: 1, skips: [], retries: [], missed: [], overrides: [] };
  const switched = { ...it, ...fresh, anchor, planId: plan.id, terms: plan.terms };
  return { ...switched, noticed: noticedBefore(switched, world.now) };
}

/** Applies the terms that an update gives. Those that the subscription has already change nothing. */
function retermed(it: SubscriptionDocument, { planInformation, orderInformation }: Asked): SubscriptionDocument {
  const { billingAmount, setupFee, surcharge } = orderInformation?.amountDetails ?? {};
  const total = planInformation?.billingCycles?.total;
  if (total !== undefined && Number(total) < it.next - 1)
    throw invalid('planInformation.billingCycles.total', 'More payments than that were made already.');
  const given: { readonly [O in Override]?: Terms[O] | undefined } = {
    total: total === undefined ? undefined : Number(total),
    amount: billingAmount,
    setupFee,
    surcharge: surcharges(surcharge, it.terms.surcharge) ? surchargeOf(surcharge, it.terms.surcharge) : undefined,
  };
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  const asked = checkedTerms({ ...it.terms, ...Object.fromEntries(own) });
  // The keys of `given` are parts of the terms.
  const parts = (Object.keys(given) as Override[]).filter((part) => differs(given[part], it.terms[part]));
  return {
    ...it,
    terms: { ...it.terms, ...Object.fromEntries(parts.map((part) => [part, asked[part]])) },
    overrides: [...new Set([...it.overrides, ...parts])],
  };
}
