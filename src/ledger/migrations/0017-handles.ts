import { type Kysely, sql } from 'kysely';
import { LedgerUnavailable } from '../ledger.ts';
import type { Tables } from '../tables.ts';

/** Kinds whose handle follows from the platform's id. */
const derived = ['plan', 'subscription', 'invoice', 'followOn'];
/** Letters of a handle before handles were shortened. */
const EARLIER_LETTERS = 28;

/**
 * Refuses a ledger that holds handles of the earlier length. The same plan or invoice would get a second row under its handle of
 * today, and nothing that waits or is under way on the first row would hold back a call on the second. Changes nothing.
 */
export async function refuseEarlierHandles(tx: Kysely<Tables>, place: string): Promise<void> {
  const found = await tx
    .selectFrom('observations')
    .select('handle')
    .where('kind', 'in', derived)
    .where(sql<boolean>`length(handle) = length(kind) + 1 + ${sql.lit(EARLIER_LETTERS)}`)
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return;
  throw new LedgerUnavailable(
    `The ledger ${place} was written before handles were shortened and can't be carried over: keep it, with the version that wrote it, for its records, and name another place for a new ledger.`,
  );
}
