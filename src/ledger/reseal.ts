import type { Kysely } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { readHead } from './anchor.ts';
import { trailsOf } from './audit.ts';
import { toAudit } from './chain.ts';
import { checksumOf } from './checksum.ts';
import { type Lookup, lookupsOf } from './lookups.ts';
import { primaryKeys } from './primary-keys.ts';
import { type ProofSettings, sealHead } from './proof.ts';
import { writeTree } from './proof-tree.ts';
import type { ChecksummedTable, Tables } from './tables.ts';

/** Rebuilds the hash tree from the current rows, and seals it. Reads everything, once, on the operator's command. */
export async function reseal(db: Kysely<Tables>, { key }: ProofSettings): Promise<void> {
  const values = new Map<string, string>();
  const counts: Record<string, number> = {};
  for (const table of Object.keys(primaryKeys) as readonly ChecksummedTable[]) {
    const rows = (await db
      .selectFrom(table as 'operations')
      .selectAll()
      .execute()) as unknown as readonly Tables[ChecksummedTable][];
    for (const row of rows) {
      const columns = row as unknown as { readonly [column: string]: unknown };
      values.set(
        rowKey(
          primaryKeys[table].map((column) => String(columns[column])),
          table,
        ),
        checksumOf(table, row as never),
      );
      for (const lookup of lookupsOf[table](row as never)) {
        const name = lookupName(row.tenant, lookup);
        values.set(name, String(Number(values.get(name) ?? 0) + 1));
      }
    }
    if (rows.length > 0) counts[table] = rows.length;
  }
  for (const row of await db.selectFrom('audit').selectAll().orderBy('seq').execute())
    for (const lookup of trailsOf(toAudit(row))) values.set(lookupName(row.tenant, lookup), row.hash);
  const audit = await readHead(db);
  await db.deleteFrom('proofs').execute();
  await writeTree(db, { node: () => ({}) }, values, (root) => sealHead({ root, counts }, audit, key));
}

/** The key of a row's value in the tree. */
export const rowKey = ([tenant = '', ...key]: readonly string[], table: ChecksummedTable): string =>
  sha256(canonicalJson([tenant, table, ...key]));

const lookupName = (tenant: string, lookup: Lookup): string => sha256(canonicalJson([tenant, 'lookup', ...lookup]));
