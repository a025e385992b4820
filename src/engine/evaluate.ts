import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow } from '../ledger/rows.ts';
import { approvalLine } from './approval-text.ts';
import { type Checked, check } from './check.ts';
import { findNearDuplicate } from './near-duplicate.ts';
import type { EngineParts } from './parts.ts';
import { checkLimits, spendOf, standingMandate } from './spending-limits.ts';
import type { Spend, SpendingPolicy } from './spending-policy.ts';
import { isTainted } from './taint.ts';
import type { PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/** A call that rules and limits let pass. */
export interface Evaluation extends Checked {
  /** What it would move, and what it counts in. */
  readonly spend: Spend;
  /** The limits it counts against. */
  readonly policies: readonly SpendingPolicy[];
  /** The standing mandate that approves it, where a person would otherwise have to. */
  readonly mandate: SpendingPolicy | undefined;
  /** The rule by which a person is asked: EN-14 where nobody would be, had no text come from outside. */
  readonly asksBy: 'EN-04' | 'EN-14';
}

/** Holds a call against rules, limits and mandates. Throws `Refused`; changes nothing, so that a preview may ask it, too. */
export async function evaluate(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  facts: Facts,
  caller: Caller,
): Promise<Evaluation> {
  const { settings } = parts;
  const { now } = facts;
  const checked = check(tool, facts, settings, caller, await isTainted(tx, caller, now));
  const outlay = spendOf(tool, facts, caller);
  const bounds = await checkLimits(tx, settings, tool, outlay, now);
  const standing = checked.approval && (await standingMandate(tx, settings, tool, outlay, now));
  const asksBy = checked.tainted && (standing !== undefined || !checked.asksAnyway) ? 'EN-14' : 'EN-04';
  const { args, reference } = facts;
  const spends = outlay.amount !== undefined && tool.policy.amountIs === undefined;
  const twin = await findNearDuplicate(tx, {
    ...{ tool, args, reference, caller, spends, now },
    view: viewOf(tx, caller, settings),
  });
  // Whether both are wanted nobody has said beforehand.
  const mandate = checked.tainted || twin?.isPending === true ? undefined : standing;
  const warnings = [...checked.warnings, ...(twin === undefined ? [] : [twin.warning])];
  return { ...checked, warnings, spend: outlay, policies: bounds, mandate, asksBy };
}

/** Whether a person is to be asked: a rule wants it, and no standing mandate has said yes beforehand. */
export const needsPerson = ({ approval, mandate }: Evaluation): boolean =>
  approval !== undefined && mandate === undefined;

/** What a person is asked: the text of the approval, and what is to be looked at closely. No digest covers the warnings: what looks alike now does not an hour later. */
export const questionOf = ({ approval, warnings }: Evaluation): string | undefined =>
  approval && [approval.text, ...warnings.map((warning) => approvalLine(`Look closely: ${warning}`))].join('\n');

/** Whether a person was asked about exactly what would be sent now. */
export const coversSameRequest = ({ digest }: ApprovalRow, { approval }: Evaluation): boolean =>
  digest === approval?.digest;
