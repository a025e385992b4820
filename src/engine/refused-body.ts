import { CommitUnknown, CorruptRow, LedgerUnavailable } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import { damaged } from './audit-lock.ts';
import { freezeTenant } from './freeze.ts';
import { IntegrityError } from './integrity-error.ts';
import { badCursor, isBadCursor, otherWriters, type Refusal, Refused } from './refusal.ts';
import { type Body, refused } from './render.ts';
import { isConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import { ledgerUnavailable } from './terminal-answers.ts';
import type { Tool } from './tool.ts';
import { seenBy, viewOf } from './view.ts';

/** The answer to a call that a step has refused, recorded in the audit. Rethrows faults of Purser or its database. */
export async function refusedBody(
  state: EngineState,
  tool: Tool | undefined,
  caller: Caller,
  error: unknown,
): Promise<Body> {
  try {
    if (error instanceof Refused && !error.isNoted) return refused(error.refusal);
    if (isConflict(error)) return refused(otherWriters); // not recorded: that would add to what is too much already
    return await note(state, tool, caller, await refusalOf(state, caller, error));
  } catch (fault) {
    // A sent call has its own answer, so here nothing was sent. Whether a commit was kept whose connection broke is not known.
    if (!(fault instanceof LedgerUnavailable) || fault instanceof CommitUnknown) throw fault;
    if (!(fault instanceof CorruptRow)) {
      state.parts.ports.onFault?.(fault);
      return ledgerUnavailable;
    }
    state.audit.close();
    return noteDamage(state, tool, caller);
  }
}

async function refusalOf({ parts }: EngineState, caller: Caller, error: unknown): Promise<Refusal> {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof IntegrityError) return freezeTenant(parts, caller.tenant, error);
  if (isBadCursor(error)) return badCursor;
  throw error;
}

async function note(
  { parts, refusals }: EngineState,
  tool: Tool | undefined,
  caller: Caller,
  refusal: Refusal,
): Promise<Body> {
  await refusals.note(tool?.name ?? 'unknown', caller, refusal);
  if (refusal.operation === undefined) return refused(refusal);
  return parts.ledger.transaction(caller.tenant, async (tx) =>
    refused(await seenBy(viewOf(tx, caller, parts.settings), refusal)),
  );
}

/** The audit itself may be corrupt: the refusal is then not recorded. */
async function noteDamage(state: EngineState, tool: Tool | undefined, caller: Caller): Promise<Body> {
  try {
    return await note(state, tool, caller, damaged);
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    return refused(damaged);
  }
}
