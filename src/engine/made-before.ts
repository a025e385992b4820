import { isEffective } from '../core/own-machines.ts';
import type { Facts } from '../domains/facts.ts';
import { isKind, kindTable } from '../domains/index.ts';
import type { LedgerReads, LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, OperationRow } from '../ledger/rows.ts';
import { referenceArgument } from './field-source.ts';
import { kindMadeBy, lookerOf } from './next.ts';
import { type Body, replay, untrusted } from './render.ts';
import type { PlatformTool } from './tool.ts';

/**
 * The answer to a call that was made before. What it says was true when it was given, so it says that first, and what has become of its
 * thing since.
 */
export async function madeBefore(tx: LedgerTransaction, call: Made, row: OperationRow): Promise<Body> {
  const { tool } = call;
  const shown = shownIn(tool, row);
  const thing = shown && (await tx.observations.find(shown.handle));
  const first = replay(row, lookerFor(tool, row, thing));
  return {
    ...first,
    said: `${withoutReference(call)}This call was made before, and nothing is sent again.${await sinceThen(tx, tool, row)} Its answer was: ${first.said}`,
  };
}

/** What has become of the thing of an answer since it was given; empty where it is as the answer says. */
export async function sinceThen(
  { observations }: Pick<LedgerReads, 'observations'>,
  tool: PlatformTool,
  row: Pick<OperationRow, 'result'>,
): Promise<string> {
  const shown = shownIn(tool, row);
  const thing = shown && (await observations.find(shown.handle));
  return thing === undefined || thing.state === shown?.state ? '' : changed(thing);
}

/** A call, as far as it matters here. */
interface Made {
  readonly tool: PlatformTool;
  readonly facts: Pick<Facts, 'args' | 'reference'>;
}

/** What to say of a call whose reference the agent left out, so that it has that of its thing; empty for any other. */
export function withoutReference({ tool, facts: { args, reference } }: Made): string {
  const argument = referenceArgument(tool);
  return argument === undefined || args[argument] !== undefined || reference === ''
    ? ''
    : `No ${argument} was given, so this counts as the call under ${untrusted(reference)}. For another one, give a ${argument} of its own. `;
}

const changed = ({ handle, state }: ObservationRow): string =>
  ` Since then ${handle} has changed${stateForm.test(state) ? `: it is ${state} now` : ''}.`;

/** A state of a machine: one word. */
const stateForm = /^[A-Z_]{1,24}$/;

/** The tool that shows what has become of an operation's thing; the one that finds it where its answer, and with it the handle, was lost. */
export function lookerFor(tool: PlatformTool, row: OperationRow, thing?: ObservationRow): string | undefined {
  const made = kindMadeBy(tool);
  if (made !== undefined && hasLostAnswer(row)) return kindTable[made].foundBy[0];
  return thing !== undefined && isKind(thing.kind) ? kindTable[thing.kind].shownBy : lookerOf(tool);
}

/** Whether an operation took effect, as a person found, and its answer was lost. */
export const hasLostAnswer = ({ state, result }: Pick<OperationRow, 'state' | 'result'>): boolean =>
  isEffective(state) && result?.data === undefined;

/** The thing whose state the answer of an operation shows. */
function shownIn(tool: PlatformTool, { result }: Pick<OperationRow, 'result'>): ReturnType<typeof shownThing> {
  const { data = {} } = (result ?? {}) as Partial<Body>; // the ledger stores answers made by the engine
  return shownThing(tool, data as Readonly<Record<string, unknown>>);
}

/** The thing whose state an answer shows: the first field of every such answer names it (a test says so). */
export function shownThing(
  { outputSchema }: Pick<PlatformTool, 'outputSchema'>,
  data: Readonly<Record<string, unknown>>,
): { readonly handle: string; readonly state: string } | undefined {
  const [first = ''] = Object.keys(outputSchema.shape);
  const { [first]: handle, state } = data;
  return typeof handle === 'string' && typeof state === 'string' ? { handle, state } : undefined;
}
