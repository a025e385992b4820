import { isTainted, type Model, type Plan, type Subscription, type Terms, type Wanted } from '../engine/model.ts';

// The calls of billing that the model-based test makes: what each does to the platform, and to what Purser counts.

/** Seconds from the beginning of a world to the end of its first day, and of a day. */
const firstDay = 15 * 3_600;
const day = 24 * 3_600;
/** When a subscription starts, in seconds from the beginning of a world. */
export const later = 31 * day;
/** No subscription is cancelled so many seconds before or after a payment. */
const paymentSeconds = 600;

const dayOf = (seconds: number): number => Math.floor((seconds + day - firstDay) / day);

/** What of terms is overridden. */
export interface Own {
  readonly amount?: number | undefined;
  readonly total?: number | undefined;
}

const withOwn = (terms: Terms, { amount, total }: Own): Terms => ({
  ...terms,
  ...(amount === undefined ? {} : { amount }),
  ...(total === undefined ? {} : { total }),
});

/** Payments of the first twelve months, where terms have no end. */
const inTwelveMonths = { M: 12, W: 53 } as const;
const payments = ({ total, unit }: Terms): number => total ?? inTwelveMonths[unit];
const commitment = (terms: Terms): number => terms.fee + payments(terms) * terms.amount;

const common = { repeatable: 'never', apply: () => true, learn: () => {}, learnLate: () => {} } as const;

/** What is asked for on a plan, or by a schedule of its own where there is none. */
export interface Asked {
  readonly tool: 'create_subscription' | 'create_follow_on_subscription';
  readonly reference: string;
  readonly plan: Plan | undefined;
  readonly own: Own;
  /** Seconds from the beginning of the world. */
  readonly start: number;
}

/** A schedule of its own: monthly, 8.00 unless it says otherwise. */
export const ownTerms: Terms = { amount: 800, unit: 'M', total: undefined, fee: 0 };

export function create(it: Model, { tool, reference, plan, own, start }: Asked): Wanted {
  const terms = () => withOwn(plan?.terms ?? ownTerms, own);
  return {
    ...common,
    tool,
    key: reference,
    named: true,
    family: 'new subscription',
    args: JSON.stringify([plan?.handle, own, start]),
    subject: '',
    ...(plan === undefined ? {} : { dependsOn: plan.handle }),
    spends: commitment(terms()),
    legal: () => dayOf(start) >= dayOf(it.seconds),
    needs: () => true,
    reads: () => JSON.stringify(terms()),
    apply: () => {
      if (dayOf(start) < dayOf(it.seconds)) return false;
      const made: Subscription = {
        ...{ reference, handle: '', state: 'PENDING', name: reference, terms: terms() },
        ...{ ownTotal: own.total !== undefined, plan: plan?.handle ?? '', charged: 0, chargedAt: undefined },
      };
      if (dayOf(start) === dayOf(it.seconds)) charge(it, made);
      it.subscriptions.push(made);
      return true;
    },
  };
}

/** The first payment of a schedule. */
function charge(it: Model, made: Subscription): void {
  made.state = 'ACTIVE';
  made.charged += made.terms.amount + made.terms.fee;
  made.chargedAt = it.seconds;
}

export interface Change extends Own {
  readonly name?: string | undefined;
  readonly plan?: Plan | undefined;
}

