import { limits } from '../../../core/limits.ts';
import { decimal, money } from '../../../core/money.ts';
import { hrefOf } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import { missesPayments, plan, subscription } from '../machines.ts';
import type { Coded } from './codes.ts';
import { dateOf, feeCycleOf, hasCycle, isBilled, isModifiable, missedAt } from './cycles.ts';
import type { PaymentDocument, PlanDocument, SubscriptionDocument, Terms } from './documents.ts';

// The response bodies of recurring billing: document 2, "Resources and their fields".

const link = (href: string, method: string) => ({ href, method });

const roots: { readonly [C in Coded]: string } = { plan: '/rbs/v1/plans', subscription: '/rbs/v1/subscriptions' };

/** The last path segment for each trigger. */
const steps: { readonly [C in Coded]: { readonly [trigger: string]: string | undefined } } = {
  plan: { activate: 'activate', deactivate: 'deactivate' },
  subscription: { cancel: 'cancel', suspend: 'suspend', reactivate: 'activate' },
};

/** The triggers that are possible in a state. */
const legal: { readonly [C in Coded]: (state: string) => readonly string[] } = {
  plan: (state) => plan.legal({ state, draft: false, assigned: false }),
  subscription: (state) =>
    subscription.legal({
      state,
      ...{ declined: false, processing: false, outstanding: false, ends: false },
      changes: 'names',
    }),
};

function linksOf(coded: Coded, { id, state }: { readonly id: string; readonly state: string }) {
  const root = `${roots[coded]}/${id}`;
  const triggers = legal[coded](state);
  const open = triggers.flatMap((trigger) => steps[coded][trigger] ?? []);
  return {
    self: link(root, 'GET'),
    // Document 2 shows it of a plan in every state.
    ...(coded === 'plan' || triggers.includes('update') ? { update: link(root, 'PATCH') } : {}),
    ...Object.fromEntries(open.map((step) => [step, link(`${root}/${step}`, 'POST')])),
  };
}

interface Changed {
  readonly id: string;
  readonly state: string;
  readonly code: string;
}

/** The answer to what changes a plan or a subscription. */
export const changed = (coded: Coded, it: Changed, now: number, status = 'COMPLETED') => ({
  _links: linksOf(coded, it),
  id: it.id,
  submitTimeUtc: isoTime(now),
  status,
  [`${coded}Information`]: { code: it.code, status: it.state },
});

const periodView = ({ period, total }: Terms) => ({
  billingPeriod: { length: String(period.length), unit: period.unit },
  ...(total === null ? {} : { billingCycles: { total: String(total) } }),
});

const amountsView = ({ currency, amount, setupFee }: Terms) => ({
  currency,
  billingAmount: amount,
  ...(setupFee === null ? {} : { setupFee }),
});

export const planView = ({ id, state, code, name, description, terms }: PlanDocument) => ({
  _links: { self: link(`${roots.plan}/${id}`, 'GET') },
  id,
  planInformation: {
    ...{ code, status: state, name },
    ...(description === null ? {} : { description }),
    ...periodView(terms),
  },
  orderInformation: { amountDetails: amountsView(terms) },
});

/** A subscription, with its plan if it has a stored one. */
export const subscriptionView = (it: SubscriptionDocument, onPlan: PlanDocument | undefined) => ({
  _links: linksOf('subscription', it),
  id: it.id,
  planInformation: {
    ...(onPlan === undefined ? {} : { code: onPlan.code, name: onPlan.name }),
    ...periodView(it.terms),
    billingCycles: {
      ...(it.terms.total === null ? {} : { total: String(it.terms.total) }),
      current: String(it.next - 1),
    },
  },
  subscriptionInformation: {
    ...{ code: it.code, name: it.name, startDate: it.startDate, status: it.state },
    ...(it.planId === null ? {} : { planId: it.planId }),
  },
  paymentInformation: { customer: { id: it.customerId } },
  orderInformation: {
    amountDetails: {
      ...amountsView(it.terms),
      ...(it.terms.surcharge === null ? {} : { surcharge: it.terms.surcharge }),
    },
    billTo: { firstName: it.firstName, lastName: it.lastName },
  },
  ...(it.reference === '' ? {} : { clientReferenceInformation: { code: it.reference } }),
});

