import type { Facts } from '../domains/facts.ts';
import { StaleRow } from '../ledger/errors.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { Refused } from './refusal.ts';
import type { PlatformTool } from './tool.ts';
import type { AttemptPolicy } from './tool-policy.ts';

// Limits how often a call may be sent for one thing, such as tries of a code. An attempt counts from the moment its
// intent is on disk, whatever its outcome, so neither concurrent callers nor a crash can exceed the limit.

/** The attempts left for a call's thing; undefined if they aren't limited. */
export async function attemptsLeft(
  tx: { readonly budgets: Pick<LedgerTransaction['budgets'], 'used'> },
  tool: PlatformTool,
  facts: Facts,
): Promise<number | undefined> {
  let least: number | undefined;
  for (const bound of tool.policy.attempts ?? []) {
    const { times } = await tx.budgets.used(budgetOf(tool), bound.of(facts));
    least = Math.max(0, Math.min(least ?? Number.POSITIVE_INFINITY, bound.most(facts) - times));
  }
  return least;
}

/** The first limit under which a call has no attempts left; undefined if it has some. */
export async function attemptsUsedUp(
  tx: { readonly budgets: Pick<LedgerTransaction['budgets'], 'used'> },
  tool: PlatformTool,
  facts: Facts,
): Promise<AttemptPolicy | undefined> {
  for (const bound of tool.policy.attempts ?? [])
    if ((await tx.budgets.used(budgetOf(tool), bound.of(facts))).times >= bound.most(facts)) return bound;
  return undefined;
}

/** Refuses a call without attempts left. Changes nothing. */
export async function demandAttempt(tx: LedgerTransaction, tool: PlatformTool, facts: Facts): Promise<void> {
  const bound = await attemptsUsedUp(tx, tool, facts);
  if (bound === undefined) return;
  const { rule, because, instead } = bound;
  throw new Refused({ code: 'RULE', rule, because, retry: 'never', instead });
}

/** Counts an attempt, in the transaction of its intent. Final. */
export async function countAttempt(
  tx: LedgerTransaction,
  tool: PlatformTool,
  facts: Facts,
  operationId: string,
): Promise<void> {
  const { attempts = [] } = tool.policy;
  if (attempts.length === 0) return;
  for (const { of, most } of attempts) {
    const take = { budget: budgetOf(tool), scope: of(facts), operationId, minor: 0, times: most(facts) };
    if (!(await tx.budgets.reserve(take))) throw new StaleRow('The attempts were used up concurrently.');
  }
  // Nothing else is reserved yet, so this settles only the attempts.
  await tx.budgets.settle(operationId, 'SPENT');
}

/** A name that no operator's limit can have. */
const budgetOf = ({ operation }: PlatformTool): string => `attempts\n${operation}`;
