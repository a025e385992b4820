import { moneyFault } from '../../../core/money.ts';
import { isBillable, type Period, type PeriodUnit } from '../../../core/schedule.ts';
import { type BodyOf, find, invalid, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { billing as operations } from '../contract.ts';
import { plan } from '../machines.ts';
import type { planAmounts } from '../shapes.ts';
import { amended, followed, isOver } from './amendments.ts';
import { changed, page, planView } from './answers.ts';
import { changeCode, freeCode, nextCode, takeCode } from './codes.ts';
import type { PlanDocument, Terms } from './documents.ts';
import { matching } from './filters.ts';

/** The plans of document 2. A rule marked P in the rule book is enforced here or by the machine. */
export const plans: HandlersOf<Pick<typeof operations, Extract<keyof typeof operations, `${string}Plan${string}`>>> = {
  createPlan({ body, merchant }, world) {
    const { code, name, description = null, status } = body.planInformation;
    const terms = termsOf(body.planInformation, body.orderInformation.amountDetails);
    const id = world.uuid('plan');
    const state = movedPlan({ state: 'none', assigned: false }, 'create', status === 'DRAFT');
    const it: PlanDocument = {
      ...{ id, state, name, description, terms, assigned: false, merchantId: merchant.id },
      seq: world.count('plan/seq'),
      code: takeCode(world, 'plan', merchant.id, code, id),
    };
    return { status: 201, entity: id, body: changed('plan', world.put('plan', it), world.now) };
  },

  listPlans({ query, merchant }, world) {
    const mine = world.list('plan').filter(({ merchantId }) => merchantId === merchant.id);
    const found = mine.filter(matching(query)).toSorted((one, other) => one.seq - other.seq);
    const { rows, ...paged } = page('/rbs/v1/plans', query, found, world.now);
    return { status: 200, entity: '', body: { ...paged, plans: rows.map((it) => planView(it)) } };
  },

  getPlan({ path, merchant }, world) {
    const it = find(world, 'plan', path.id, merchant, 'id');
    return { status: 200, entity: it.id, body: { ...planView(it), submitTimeUtc: isoTime(world.now) } };
  },

  getPlanCode({ merchant }, world) {
    const code = nextCode(world, 'plan', merchant.id);
    return { status: 200, entity: '', body: { code, submitTimeUtc: isoTime(world.now) } };
  },

  amendPlan({ path, body, merchant, isPublished }, world) {
    const it = find(world, 'plan', path.id, merchant, 'id');
    const { code, name, description, status } = body.planInformation ?? {};
    const state = becoming(it, movedPlan(it, 'amend'), status);
    mayChange[it.state]?.(body, it, isPublished('PL-05'));
    const amendment = amendmentOf(it.terms, body);
    const terms = checkedTerms({ ...it.terms, ...amendment });
    const isForAll = body.processingInformation?.subscriptionBillingOptions?.applyTo === 'ALL';
    const reached = isForAll ? world.list('subscription').filter((one) => one.planId === it.id && !isOver(one)) : [];
    // An override may be invalid in the new currency: then nothing changes.
    for (const one of reached) checkedTerms(followed(one, amendment));
    const changedPlan: PlanDocument = {
      ...it,
      state,
      terms,
      name: name ?? it.name,
      description: description ?? it.description,
      code: changeCode(world, 'plan', merchant.id, it.code, code, it.id),
    };
    for (const one of reached) amended(world, one, amendment);
    return { status: 200, entity: it.id, body: changed('plan', world.put('plan', changedPlan), world.now) };
  },

  activatePlan: ({ path, merchant }, world) => stepped(world, find(world, 'plan', path.id, merchant, 'id'), 'activate'),

  deactivatePlan: ({ path, merchant }, world) =>
    stepped(world, find(world, 'plan', path.id, merchant, 'id'), 'deactivate'),

  deletePlan({ path, merchant }, world) {
    const it = find(world, 'plan', path.id, merchant, 'id');
    movedPlan(it, 'delete');
    freeCode(world, 'plan', merchant.id, it.code);
    world.remove('plan', it.id);
    return { status: 200, entity: it.id, body: { submitTimeUtc: isoTime(world.now), status: 'COMPLETED' } };
  },
};

type Trigger = Parameters<typeof plan.move>[1];

/** The state after a trigger. Throws the platform's 400 where no row allows it. */
function movedPlan(it: Pick<PlanDocument, 'state' | 'assigned'>, trigger: Trigger, draft = false): string {
  const move = plan.move({ state: it.state, assigned: it.assigned, draft }, trigger);
  if (!move.ok) throw new PlatformError(400, 'INVALID_STATE', move.because);
  return move.to;
}

/** The state that an amendment of a plan leads to. Throws the platform's 400 where it can't lead there (PL-04). */
function becoming(it: PlanDocument, state: string, wanted: string = state): string {
  if (wanted === state) return state;
  const trigger = amendments[state]?.[wanted];
  if (trigger === undefined)
    throw invalid('planInformation.status', 'The status of a plan is changed by activating or deactivating it.');
  return movedPlan({ ...it, state }, trigger);
}

/** All of a draft may change, its status too; nothing becomes a draft again (D-13), and nothing else of a status may change. */
const amendments: { readonly [state: string]: { readonly [wanted: string]: Trigger | undefined } | undefined } = {
  DRAFT: { ACTIVE: 'activate' },
};

function stepped(world: World, it: PlanDocument, trigger: Trigger) {
  const state = movedPlan(it, trigger);
  return { status: 200, entity: it.id, body: changed('plan', world.put('plan', { ...it, state }), world.now) };
}

type Amendment = BodyOf<typeof operations.amendPlan>;

/** The fields of an active plan that can't be amended: by the document, and by public models of clients (D-01). */
const refusedOfActive = {
  document: (({ planInformation = {}, orderInformation }: Amendment) => ({
    'planInformation.code': planInformation.code,
    'planInformation.name': planInformation.name,
    'planInformation.description': planInformation.description,
    'orderInformation.amountDetails.billingAmount': orderInformation?.amountDetails?.billingAmount,
    'orderInformation.amountDetails.setupFee': orderInformation?.amountDetails?.setupFee,
  })) satisfies (body: Amendment) => object,
  published: (({ planInformation = {}, orderInformation }: Amendment) => ({
    'planInformation.billingPeriod.length': planInformation.billingPeriod?.length,
    'planInformation.billingPeriod.unit': planInformation.billingPeriod?.unit?.toUpperCase(),
    'orderInformation.amountDetails.currency': orderInformation?.amountDetails?.currency,
  })) satisfies (body: Amendment) => object,
};

/** Checks an amendment by the state of the plan (PL-04 to PL-06). In every other state the machine refuses it. */
const mayChange: {
  readonly [state: string]: ((body: Amendment, held: PlanDocument, published: boolean) => void) | undefined;
} = {
  ACTIVE: (body, held, published) => {
    const members = refusedOfActive[published ? 'published' : 'document'];
    const now: Readonly<Record<string, unknown>> = members(asAmendment(held));
    // An unchanged value is no change.
    const wrong = Object.entries(members(body)).find(
      ([name, value]) => value !== undefined && !isSame(value, now[name]),
    )?.[0];
    if (wrong !== undefined)
      throw new PlatformError(400, 'VALIDATION_ERROR', `${wrong} of an active plan can't be changed.`, {
        source: wrong,
      });
  },
};

/** A currency of the contract. */
type Currency = NonNullable<NonNullable<NonNullable<Amendment['orderInformation']>['amountDetails']>['currency']>;

/** The amendment that would change nothing of a plan. */
const asAmendment = ({ code, name, description, terms }: PlanDocument): Amendment => ({
  planInformation: {
    ...{ code, name, description: description ?? undefined },
    billingPeriod: { length: String(terms.period.length), unit: terms.period.unit },
  },
  orderInformation: {
    amountDetails: {
      currency: terms.currency as Currency,
      billingAmount: terms.amount,
      setupFee: terms.setupFee ?? undefined,
    },
  },
});

/** Trailing zeros don't make amounts differ. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  (typeof one === 'string' && typeof other === 'string' && /^\d+(\.\d+)?$/.test(one) && Number(one) === Number(other));

function amendmentOf(held: Terms, { planInformation = {}, orderInformation }: Amendment): Partial<Terms> {
  const { currency, billingAmount, setupFee } = orderInformation?.amountDetails ?? {};
  const total = planInformation.billingCycles?.total;
  const cycles = 'planInformation.billingCycles.total';
  // PL-07 and D-111: a plan without an end takes no number, because it would end sooner.
  if (total !== undefined && (held.total === null || Number(total) < held.total))
    throw new PlatformError(400, 'VALIDATION_ERROR', `${cycles} may only increase.`, { source: cycles });
  const period = periodOf(planInformation.billingPeriod, held.period);
  return {
    ...(period === undefined ? {} : { period }),
    ...(total === undefined ? {} : { total: Number(total) }),
    ...(currency === undefined ? {} : { currency }),
    ...(billingAmount === undefined ? {} : { amount: billingAmount }),
    ...(setupFee === undefined ? {} : { setupFee }),
  };
}

interface PlanParts {
  readonly billingPeriod: { readonly length?: string | undefined; readonly unit?: string | undefined };
  readonly billingCycles?: { readonly total?: string | undefined } | undefined;
}
type Amounts = { readonly [M in keyof ReturnType<typeof planAmounts>]?: string | undefined } & {
  readonly currency: string;
  readonly billingAmount: string;
};

/** The terms of a new plan. Throws the platform's 400 if they are invalid. */
export const termsOf = ({ billingPeriod, billingCycles }: PlanParts, amounts: Amounts): Terms =>
  checkedTerms({
    period: periodOf(billingPeriod) ?? { length: 0, unit: 'D' },
    total: billingCycles?.total === undefined ? null : Number(billingCycles.total),
    currency: amounts.currency,
    amount: amounts.billingAmount,
    setupFee: amounts.setupFee ?? null,
    surcharge: null,
  });

/** The surcharge that a request leads to, with the amount that it leaves out as it was; undefined if it names none. */
export function surchargeOf(
  given: { readonly amount?: string | undefined; readonly description?: string | undefined } = {},
  held: Terms['surcharge'] = null,
): NonNullable<Terms['surcharge']> | undefined {
  const amount = given.amount ?? (given.description === undefined ? undefined : held?.amount);
  return amount === undefined ? undefined : { amount, description: given.description };
}

/** The period that a request leads to, with the part that it leaves out as it was; undefined if it has none, or no whole one. */
export function periodOf(given: PlanParts['billingPeriod'] = {}, held?: Period): Period | undefined {
  if (given.length === undefined && given.unit === undefined) return undefined;
  const length = given.length === undefined ? held?.length : Number(given.length);
  // The schema allows only these units, in either case.
  const unit = given.unit === undefined ? held?.unit : (given.unit.toUpperCase() as PeriodUnit);
  return length === undefined || unit === undefined ? undefined : { length, unit };
}

/** Returns the terms unchanged. Throws the platform's 400 if their period or an amount is invalid (PL-03). */
export function checkedTerms(terms: Terms): Terms {
  if (!isBillable(terms.period))
    throw invalid('planInformation.billingPeriod', 'The interval between payments is at most 12 months.');
  for (const [name, amount] of [
    ['billingAmount', terms.amount],
    ['setupFee', terms.setupFee],
    ['surcharge.amount', terms.surcharge?.amount],
  ] as const) {
    const fault = amount === null || amount === undefined ? null : moneyFault(amount, terms.currency);
    if (fault !== null) throw invalid(`orderInformation.amountDetails.${name}`, fault);
  }
  return terms;
}