export function update(it: Model, made: Subscription, { name, plan, ...own }: Change): Wanted {
  const reprices = plan !== undefined || own.amount !== undefined || own.total !== undefined;
  const after = () => withOwn(plan?.terms ?? made.terms, own);
  /** What is to come after it, less what was to come before: no schedule here has had more than its first payment. */
  const adds = (): number => {
    if (!reprices) return 0;
    if (made.state === 'PENDING') return commitment(after()) - commitment(made.terms);
    const toCome = (terms: Terms) => (terms.total === undefined ? payments(terms) : terms.total - 1) * terms.amount;
    if (plan !== undefined) return commitment(after()) - (payments(made.terms) - 1) * made.terms.amount;
    return toCome(after()) - toCome(made.terms);
  };
  // D-48: name and code stay open to change.
  const allowed = () => ['PENDING', 'ACTIVE', ...(reprices ? [] : ['SUSPENDED', 'CANCELLED'])].includes(made.state);
  return {
    ...common,
    tool: 'update_subscription',
    key: made.handle,
    named: false,
    args: JSON.stringify([made.handle, name, plan?.handle, own]),
    subject: made.handle,
    ...dependingOn(plan?.handle ?? made.plan),
    spends: Math.max(0, adds()),
    legal: () => allowed() && (plan === undefined || plan.handle !== made.plan),
    // Its name and price are what its customer reads and pays.
    needs: () => true,
    // When its first payment is, or since when it is charged, is read, too.
    reads: () => JSON.stringify([made.name, made.state === 'PENDING', made.terms, after()]),
    apply: () => {
      if (!allowed()) return false;
      // The platform takes no other plan for one that the subscription is on by now.
      const moves = plan !== undefined && plan.handle !== made.plan;
      made.terms = withOwn(moves ? plan.terms : made.terms, own);
      made.ownTotal = own.total !== undefined || (made.ownTotal && !moves);
      made.name = name ?? made.name;
      if (!moves) return true;
      made.plan = plan.handle;
      if (made.state === 'ACTIVE') charge(it, made);
      return true;
    },
  };
}

const dependingOn = (plan: string | undefined) => (plan === undefined || plan === '' ? {} : { dependsOn: plan });

/** Moves a subscription from one state to another, and nothing else. */
const moving = (
  tool: 'suspend_subscription' | 'reactivate_subscription' | 'cancel_subscription',
  made: Subscription,
  from: readonly Subscription['state'][],
  to: Subscription['state'],
): Wanted => ({
  ...common,
  tool,
  key: made.handle,
  named: false,
  args: made.handle,
  subject: made.handle,
  spends: 0,
  legal: () => from.includes(made.state),
  needs: () => false,
  reads: () => '',
  apply: () => {
    if (!from.includes(made.state)) return false;
    made.state = to;
    return true;
  },
  shown: () => made.state === to,
});

export const suspend = (made: Subscription): Wanted => moving('suspend_subscription', made, ['ACTIVE'], 'SUSPENDED');

export const reactivate = (made: Subscription, collects: boolean): Wanted => ({
  ...moving('reactivate_subscription', made, ['SUSPENDED'], 'ACTIVE'),
  ...dependingOn(made.plan),
  args: `${made.handle} ${collects}`,
  needs: () => true,
  reads: () => JSON.stringify([made.name, made.terms]),
});

export function cancel(it: Model, made: Subscription): Wanted {
  const moved = moving('cancel_subscription', made, ['PENDING', 'ACTIVE', 'SUSPENDED'], 'CANCELLED');
  const isOpen = () => made.chargedAt === undefined || it.seconds - made.chargedAt > paymentSeconds;
  return {
    ...moved,
    repeatable: 'always',
    legal: () => moved.legal() && isOpen(),
    apply: () => isOpen() && moved.apply(),
  };
}

export const amend = (it: Model, plan: Plan, total: number, all: boolean): Wanted => {
  const mayGrow = () => plan.terms.total !== undefined && total >= plan.terms.total;
  return {
    ...common,
    tool: 'amend_plan',
    key: plan.handle,
    named: false,
    args: JSON.stringify([plan.handle, total, all]),
    subject: plan.handle,
    changes: plan.handle,
    repeatable: 'for half an hour',
    spends: 0,
    legal: mayGrow,
    needs: () => all || isTainted(it),
    reads: () => String(plan.terms.total),
    apply: () => {
      if (!mayGrow()) return false;
      plan.terms = { ...plan.terms, total };
      // Whoever approves it reads "all that are on this plan": also those whom an amendment for new ones had left out before.
      const reached = it.subscriptions.filter(
        ({ plan: on, ownTotal, state }) => all && on === plan.handle && !ownTotal && state !== 'CANCELLED',
      );
      for (const made of reached) made.terms = { ...made.terms, total };
      return true;
    },
  };
};
