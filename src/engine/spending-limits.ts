import type { Currency } from '../core/currencies.ts';
import { decimal, money, moneyFault } from '../core/money.ts';
import type { Facts, Things } from '../domains/facts.ts';
import { type LimitScopeKind, limitScopeKinds } from '../domains/index.ts';
import { StaleRow } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { needsApproval } from './approval-scope.ts';
import { assemble } from './assemble.ts';
import { Refused } from './refusal.ts';
import type { EngineSettings } from './settings.ts';
import { addedTo, capacityOf, policyFault, type Spend, type SpendingPolicy, scopeOf } from './spending-policy.ts';
import { operationOf, type PlatformTool, toolName } from './tool.ts';
import type { SpendAmount } from './tool-policy.ts';

/**
 * The amount of a call, and its scopes. An invalid amount is refused if money moves, whatever the level of the rule.
 */
export function spendOf(tool: PlatformTool, facts: Facts, caller: Caller, moved = tool.policy.spend?.(facts)): Spend {
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
  const counted = countedBefore(tool, facts, caller, moved);
  const { payee, instrument } = moved;
  return { amount, adds: Math.max(0, Number(amount.minor) - counted), held: heldBy(moved), payee, instrument, scope };
}

/** What an earlier call counted of the amount. Who approves a payment once more approves another one. */
function countedBefore(tool: PlatformTool, facts: Facts, caller: Caller, moved: SpendAmount): number {
  const { counted, currency, isAnew = false } = moved;
  if (counted === undefined || (isAnew && needsApproval(tool, facts, assemble(tool, facts), caller))) return 0;
  return Number(money(counted, currency).minor);
}

const heldBy = ({ held = {}, currency }: SpendAmount): NonNullable<Spend['held']> =>
  Object.fromEntries(
    Object.entries(held).map(([operation, sum]) => [toolName(operation), Number(money(sum, currency).minor)]),
  );

/** The handles that limits are counted by. */
const countedBy = (things: Things) =>
  Object.fromEntries(limitScopeKinds.map((kind) => [kind, things[kind]?.handle ?? ''])) as {
    readonly [K in LimitScopeKind]: string; // its keys are these kinds
  };

/**
 * Refuses a call beyond the operator's limits. If a tool has limits, at least one must be in the call's currency, and
 * all of those must allow the call. A call without an amount counts against all of them.
 */
export async function checkLimits(
  tx: LedgerTransaction,
  { limits }: EngineSettings,
  tool: Pick<PlatformTool, 'name'>,
  spend: Spend,
  now: number,
): Promise<readonly SpendingPolicy[]> {
  const { amount } = spend;
  const about = limits.filter(({ tools }) => tools.includes(tool.name));
  const binding = amount === undefined ? about : about.filter(({ currency }) => currency === amount.currency);
  if (about.length > 0 && binding.length === 0) throw beyond(`No limit allows ${amount?.currency} for ${tool.name}.`);
  await load(tx, binding, spend);
  for (const terms of binding) {
    const fault = policyFault(terms, spend, now) ?? (await exhausted(tx, terms, spend));
    if (fault !== null) throw beyond(fault);
  }
  return binding;
}

/** Refuses a call that begins what the limits of another tool would refuse at its end. Nothing counts against them yet. */
export async function checkLimitsAhead(
  tx: LedgerTransaction,
  settings: EngineSettings,
  tool: PlatformTool,
  facts: Facts,
  caller: Caller,
): Promise<void> {
  const { prepares } = tool.policy;
  const amount = prepares?.spend(facts);
  if (prepares === undefined || amount === undefined) return;
  const spend = spendOf(tool, facts, caller, amount);
  await checkLimits(tx, settings, { name: toolName(prepares.operation) }, spend, facts.now);
}

/** The mandate that covers a call, if one has enough left. */
export async function standingMandate(
  tx: LedgerTransaction,
  { mandates }: EngineSettings,
  tool: PlatformTool,
  spend: Spend,
  now: number,
): Promise<SpendingPolicy | undefined> {
  if (spend.amount === undefined || tool.policy.amountIs !== undefined) return undefined;
  const about = mandates.filter((terms) => terms.tools.includes(tool.name) && policyFault(terms, spend, now) === null);
  await load(tx, about, spend);
  for (const terms of about) if ((await exhausted(tx, terms, spend)) === null) return terms;
  return undefined;
}

/**
 * Reserves a call's amount in every budget that bounds it, in the transaction of its intent. If another call got there
 * first, nothing is reserved and the call is decided again.
 */
export async function reserve(
  tx: LedgerTransaction,
  bounds: readonly SpendingPolicy[],
  spend: Spend,
  operationId: string,
): Promise<void> {
  for (const terms of bounds) {
    const take = { budget: terms.name, scope: scopeOf(terms, spend), operationId, minor: addedTo(terms, spend) };
    if (!(await tx.budgets.reserve({ ...take, most: capacityOf(terms), times: terms.count })))
      throw new StaleRow(`The budget of "${terms.name}" changed concurrently.`);
  }
}

/** Prefetches the used amounts of policies, in one statement. */
const load = (tx: LedgerTransaction, bounds: readonly SpendingPolicy[], spend: Spend): Promise<void> =>
  tx.budgets.load(bounds.map((terms) => ({ budget: terms.name, scope: scopeOf(terms, spend) })));

async function exhausted(tx: LedgerTransaction, terms: SpendingPolicy, spend: Spend): Promise<string | null> {
  const used = await tx.budgets.used(terms.name, scopeOf(terms, spend));
  const most = capacityOf(terms);
  // A day that is not said to be in UTC is taken for the customer's own.
  const today = terms.per.includes('day') ? ' today (UTC)' : '';
  if (terms.count !== undefined && used.times >= terms.count)
    return `"${terms.name}" has no calls left${today}: its limit is ${terms.count}.`;
  if (used.minor + addedTo(terms, spend) <= most) return null;
  return `"${terms.name}" has ${left(most - used.minor, terms.currency)} left${today}, which is less than this call.`;
}

/** Minor units as text for people. */
export const left = (minor: number, currency: Currency): string =>
  `${decimal({ minor: BigInt(Math.max(0, minor)), currency })} ${currency}`;

const beyond = (because: string): Refused =>
  new Refused({ code: 'RULE', rule: 'EN-11', because, instead: ['get_limits'] });
