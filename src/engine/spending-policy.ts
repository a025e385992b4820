import { type Currency, isCurrency } from '../core/currencies.ts';
import { type Money, money, moneyFault, spoken, within } from '../core/money.ts';
import { limitScopeKinds } from '../domains/index.ts';

/**
 * What an operator allows. As a limit it refuses what goes beyond; as a standing mandate it approves what stays within,
 * so that nobody is asked. Both have the same terms; a term that is absent bounds nothing.
 */
export interface SpendingPolicy {
  readonly name: string;
  /** The tools it is about. */
  readonly tools: readonly string[];
  readonly currency: Currency;
  /** Decimal text: the most of one call, and of all calls of a scope together. */
  readonly perCall?: string | undefined;
  readonly total?: string | undefined;
  /** How many calls of a scope. */
  readonly count?: number | undefined;
  /** What `total` and `count` are counted by, together; everything in one where it is empty. */
  readonly per: readonly Scope[];
  readonly payees?: readonly string[] | undefined;
  /** Handles of cards. */
  readonly instruments?: readonly string[] | undefined;
  /** ISO 8601; it allows nothing after that. */
  readonly until?: string | undefined;
}

export const scopes = [...limitScopeKinds, 'session', 'day'] as const;
export type Scope = (typeof scopes)[number];

/** What a call would move, to whom, from what, and by whom. */
export interface Spend {
  /** What may move at most after it; undefined for a call that moves nothing: it counts as one call and no more. */
  readonly amount: Money | undefined;
  /** There is an amount, and it can't be computed. */
  readonly isUnknown?: true;
  /** Minor units that it adds to what was counted before: less than the amount where a call raises an earlier one. */
  readonly adds: number;
  readonly payee: string;
  readonly instrument: string;
  readonly scope: { readonly [S in Scope]: string };
}

/** Why a call is outside of terms, without regard to what was moved before; null where it is within. */
export function policyFault(terms: SpendingPolicy, outlay: Spend, now: number): string | null {
  const { amount, isUnknown, payee, instrument } = outlay;
  if (isUnknown) return `What this call comes to can't be computed, so it can't be held against "${terms.name}".`;
  if (amount !== undefined && terms.currency !== amount.currency)
    return `"${terms.name}" is in ${terms.currency}, the call in ${amount.currency}.`;
  if (terms.until !== undefined && Date.parse(terms.until) <= now) return `"${terms.name}" has ended.`;
  if (amount === undefined) return null;
  if (terms.payees !== undefined && !terms.payees.includes(payee)) return `"${terms.name}" does not allow this payee.`;
  if (terms.instruments !== undefined && !terms.instruments.includes(instrument))
    return `"${terms.name}" does not allow this card.`;
  const most = terms.perCall === undefined ? undefined : money(terms.perCall, terms.currency);
  return most === undefined || within(amount, most)
    ? null
    : `${spoken(amount)} is above the ${spoken(most)} that "${terms.name}" allows for one call.`;
}

/** The scope that a call counts in: the parts that the terms name. */
export const scopeOf = ({ per }: SpendingPolicy, { scope }: Spend): string =>
  per.map((part) => `${part}=${scope[part]}`).join(' ');

/** Whole minor units of a total; undefined where the terms bound none. */
export const totalOf = ({ total, currency }: SpendingPolicy): number | undefined =>
  total === undefined ? undefined : Number(money(total, currency).minor);

/** Why terms can't be: an amount that is none of the currency's. */
export function invalidPolicy({ currency, perCall, total }: SpendingPolicy): string | null {
  if (!isCurrency(currency)) return `${currency} is not an ISO 4217 currency.`;
  for (const amount of [perCall, total]) {
    const fault = amount === undefined ? null : moneyFault(amount, currency);
    if (fault !== null) return fault;
  }
  return null;
}
