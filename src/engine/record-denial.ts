import type { Facts } from '../domains/facts.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { apply } from './apply.ts';
import { denial } from './denial.ts';
import { gatherFacts } from './gather-facts.ts';
import type { EngineParts } from './parts.ts';
import { Refused } from './refusal.ts';
import type { Body } from './render.ts';
import { operationOf, type PlatformTool, toolOfOperation } from './tool.ts';
import { viewOf } from './view.ts';

/** Records what a person chose by a denial, and returns what the agent reads of it; undefined where it is no choice. */
export async function recordDenial(
  parts: EngineParts,
  tx: LedgerTransaction,
  row: OperationRow,
): Promise<Body | undefined> {
  const tool = toolOfOperation(parts.tools, row.name);
  const chosen = tool?.policy.approval?.denied;
  if (tool === undefined || chosen === undefined) return undefined;
  return (await chosenBy(parts, tx, row, tool, chosen.as)) ? denial(row.id, tool) : undefined;
}

/** Records the choice, if it can still be made. */
async function chosenBy(
  parts: EngineParts,
  tx: LedgerTransaction,
  { tenant, principal, args }: OperationRow,
  tool: PlatformTool,
  as: (facts: Facts) => Facts['args'],
): Promise<boolean> {
  const { moves } = operationOf(tool);
  const moved = tool.observe.moves;
  const facts = await factsNow(parts, tx, tool, JSON.parse(args) as Facts['args'], { tenant, principal });
  if (facts === undefined || moves === undefined || moved === undefined) return false;
  const { things, now } = facts;
  const after = (given: Facts['args']) =>
    moves.machine.move(moved.entity(things, now, undefined, given), moves.trigger);
  const move = after(as(facts));
  // What somebody else has decided since stays.
  if (!after(facts.args).ok || !move.ok) return false;
  await apply(parts, tx, [{ kind: moved.kind, state: move.to, body: {} }], { things });
  return true;
}

/**
 * What the agent reads of a denial some time after it. A denial that was also a choice is told as one only where that choice stands: somebody
 * may have chosen otherwise before.
 */
export function laterDenial(operation: string, tool: PlatformTool, facts: Facts): Body {
  const { moves } = operationOf(tool);
  const chosen = tool.policy.approval?.denied;
  const seen = chosen && tool.observe.moves?.entity(facts.things, facts.now, undefined, chosen.as(facts));
  const leavesIn = (from: string): readonly string[] => {
    const move = seen && moves?.machine.move({ ...seen, state: from }, moves.trigger);
    return move?.ok === true ? [move.to] : [];
  };
  const stands = moves?.machine
    .startsOf(moves.trigger)
    .flatMap(leavesIn)
    .includes(seen?.state ?? '');
  return denial(operation, stands === true ? tool : undefined);
}

/** What is known of a call today; undefined where something that it names is no longer known. */
async function factsNow(
  { settings, ports }: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Parameters<typeof viewOf>[1],
): Promise<Facts | undefined> {
  try {
    return await gatherFacts(tool, args, viewOf(tx, caller, settings), settings, ports);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
