import { sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { hashOf, isOwn, isOwnHash, stringsIn } from './own-texts.ts';

/**
 * Whether a conversation has lately read text that somebody else may have written. What it then asks for may be that text's
 * wish and not the customer's, so a person looks at every movement of money, standing mandates notwithstanding. A text that a
 * person has read and approved since no longer counts.
 */
export async function isTainted(tx: LedgerTransaction, caller: Caller, now: number): Promise<boolean> {
  const row = await tx.observations.find(markOf(caller));
  for (const [hash] of row === undefined ? [] : readLately(row, now))
    if (hash === many || !(await isOwnHash(tx, hash))) return true;
  return false;
}

/** Remembers what a conversation reads in an answer, but for the merchant's own texts. `known`: what holds more of these. */
export async function taint(
  tx: LedgerTransaction,
  caller: Caller,
  texts: readonly string[],
  known: unknown,
  now: number,
): Promise<void> {
  const own = new Set(stringsIn(known));
  const foreign: string[] = [];
  for (const text of texts) if (!own.has(text) && !(await isOwn(tx, text))) foreign.push(hashOf(text));
  if (foreign.length === 0) return;
  const handle = markOf(caller);
  const row = await tx.observations.find(handle);
  const read = new Map([
    ...(row === undefined ? [] : readLately(row, now)),
    ...foreign.map((it) => [it, now] as const),
  ]);
  const body = { texts: read.size > limits.taintTexts ? { [many]: now } : Object.fromEntries(read) };
  if (row === undefined) await tx.observations.insert({ handle, kind: 'run', owner: '', state: 'TAINTED', body }, now);
  else await tx.observations.update(row, { body }, now);
}

/** Stands for more texts than are told apart. */
const many = '*';

/** The texts that were read within the last hour, and when. */
const readLately = ({ body, updatedAt }: ObservationRow, now: number): readonly (readonly [string, number])[] =>
  // A row of an earlier version tells no texts apart.
  Object.entries((body.texts ?? { [many]: updatedAt }) as Readonly<Record<string, number>>).filter(
    ([, at]) => now - at < limits.taintMinutes * 60_000,
  );

/** A conversation where the connection tells it; otherwise all calls of one agent are one. */
const markOf = ({ principal, conversation, session = '' }: Caller): string =>
  `run_${sha256(`${principal}\n${conversation ?? session}`).slice(0, 32)}`;
