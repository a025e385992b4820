import { isKind, kindTable } from '../domains/index.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, OperationRow } from '../ledger/rows.ts';
import { lookerOf } from './next.ts';
import { type Body, replay } from './render.ts';
import type { PlatformTool } from './tool.ts';

/**
 * The answer to a call that was made before. What it says was true when it was given, so it says that first, and what has become of its
 * thing since.
 */
export async function madeBefore(tx: LedgerTransaction, tool: PlatformTool, row: OperationRow): Promise<Body> {
  const { data = {} } = row.result as Partial<Body>; // the ledger stores answers made by the engine
  const shown = shownThing(tool, data as Readonly<Record<string, unknown>>);
  const thing = shown && (await tx.observations.find(shown.handle));
  const first = replay(row, lookerFor(tool, thing));
  const since = thing === undefined || thing.state === shown?.state ? '' : changed(thing);
  return {
    ...first,
    said: `This call was made before, and nothing is sent again.${since} Its answer was: ${first.said}`,
  };
}

const changed = ({ handle, state }: ObservationRow): string =>
  ` Since then ${handle} has changed${stateForm.test(state) ? `: it is ${state} now` : ''}.`;

/** A state of a machine: one word. */
const stateForm = /^[A-Z_]{1,24}$/;

/** The tool that shows what has become of it. */
const lookerFor = (tool: PlatformTool, thing: ObservationRow | undefined): string | undefined =>
  thing !== undefined && isKind(thing.kind) ? kindTable[thing.kind].shownBy : lookerOf(tool);

/** The thing whose state an answer shows: the first field of every such answer names it (a test says so). */
export function shownThing(
  { outputSchema }: Pick<PlatformTool, 'outputSchema'>,
  data: Readonly<Record<string, unknown>>,
): { readonly handle: string; readonly state: string } | undefined {
  const [first = ''] = Object.keys(outputSchema.shape);
  const { [first]: handle, state } = data;
  return typeof handle === 'string' && typeof state === 'string' ? { handle, state } : undefined;
}
