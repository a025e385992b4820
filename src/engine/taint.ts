import { sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { handleOf, hashOf, isOwnHash, loadOwnHashes, type OwnTexts, recallOwnTexts } from './own-texts.ts';

/**
 * Whether a conversation has recently read text that somebody else may have written. Its calls may follow that text
 * instead of the customer, so a person approves every movement of money, even within mandates. Text that a person has
 * since approved doesn't count.
 */
export async function isTainted(tx: LedgerTransaction, caller: Caller, now: number): Promise<boolean> {
  const row = await tx.observations.find(markOf(caller));
  const hashes = row === undefined ? [] : readLately(row, now).map(([hash]) => hash);
  if (hashes.includes(many)) return true;
  await loadOwnHashes(tx, hashes);
  for (const hash of hashes) if (!(await isOwnHash(tx, hash))) return true;
  return false;
}

/** Records the untrusted text that a conversation reads in an answer. */
export async function taint(
  tx: LedgerTransaction,
  caller: Caller,
  texts: readonly string[],
  own: OwnTexts,
  now: number,
): Promise<void> {
  const handle = markOf(caller);
  await tx.observations.load([handle, ...texts.map((text) => handleOf(hashOf(text)))]);
  await recallOwnTexts(tx, texts, own);
  const foreign = texts.map(hashOf).filter((hash) => !own.has(hash));
  if (foreign.length === 0) return;
  const row = await tx.observations.find(handle);
  const read = new Map([
    ...(row === undefined ? [] : readLately(row, now)),
    ...foreign.map((it) => [it, now] as const),
  ]);
  const body = { texts: read.size > limits.taintTexts ? { [many]: now } : Object.fromEntries(read) };
  if (row === undefined) await tx.observations.insert({ handle, kind: 'run', owner: '', state: 'TAINTED', body }, now);
  else await tx.observations.update(row, { body }, now);
}

/** Stands for all texts beyond the limit. */
const many = '*';

/** The texts read within the last hour, with their times. */
const readLately = ({ body, updatedAt }: ObservationRow, now: number): readonly (readonly [string, number])[] =>
  // A row of an earlier version doesn't distinguish texts.
  Object.entries((body.texts ?? { [many]: updatedAt }) as Readonly<Record<string, number>>).filter(
    ([, at]) => now - at < limits.taintMinutes * 60_000,
  );

/** The conversation, if the connection identifies it; otherwise all calls of an agent are one. */
export const markOf = ({ principal, conversation, session = '' }: Caller): string =>
  `run_${sha256(`${principal}\n${conversation ?? session}`).slice(0, 32)}`;
