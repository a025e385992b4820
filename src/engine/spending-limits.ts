import type { Currency } from '../core/currencies.ts';
import { decimal, money, moneyFault } from '../core/money.ts';
import type { Facts, Things } from '../domains/facts.ts';
import { type LimitScopeKind, limitScopeKinds } from '../domains/index.ts';
import { StaleRow } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { Refused } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import { policyFault, type Spend, type SpendingPolicy, scopeOf, totalOf } from './spending-policy.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** The amount of a call, and what it counts in. Where money moves, what is no amount is refused, whatever the rule's level. */
export function spendOf(tool: PlatformTool, facts: Facts, caller: Caller): Spend {
  const moved = tool.policy.spend?.(facts);
  const scope = {
    ...countedBy(facts.things),
    session: caller.session ?? caller.principal,
    day: new Date(facts.now).toISOString().slice(0, 10),
  };
  const none = { amount: undefined, adds: 0, payee: '', instrument: '', scope };
  if (moved === undefined) return none;
  if (moved === 'unknown') return { ...none, isUnknown: true };
  const { amountRule, shape } = operationOf(tool);
  const fault = moneyFault(moved.amount, moved.currency);
  if (fault !== null && tool.policy.amountIs !== undefined) return { ...none, isUnknown: true };
  if (fault !== null)
    throw new Refused({ code: 'RULE', rule: amountRule ?? shape, because: fault, field: 'arguments', instead: [] });
  const amount = money(moved.amount, moved.currency);
  const counted = moved.counted === undefined ? 0 : Number(money(moved.counted, moved.currency).minor);
  const { payee, instrument } = moved;
  return { amount, adds: Math.max(0, Number(amount.minor) - counted), payee, instrument, scope };
}

/** The handles that limits are counted by. */
const countedBy = (things: Things) =>
  Object.fromEntries(limitScopeKinds.map((kind) => [kind, things[kind]?.handle ?? ''])) as {
    readonly [K in LimitScopeKind]: string; // its keys are these kinds
  };

/**
 * Refuses what goes beyond the operator's limits. Where a tool has limits at all, one of them must be in the currency of
 * the call, and all of those must hold. A call that moves nothing is counted by all of them.
 */
export async function checkLimits(
  tx: LedgerTransaction,
  { limits }: EngineSettings,
  tool: PlatformTool,
  outlay: Spend,
  now: number,
): Promise<readonly SpendingPolicy[]> {
  const { amount } = outlay;
  const about = limits.filter(({ tools }) => tools.includes(tool.name));
  const binding = amount === undefined ? about : about.filter(({ currency }) => currency === amount.currency);
  if (about.length > 0 && binding.length === 0) throw beyond(`No limit allows ${amount?.currency} for ${tool.name}.`);
  for (const terms of binding) {
    const fault = policyFault(terms, outlay, now) ?? (await exhausted(tx, terms, outlay));
    if (fault !== null) throw beyond(fault);
  }
  return binding;
}

/** The standing mandate that covers a call, if there is one with enough left. */
export async function standingMandate(
  tx: LedgerTransaction,
  { mandates }: EngineSettings,
  tool: PlatformTool,
  outlay: Spend,
  now: number,
): Promise<SpendingPolicy | undefined> {
  if (outlay.amount === undefined || tool.policy.amountIs !== undefined) return undefined;
  for (const terms of mandates.filter(({ tools }) => tools.includes(tool.name)))
    if (policyFault(terms, outlay, now) === null && (await exhausted(tx, terms, outlay)) === null) return terms;
  return undefined;
}

/**
 * Takes a call's outlay out of every budget that bounds it, in the transaction of its intent. Where another call was
 * faster, nothing is taken and the call is decided once more.
 */
export async function reserve(
  tx: LedgerTransaction,
  bounds: readonly SpendingPolicy[],
  outlay: Spend,
  operationId: string,
): Promise<void> {
  for (const terms of bounds) {
    const take = { budget: terms.name, scope: scopeOf(terms, outlay), operationId, minor: outlay.adds };
    if (!(await tx.budgets.reserve({ ...take, most: totalOf(terms), times: terms.count })))
      throw new StaleRow(`The budget of "${terms.name}" changed meanwhile.`);
  }
}

async function exhausted(tx: LedgerTransaction, terms: SpendingPolicy, outlay: Spend): Promise<string | null> {
  const used = await tx.budgets.used(terms.name, scopeOf(terms, outlay));
  const total = totalOf(terms);
  if (terms.count !== undefined && used.times >= terms.count)
    return `"${terms.name}" has no call left of the ${terms.count} that it allows.`;
  if (total === undefined || used.minor + outlay.adds <= total) return null;
  return `"${terms.name}" has ${left(total - used.minor, terms.currency)} left, which is less than this call.`;
}

/** Minor units as a person reads them. */
export const left = (minor: number, currency: Currency): string =>
  `${decimal({ minor: BigInt(Math.max(0, minor)), currency })} ${currency}`;

const beyond = (because: string): Refused =>
  new Refused({ code: 'RULE', rule: 'EN-11', because, instead: ['get_limits'] });
