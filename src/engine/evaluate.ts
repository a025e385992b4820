import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow } from '../ledger/rows.ts';
import { approvalLine } from './approval-text.ts';
import { demandAttempt } from './attempts.ts';
import { type Checked, check } from './check.ts';
import { essenceDigest, findNearDuplicate, wasDenied } from './near-duplicate.ts';
import type { EngineParts } from './parts.ts';
import { checkLimits, checkLimitsAhead, spendOf, standingMandate } from './spending-limits.ts';
import type { Spend, SpendingPolicy } from './spending-policy.ts';
import { isTainted } from './taint.ts';
import type { PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/** A call that rules and limits allow. */
export interface Evaluation extends Checked {
  /** The money it would move, and its scopes. */
  readonly spend: Spend;
  /** The limits it counts against. */
  readonly policies: readonly SpendingPolicy[];
  /** The mandate that approves it in place of a person. */
  readonly mandate: SpendingPolicy | undefined;
  /** The rule that requires approval: EN-14 if only the tainted conversation does. */
  readonly asksBy: 'EN-04' | 'EN-14';
  /** Why a person is asked, where the call itself doesn't show it. */
  readonly why: string | undefined;
}

/** Checks a call against rules, limits and mandates. Throws `Refused`; changes nothing, so previews use it too. */
export async function evaluate(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  facts: Facts,
  caller: Caller,
): Promise<Evaluation> {
  const { settings } = parts;
  const { now } = facts;
  // Untrusted text can mislead an agent, but neither the app's code nor the customer.
  const tainted = (caller.role ?? 'agent') === 'agent' && (await isTainted(tx, caller, now));
  const checked = check(tool, facts, settings, caller, tainted);
  await demandAttempt(tx, tool, facts);
  const spend = spendOf(tool, facts, caller);
  const bounds = await checkLimits(tx, settings, tool, spend, now);
  await checkLimitsAhead(tx, settings, tool, facts, caller);
  const isMandated = checked.approval !== undefined && tool.policy.approval?.noMandate !== true;
  const standing = isMandated ? await standingMandate(tx, settings, tool, spend, now) : undefined;
  const essence = essenceDigest(tool, facts);
  const isDenied = standing !== undefined && (await wasDenied(tx, tool, essence, now));
  const asksBy = checked.tainted && (standing !== undefined || !checked.asksAnyway) ? 'EN-14' : 'EN-04';
  const why = asksBy === 'EN-14' ? afterOthersText : isDenied ? afterDenial : tool.policy.approval?.why?.(facts);
  const { args, reference } = facts;
  const spends = spend.amount !== undefined && tool.policy.amountIs === undefined;
  const twin = await findNearDuplicate(tx, {
    ...{ tool, args, reference, caller, spends, now, essence },
    view: viewOf(tx, caller, settings),
  });
  // No mandate covers whether both near-duplicates are wanted.
  const mandate = checked.tainted || twin?.isPending === true || isDenied ? undefined : standing;
  const warnings = [...checked.warnings, ...(twin === undefined ? [] : [twin.warning])];
  return { ...checked, warnings, spend, policies: bounds, mandate, asksBy, why };
}

/** Whether a person must approve: a rule requires it, and no mandate covers it. */
export const needsPerson = ({ approval, mandate }: Evaluation): boolean =>
  approval !== undefined && mandate === undefined;

/**
 * The question for a person: the approval text, why it is asked, and warnings. The digest doesn't cover the reason and the
 * warnings: a near-duplicate is one only for some minutes, and a text counts as read for an hour.
 */
export const questionOf = ({ approval, why, warnings }: Evaluation): string | undefined =>
  approval &&
  [
    approval.text,
    ...(why === undefined ? [] : [approvalLine(`Asked because: ${why}`)]),
    ...warnings.map((warning) => approvalLine(`Look closely: ${warning}`)),
  ].join('\n');

const afterOthersText =
  'the agent has lately read text that others wrote, and may be following it. Otherwise nobody would be asked.';

const afterDenial = 'a person has denied such a call within the last day. Otherwise nobody would be asked.';

/** Whether an approval is about exactly this request. */
export const coversSameRequest = ({ digest }: ApprovalRow, { approval }: Evaluation): boolean =>
  digest === approval?.digest;
