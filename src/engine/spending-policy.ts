import { type Currency, isCurrency } from '../core/currencies.ts';
import { type Money, money, moneyFault, spoken, within } from '../core/money.ts';
import type { Scope } from './policy-scopes.ts';

/**
 * An operator's policy. As a limit it refuses what exceeds it; as a mandate it approves what stays within it, so no
 * person is asked. Both have the same terms; an absent term means no bound.
 */
export interface SpendingPolicy {
  readonly name: string;
  /** The tools it applies to. */
  readonly tools: readonly string[];
  readonly currency: Currency;
  /** Decimal text: the largest amount of a call, and the largest total of a scope. */
  readonly perCall?: string | undefined;
  readonly total?: string | undefined;
  /** The largest number of calls in a scope. */
  readonly count?: number | undefined;
  /** The parts of the scope that `total` and `count` apply to; empty for a single scope. */
  readonly per: readonly Scope[];
  readonly payees?: readonly string[] | undefined;
  /** Handles of cards. */
  readonly instruments?: readonly string[] | undefined;
  /** ISO 8601; the policy ends then. */
  readonly until?: string | undefined;
}

/** What a call would spend, to whom, from what, and for whom. */
export interface Spend {
  /** The largest amount that can move afterwards; undefined for a call that only counts as a call. */
  readonly amount: Money | undefined;
  /** There is an amount, but it can't be computed. */
  readonly isUnknown?: true;
  /** Minor units that it adds to what was already counted: less than the amount if it raises an earlier call's. */
  readonly adds: number;
  /** The part of `adds` that calls of other tools already counted, by tool. */
  readonly held?: { readonly [tool: string]: number };
  readonly payee: string;
  readonly instrument: string;
  readonly scope: { readonly [S in Scope]: string };
}

/** Whether terms allow nothing any more. `now`: milliseconds. */
export const hasEnded = ({ until }: Pick<SpendingPolicy, 'until'>, now: number): boolean =>
  until !== undefined && Date.parse(until) <= now;

/** Why a single call violates terms, regardless of earlier calls; null if it doesn't. */
export function policyFault(terms: SpendingPolicy, spend: Spend, now: number): string | null {
  const { amount, isUnknown, payee, instrument } = spend;
  if (isUnknown) return `The total of this call can't be computed, so it can't be checked against "${terms.name}".`;
  if (amount !== undefined && terms.currency !== amount.currency)
    return `"${terms.name}" is in ${terms.currency}, the call in ${amount.currency}.`;
  if (hasEnded(terms, now)) return `"${terms.name}" has ended.`;
  if (amount === undefined) return null;
  if (terms.payees !== undefined && !terms.payees.includes(payee)) return `"${terms.name}" does not allow this payee.`;
  if (terms.instruments !== undefined && !terms.instruments.includes(instrument))
    return `"${terms.name}" does not allow this card.`;
  const most = terms.perCall === undefined ? undefined : money(terms.perCall, terms.currency);
  return most === undefined || within(amount, most)
    ? null
    : `${spoken(amount)} is above the ${spoken(most)} that "${terms.name}" allows for one call.`;
}

/** The scope of a call: the parts that the terms name. */
export const scopeOf = ({ per }: SpendingPolicy, { scope }: Spend): string =>
  per.map((part) => `${part}=${scope[part]}`).join(' ');

/** Minor units that a call adds to a policy's total. What another tool counted is in it only if the policy names that tool. */
export const addedTo = ({ tools }: SpendingPolicy, { adds, held = {} }: Spend): number =>
  Math.max(0, adds - tools.reduce((sum, tool) => sum + (held[tool] ?? 0), 0));

/** A policy's total in minor units; undefined if it has none. */
export const totalOf = ({ total, currency }: SpendingPolicy): number | undefined =>
  total === undefined ? undefined : Number(money(total, currency).minor);

/** The most that a policy's budget can hold, in minor units: its total, or what can be counted exactly. */
export const capacityOf = (terms: SpendingPolicy): number => totalOf(terms) ?? Number.MAX_SAFE_INTEGER;

/** Why terms are invalid, such as an amount with too many decimals; null if they are valid. */
export function invalidPolicy({ currency, perCall, total }: SpendingPolicy): string | null {
  if (!isCurrency(currency)) return `${currency} is not an ISO 4217 currency.`;
  for (const amount of [perCall, total]) {
    const fault = amount === undefined ? null : moneyFault(amount, currency);
    if (fault !== null) return fault;
  }
  return null;
}