/** What reactivating a suspended subscription would collect. */
export function reactivationView(it: SubscriptionDocument, now: number) {
  if (!missesPayments(it.state)) return {};
  const missed = missedAt(it, now);
  const { currency, amount, surcharge, setupFee } = it.terms;
  const each = money(amount, currency);
  const extra = money(surcharge?.amount ?? '0', currency).minor;
  const once = missed.includes(feeCycleOf(it)) ? money(setupFee ?? '0', currency).minor : 0n;
  const total = decimal({ ...each, minor: (each.minor + extra) * BigInt(missed.length) + once });
  return {
    reactivationInformation: { missedPaymentsCount: String(missed.length), missedPaymentsTotalAmount: total },
  };
}

/** A completed payment. */
export const paymentView = (it: PaymentDocument) => ({
  id: it.id.replace('/', '-'),
  status: it.state,
  paymentType: it.type,
  ...(it.transactionId === null ? {} : { transactionID: it.transactionId }),
  date: isoTime(it.at),
  currency: it.currency,
  billingStartDate: isoTime(it.billingStart),
  billingEndDate: isoTime(it.billingEnd),
  billingCycle: String(it.cycle),
  paymentNumber: String(it.number),
  billingAmount: it.amount,
  ...(it.setupFee === null ? {} : { setupFee: it.setupFee }),
  ...surchargeView(it.surcharge),
  modifiable: false,
});

/** Scheduled payments: retries, then the given number of cycles. */
export function scheduledViews(it: SubscriptionDocument, cycles: number, now: number) {
  if (!isBilled(it)) return [];
  const repeats = it.retries.map(({ cycle, at, type }) => ({ cycle, at, type, status: 'SCHEDULED' }));
  const coming = Array.from({ length: cycles }, (_, index) => it.next + index).filter((cycle) => hasCycle(it, cycle));
  const states = (cycle: number) => (it.skips.includes(cycle) ? 'SCHEDULED_SKIPPED' : 'SCHEDULED');
  const all = [
    ...repeats,
    ...coming.map((cycle) => ({ cycle, at: dateOf(it, cycle), type: 'STANDARD', status: states(cycle) })),
  ];
  return all.map((coming, index) => scheduledView(it, coming, it.payments + index + 1, now));
}

interface Coming {
  readonly cycle: number;
  readonly at: number;
  readonly type: string;
  readonly status: string;
}

const scheduledView = (it: SubscriptionDocument, { cycle, at, type, status }: Coming, number: number, now: number) => ({
  id: `${it.id}-cycle-${cycle}`,
  status,
  paymentType: type,
  date: isoTime(at),
  currency: it.terms.currency,
  billingStartDate: isoTime(dateOf(it, cycle)),
  billingEndDate: isoTime(dateOf(it, cycle + 1) - 1),
  billingCycle: String(cycle),
  paymentNumber: String(number),
  billingAmount: it.terms.amount,
  ...(cycle === feeCycleOf(it) && it.terms.setupFee !== null ? { setupFee: it.terms.setupFee } : {}),
  ...surchargeView(it.terms.surcharge),
  modifiable: isModifiable(it, cycle, now),
});

const surchargeView = (surcharge: Terms['surcharge']) =>
  surcharge === null
    ? {}
    : {
        surchargeAmount: surcharge.amount,
        ...(surcharge.description === undefined ? {} : { surchargeDescription: surcharge.description }),
      };

/** The query of a list: offset, limit and filters. */
interface ListQuery {
  readonly offset?: string | undefined;
  readonly limit?: string | undefined;
  readonly [narrowedBy: string]: unknown;
}

/** One page of a list, with its links and totals. The links keep the filters. */
export function page<Row>(
  path: string,
  { offset = '0', limit = String(limits.billingRows), ...narrowed }: ListQuery,
  all: readonly Row[],
  now: number,
) {
  const [from, size] = [Number(offset), Number(limit)];
  const at = (start: number) => link(hrefOf(path, { offset: start, limit: size, ...narrowed }), 'GET');
  return {
    _links: {
      self: at(from),
      ...(from + size < all.length ? { next: at(from + size) } : {}),
      ...(from > 0 ? { previous: at(Math.max(0, from - size)) } : {}),
    },
    submitTimeUtc: isoTime(now),
    totalCount: all.length,
    rows: all.slice(from, from + size),
  };
}
