import type { JsonObject } from '../core/canonical-json.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, OperationRow } from '../ledger/rows.ts';
import type { EngineParts } from './parts.ts';
import { type PlatformTool, toolOfOperation } from './tool.ts';

// What a call reserved of budgets, while its answer leaves open whether money moves. Its thing then says which call it was.

/** The fact of a thing that names the operation whose amount is still reserved. */
const reservedMember = 'reservedBy';

/** Whether an amount stays reserved while a thing is in this state. */
export const staysReserved = (
  { reconcile: { openStates = [], reservedStates = openStates } }: Pick<PlatformTool, 'reconcile'>,
  state: string,
): boolean => reservedStates.includes(state);

/** The mark of a thing whose call was answered with this state: empty where nothing of it stays reserved. */
export const reservingMark = (
  tool: PlatformTool,
  row: Pick<OperationRow, 'id'> | undefined,
  state: string,
): JsonObject => (row !== undefined && staysReserved(tool, state) ? { [reservedMember]: row.id } : {});

/** Settles what is reserved for a thing once its state tells whether money moves, and returns what its facts become by that. */
export async function settledSince(
  { tools }: Pick<EngineParts, 'tools'>,
  { operations, budgets }: LedgerTransaction,
  { body: { [reservedMember]: id } }: Pick<ObservationRow, 'body'>,
  state: string,
): Promise<{ readonly [reservedMember]?: undefined }> {
  const row = typeof id === 'string' ? await operations.find(id) : undefined;
  const tool = row && toolOfOperation(tools, row.name);
  if (row === undefined || tool === undefined || staysReserved(tool, state)) return {};
  await budgets.settle(row.id, tool.reconcile.noChargeStates?.includes(state) === true ? 'RELEASED' : 'SPENT');
  return { [reservedMember]: undefined };
}
