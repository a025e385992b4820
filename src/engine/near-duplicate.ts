import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { money, moneyFault } from '../core/money.ts';
import { hour } from '../core/schedule.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import { incidentalArguments } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { shownThing, toldIn } from './made-before.ts';
import { hasFailed, isDenied, isOver } from './operation-state.ts';
import { isOwn } from './own-texts.ts';
import { staysReserved } from './reserving.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import type { SpendAmount } from './tool-policy.ts';
import type { View } from './view.ts';

interface Seen {
  /** The state of the earlier call, in words. */
  readonly what: string;
  /** Whether it may still take effect. */
  readonly isPending: boolean;
}

/** Earlier calls by state, in words. */
const whatOf: { readonly [state: string]: string | undefined } = {
  PROPOSED: 'waits for a person',
  APPROVED: 'is approved but not sent yet',
  SENDING: 'is in progress',
  UNKNOWN: 'was sent, but its outcome is unknown',
  SUCCEEDED: 'was done only minutes ago',
  RESOLVED: 'was done only minutes ago',
  FAILED: 'was sent, and resolved only minutes ago as not having happened',
};

/** An earlier call that this one nearly repeats. */
export interface NearDuplicate {
  /** One sentence, for the agent and the approver. */
  readonly warning: string;
  /** It may still take effect, so only a person can confirm that both are wanted. */
  readonly isPending: boolean;
}

interface Asked {
  readonly tool: PlatformTool;
  readonly args: Facts['args'];
  /** What it has in common with near-duplicates. */
  readonly essence: string;
  readonly reference: string;
  readonly caller: Caller;
  /** The caller's view of the ledger: another principal's call is mentioned, but not identified. */
  readonly view: Pick<View, 'operations'>;
  /** Whether the call moves money. */
  readonly spends: boolean;
  readonly now: number;
}

/**
 * Finds the earlier call that this one nearly repeats. Checked if money moves, if the call creates something without a
 * reference that would distinguish a repeat, and if the tool requires it.
 */
export async function findNearDuplicate(tx: LedgerTransaction, asked: Asked): Promise<NearDuplicate | undefined> {
  const { tool, essence, reference, spends, view, now } = asked;
  if (!spends && !makesUnnamed(tool, reference)) return undefined;
  const rows = await tx.operations.recentAlike(tool.operation, essence, similarSince(now));
  const others = await reachedBy(
    tx,
    tool,
    rows.filter((row) => isOther(row, asked)),
  );
  const alike = others.filter((it) => isInQuestion(tool, it));
  // A call that may still take effect comes before one that is over, even if that is more recent.
  const found = alike.find((it) => seenOf(tool, it).isPending) ?? alike[0];
  if (found === undefined) return undefined;
  const { what, isPending } = seenOf(tool, found);
  const earlier = found.row;
  // Another agent's reference may have been chosen by untrusted text.
  const isNamed = earlier.reference !== '' && (await isOwn(tx, earlier.reference));
  const under = isNamed ? `, under ${earlier.reference}` : '';
  const isVisible = (await view.operations.find(earlier.id)) !== undefined;
  const which = isVisible ? `${under}: ${earlier.id}` : ', by another principal';
  return { warning: `A nearly identical call ${what}${which}. Is this a separate one?`, isPending };
}

/**
 * Whether a person has recently denied such a call, under any reference and from any caller. No mandate covers it then: neither
 * another conversation nor a pause replaces the person.
 */
export async function wasDenied(
  tx: LedgerTransaction,
  { operation }: PlatformTool,
  essence: string,
  now: number,
): Promise<boolean> {
  for (const { id } of await tx.operations.deniedAlike(operation, essence, deniedSince(now))) {
    const asked = await tx.approvals.ofOperation(id);
    if (asked !== undefined && isDenied(asked)) return true;
  }
  return false;
}

export const deniedSince = (now: number): number => now - limits.deniedHours * hour;

/** An earlier call of this tool. An answer may leave open what becomes of it. */
function seenOf({ reconcile }: PlatformTool, { row, state }: Reached): Seen {
  return reconcile.openStates?.includes(state) === true
    ? { what: 'was answered, but nobody knows yet what became of it', isPending: true }
    : { what: whatOf[row.state] ?? 'was made', isPending: !isOver(row) };
}

