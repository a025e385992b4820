import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import type { EngineParts } from './parts.ts';
import { forgetSecrets } from './request-secrets.ts';
import { toolOfOperation } from './tool.ts';

/** Ends an operation that got no answer of its own: with its state and result, its reserved budget and its secrets. */
export async function settleOperation(
  parts: Pick<EngineParts, 'tools' | 'vault'>,
  tx: LedgerTransaction,
  row: OperationRow,
  { state, result, budget }: Pick<OperationRow, 'state' | 'result'> & { readonly budget: 'SPENT' | 'RELEASED' },
  now: number,
): Promise<void> {
  await tx.operations.update(row, { state, result, updatedAt: now });
  await tx.budgets.settle(row.id, budget);
  const tool = toolOfOperation(parts.tools, row.name);
  if (tool !== undefined) await forgetSecrets(parts, tx, tool, row, now);
}
