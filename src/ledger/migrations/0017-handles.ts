import { type Kysely, sql } from 'kysely';
import { LedgerUnavailable } from '../ledger.ts';
import type { Tables } from '../tables.ts';

const ROWS_PER_STEP = 500;
/** Kinds whose handle follows from the platform's id. */
const derived = ['plan', 'subscription', 'invoice', 'followOn'];
/** Letters of a handle before handles were shortened. */
const EARLIER_LETTERS = 28;

/**
 * Refuses a ledger that holds handles of the earlier length. The same plan or invoice would get a second row under its handle of
 * today, and nothing that waits or is under way on the first row would hold back a call on the second. Changes nothing.
 */
export async function refuseEarlierHandles(tx: Kysely<Tables>, place: string): Promise<void> {
  for (let after: { readonly tenant: string; readonly handle: string } | undefined, more = true; more; ) {
    const rows = await tx
      .selectFrom('observations')
      .select(['tenant', 'kind', 'handle'])
      .where('kind', 'in', derived)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(tenant, handle) > (${after?.tenant}, ${after?.handle})`),
      )
      .orderBy('tenant')
      .orderBy('handle')
      .limit(ROWS_PER_STEP)
      .execute();
    if (rows.some(isEarlier)) throw new LedgerUnavailable(refusal(place));
    after = rows.at(-1);
    more = rows.length === ROWS_PER_STEP;
  }
}

const isEarlier = ({ kind, handle }: { readonly kind: string; readonly handle: string }): boolean =>
  handle.length === `${kind}_`.length + EARLIER_LETTERS;

const refusal = (place: string): string =>
  `The ledger ${place} was written before handles were shortened and can't be carried over: keep it, with the version that wrote it, for its records, and name another place for a new ledger.`;
