import { type Kysely, sql } from 'kysely';
import { operation } from '../core/own-machines.ts';
import { trailsOf } from './audit.ts';
import { type InSnapshot, isArchived, readChainStart, toAudit } from './chain.ts';
import { LedgerUnavailable } from './errors.ts';
import type { ChainArchive, Segment } from './ledger.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { Proof } from './proof.ts';
import type { Tables } from './tables.ts';

// The oldest rows of the audit chain can be moved from the database to files. An audit row records the last archived
// row, and the remaining chain continues there.

/** The archive's reads of all tenants, for either database. */
export const archiveReads = (inSnapshot: InSnapshot): Omit<ChainArchive, 'remove'> => ({
  start: () => inSnapshot(readChainStart),
  records: () =>
    inSnapshot(async (tx) =>
      (await tx.selectFrom('audit').selectAll().where(isArchived).orderBy('seq').execute()).map(toAudit),
    ),
  lastUnread: () => inSnapshot(lastUnread),
  rows: (after, most) =>
    inSnapshot(async (tx) =>
      (await tx.selectFrom('audit').selectAll().where('seq', '>', after).orderBy('seq').limit(most).execute()).map(
        toAudit,
      ),
    ),
});

async function lastUnread(tx: Kysely<Tables>): Promise<number> {
  const open = await tx
    .selectFrom('audit')
    .innerJoin('operations', (join) =>
      join.onRef('operations.id', '=', 'audit.operationId').onRef('operations.tenant', '=', 'audit.tenant'),
    )
    .select(({ fn }) => fn.min<number | null>('audit.seq').as('seq'))
    .where('operations.state', 'not in', Object.keys(operation.final))
    .executeTakeFirst();
  const halts = await tx
    .selectFrom('audit')
    .select(['tenant', 'seq', 'event'])
    .where(sql<boolean>`event in ('halted', 'resumed')`)
    .orderBy('seq')
    .execute();
  const last = new Map(halts.map((row) => [row.tenant, row]));
  const halting = [...last.values()].filter(({ event }) => event === 'halted').map(({ seq }) => seq);
  const head = await tx.selectFrom('auditHead').select('seq').executeTakeFirst();
  return Math.min(open?.seq ?? Number.POSITIVE_INFINITY, head?.seq ?? 0, ...halting) - 1;
}

/** Runs work that may delete audit rows. */
export type AsArchivist = <T>(db: Kysely<Tables>, work: () => Promise<T>) => Promise<T>;

/** Removes a segment, in a transaction of the tenant whose audit records it. */
export async function removeSegment(
  db: Kysely<Tables>,
  { audit, proof, asArchivist }: { audit: LedgerTransaction['audit']; proof: Proof; asArchivist: AsArchivist },
  { through, file, at }: Segment,
): Promise<void> {
  const removed = await asArchivist(db, async () => {
    const start = await readChainStart(db);
    if (through.seq <= start.seq) return undefined;
    const rows = await db.selectFrom('audit').selectAll().where('seq', '<=', through.seq).orderBy('seq').execute();
    if (rows.length !== through.seq - start.seq || rows.at(-1)?.hash !== through.hash)
      throw new LedgerUnavailable('The archive does not contain the oldest rows of this ledger: name another file.');
    await db.deleteFrom('audit').where('seq', '<=', through.seq).execute();
    for (const row of rows)
      for (const lookup of trailsOf(toAudit(row))) {
        const newer = await db
          .selectFrom('audit')
          .select('seq')
          .where('tenant', '=', row.tenant)
          .$if(row.operationId !== null && lookup[0] === 'trail', (query) =>
            query.where('operationId', '=', row.operationId),
          )
          .$if(lookup[0] !== 'trail', (query) => query.where(sql<boolean>`event in ('halted', 'resumed')`))
          .limit(1)
          .executeTakeFirst();
        if (newer === undefined) proof.forget(row.tenant, lookup);
      }
    return { first: start.seq + 1, through: through.seq, hash: through.hash, file };
  });
  if (removed !== undefined) await audit.append({ event: 'archived', body: removed, at });
}
