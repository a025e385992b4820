import { limits } from '../contract/limits.ts';
import { sha256 } from '../ledger/canonical.ts';
import type { Caller, LedgerTransaction } from '../ledger/ledger.ts';

/**
 * Whether a conversation has lately read text that came from outside. What it then asks for may be that text's wish and
 * not the customer's, so a person looks at every movement of money, standing mandates notwithstanding.
 */
export async function isTainted(tx: LedgerTransaction, caller: Caller, now: number): Promise<boolean> {
  const row = await tx.observations.find(markOf(caller));
  return row !== undefined && now - row.updatedAt < limits.taintMinutes * 60_000;
}

/** Remembers that a conversation has read text from outside. */
export async function taint(tx: LedgerTransaction, caller: Caller, now: number): Promise<void> {
  const handle = markOf(caller);
  const row = await tx.observations.find(handle);
  if (row === undefined)
    await tx.observations.insert({ handle, kind: 'run', owner: '', state: 'TAINTED', body: {} }, now);
  else await tx.observations.update(row, {}, now);
}

const markOf = ({ principal, session = '' }: Caller): string =>
  `run_${sha256(`${principal}\n${session}`).slice(0, 32)}`;
