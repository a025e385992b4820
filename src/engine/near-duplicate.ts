import type { Json } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { incidentalArguments } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { isOwn } from './own-texts.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import type { View } from './view.ts';

interface Seen {
  /** What to say of the earlier call. */
  readonly what: string;
  /** Whether it may still take effect. */
  readonly isPending?: true;
  /** Whether a row in this state is in question at all; by default it is. */
  readonly isDoubted?: (row: OperationRow) => boolean;
}

/** Earlier calls by their state. */
const seen: { readonly [state: string]: Seen } = {
  PROPOSED: { what: 'waits for a person', isPending: true },
  APPROVED: { what: 'is approved and not sent yet', isPending: true },
  SENDING: { what: 'is under way', isPending: true },
  UNKNOWN: { what: 'was sent, and its outcome is unknown', isPending: true },
  SUCCEEDED: { what: 'was done only minutes ago' },
  RESOLVED: { what: 'was done only minutes ago' },
  // What the platform declined is over: its answer has an error. What was settled as not having happened has none.
  FAILED: {
    what: 'was sent, and settled as not having happened only minutes ago',
    isDoubted: ({ result }) => result?.error === undefined,
  },
};

/** A call that another one is nearly a repeat of. */
export interface NearDuplicate {
  /** One sentence, for the agent and for the person who is asked. */
  readonly warning: string;
  /** It may still take effect, so that only a person can say that both are wanted. */
  readonly isPending: boolean;
}

interface Asked {
  readonly tool: PlatformTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reference: string;
  readonly caller: Caller;
  /** The ledger as the caller sees it: an earlier call of another principal is pointed out, and not named. */
  readonly view: Pick<View, 'operations'>;
  /** Whether the call moves money. */
  readonly spends: boolean;
  readonly now: number;
}

/**
 * The earlier call that this one is nearly a repeat of. It is looked for where money moves, where something is made under
 * no reference, so that nothing else distinguishes a repeat from a second one, and where the tool asks for it.
 */
export async function findNearDuplicate(tx: LedgerTransaction, asked: Asked): Promise<NearDuplicate | undefined> {
  const { tool, args, reference, spends, view, now } = asked;
  const makes =
    (reference === '' || tool.policy.warnsOfNearDuplicate === true) && operationOf(tool).moves?.trigger === 'create';
  if (!spends && !makes) return undefined;
  const rows = await tx.operations.recentCalls(tool.operation, now - limits.similarMinutes * 60_000 + 1);
  const essence = essenceOf(args);
  const alike = rows.filter(
    (row) => isOther(row, asked) && isInQuestion(row) && essenceOf(JSON.parse(row.args)) === essence,
  );
  // One that may still take effect counts before one that is over, however recent that is.
  const earlier = alike.find(({ state }) => seen[state]?.isPending === true) ?? alike[0];
  if (earlier === undefined) return undefined;
  const { what = 'was made', isPending = false } = seen[earlier.state] ?? {};
  // The reference of another agent may be what somebody else's text wanted it to write.
  const isNamed = earlier.reference !== '' && (await isOwn(tx, earlier.reference));
  const under = isNamed ? `, under ${earlier.reference}` : '';
  const isVisible = (await view.operations.find(earlier.id)) !== undefined;
  const which = isVisible ? `${under}: ${earlier.id}` : ', by another principal';
  return { warning: `Very nearly the same ${what}${which}. Is this another one?`, isPending };
}

/** Whether a row is of another call than this one, made again. */
function isOther(row: OperationRow, { args, reference, caller }: Asked): boolean {
  // A row that has given its reference up was meant to be made again.
  if (reference !== '') return row.reference !== reference && row.reference !== '';
  const isSame = row.principal === caller.principal && row.args === canonicalJson(args as Json);
  return !(isSame && seen[row.state]?.isPending === true);
}

const isInQuestion = (row: OperationRow): boolean => seen[row.state]?.isDoubted?.(row) ?? true;

const essenceOf = (args: Readonly<Record<string, unknown>>): string =>
  // A tool's arguments are JSON by its schema.
  canonicalJson(Object.fromEntries(Object.entries(args).filter(([name]) => !incidentalArguments.has(name))) as Json);