interface Reached {
  readonly row: OperationRow;
  /** The state that the answer told, or, where that left open whether money moves, the one that is known now. Empty where it told none. */
  readonly state: string;
}

async function reachedBy(
  { observations }: LedgerTransaction,
  tool: PlatformTool,
  rows: readonly OperationRow[],
): Promise<readonly Reached[]> {
  const all = rows.map((row) => {
    const { handle, state } = shownThing(tool, toldIn(row)) ?? { state: '' };
    return { row, state, undecided: staysReserved(tool, state) ? handle : undefined };
  });
  await observations.load(all.flatMap(({ undecided }) => undecided ?? []));
  return Promise.all(
    all.map(async ({ row, state, undecided }) => {
      const now = undecided === undefined ? undefined : await observations.find(undecided);
      return { row, state: now?.state ?? state };
    }),
  );
}

/** Whether a call creates something without a reference, so nothing distinguishes a repeat from a second one. */
const makesUnnamed = (tool: PlatformTool, reference: string): boolean =>
  (reference === '' || tool.policy.warnsOfNearDuplicate === true) && operationOf(tool).moves?.trigger === 'create';

/** Whether a call can have near-duplicates: even a tool that spends may move no money in a call. */
export const mayHaveNearDuplicate = (tool: PlatformTool, reference: string): boolean =>
  tool.policy.spend !== undefined || makesUnnamed(tool, reference);

/** The beginning of the period in which a call counts as recent. */
export const similarSince = (now: number): number => now - limits.similarMinutes * 60_000 + 1;

/** Whether a row is a different call, not a repeat of this one. */
function isOther(row: OperationRow, { args, reference, caller }: Asked): boolean {
  // A row without its reference was meant to be repeated.
  if (reference !== '') return row.reference !== reference && row.reference !== '';
  const isSame = row.principal === caller.principal && row.args === canonicalJson(jsonOf(args));
  return !isSame || isOver(row);
}

/**
 * Whether a row counts. A declined call is over: its result has an error, unlike that of a call resolved as not having happened, or tells
 * a state in which no money moves.
 */
const isInQuestion = ({ reconcile }: PlatformTool, { row, state }: Reached): boolean =>
  hasFailed(row) ? row.result?.error === undefined : reconcile.noChargeStates?.includes(state) !== true;

/**
 * The SHA-256 of what near-duplicates have in common. Of a call that moves money, what it moves: how much, to whom, and from
 * what; it can be spelled in many ways, and most arguments say nothing of it. Of any other call, its arguments without the
 * incidental ones.
 */
export function essenceDigest(tool: PlatformTool, facts: Facts): string {
  const essence = essenceOfMoney(tool, facts) ?? essenceOfArguments(tool, facts.args);
  return sha256(canonicalJson(jsonOf(essence)));
}

/** What a call moves; undefined if it moves nothing, or if the amount isn't known. */
function essenceOfMoney(tool: PlatformTool, facts: Facts): object | undefined {
  const spend = tool.policy.amountIs === undefined ? spendIn(tool, facts) : undefined;
  if (spend === undefined || moneyFault(spend.amount, spend.currency) !== null) return undefined;
  const { minor, currency } = money(spend.amount, spend.currency);
  return { minor: String(minor), currency, payee: folded(spend.payee), from: payingFrom(tool, facts, spend) };
}

/** What a call would move. No guard has run yet, so the amount may have too many decimals; then it is refused later. */
function spendIn({ policy }: PlatformTool, facts: Facts): SpendAmount | undefined {
  try {
    const spend = policy.spend?.(facts);
    return spend === 'unknown' ? undefined : spend;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** The card and the things without which there is no call. Optional ones are only ways to say the same. */
const payingFrom = ({ input }: PlatformTool, { args }: Facts, { instrument }: SpendAmount): readonly string[] => [
  instrument,
  ...Object.entries(input.args).flatMap(([name, { kind, schema }]) =>
    kind === undefined || schema.safeParse(undefined).success ? [] : [String(args[name])],
  ),
];

const essenceOfArguments = ({ operation }: PlatformTool, args: Facts['args']): object =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !incidentalArguments(operation).includes(name)));

/** A name in one spelling: without case, blanks and punctuation. */
const folded = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || name;
