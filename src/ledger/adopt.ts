import type { Kysely } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { headOf } from './anchored.ts';
import { trailsOf } from './audit.ts';
import { toAudit } from './chain.ts';
import { checksumOf } from './checksum.ts';
import { keys } from './keys.ts';
import { type Lookup, lookupsOf } from './lookups.ts';
import { type Proving, sealed } from './proof.ts';
import { type Leaf, leafOf, writeTree } from './proof-tree.ts';
import type { Checked, Tables } from './tables.ts';

/** Makes the hash tree anew from the rows as they are, and seals it. Reads everything, once, at the operator's word. */
export async function adopt(db: Kysely<Tables>, { key }: Proving): Promise<void> {
  const values = new Map<string, string>();
  const counts: Record<string, number> = {};
  for (const table of Object.keys(keys) as readonly Checked[]) {
    const rows = (await db
      .selectFrom(table as 'operations')
      .selectAll()
      .execute()) as unknown as readonly Tables[Checked][];
    for (const row of rows) {
      const columns = row as unknown as { readonly [column: string]: unknown };
      values.set(
        nameOf(
          keys[table].map((column) => String(columns[column])),
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
  const leaves = new Map<string, Leaf>();
  for (const [name, value] of values) {
    const leaf = leaves.get(leafOf(name)) ?? {};
    leaf[name] = value;
    leaves.set(leafOf(name), leaf);
  }
  const audit = await headOf(db);
  await db.deleteFrom('proofs').execute();
  await writeTree(db, { node: () => ({}) }, leaves, (root) => sealed({ root, counts }, audit, key));
}

/** The name of a row's value in the tree, by its key. */
export const nameOf = ([tenant = '', ...key]: readonly string[], table: Checked): string =>
  sha256(canonicalJson([tenant, table, ...key]));

const lookupName = (tenant: string, lookup: Lookup): string => sha256(canonicalJson([tenant, 'lookup', ...lookup]));
