import { type Kysely, sql } from 'kysely';
import { fromText } from '../json-column.ts';
import { searchedNames } from '../names.ts';
import { searchKeysOf, searchNamesOf } from '../search-keys.ts';
import type { Tables } from '../tables.ts';

const ROWS_PER_STEP = 500;

/** Purchases are found by reference and state, operations by reference, invoices by number, customer and due date. */
export async function indexSearches(tx: Kysely<Tables>): Promise<void> {
  const { schema } = tx;
  await schema
    .createTable('searchKeys')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('handle', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_keys_key', ['tenant', 'kind', 'key', 'value', 'at', 'handle'])
    .execute();
  await schema
    .createIndex('searchKeysOfPrincipal')
    .on('searchKeys')
    .columns(['tenant', 'kind', 'principal', 'key', 'value', 'at', 'handle'])
    .execute();
  await schema
    .createIndex('operationsOfReference')
    .on('operations')
    .columns(['tenant', 'reference', 'createdAt', 'id', 'state', 'principal'])
    .where(sql<boolean>`reference <> ''`)
    .execute();
  await fillIn(tx);
}

/** Things that are older than this step get their keys. */
async function fillIn(tx: Kysely<Tables>): Promise<void> {
  for (let after: { readonly tenant: string; readonly handle: string } | undefined, more = true; more; ) {
    const rows = await tx
      .selectFrom('observations')
      .selectAll()
      .where('kind', 'in', ['instruction', 'invoice'])
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(tenant, handle) > (${after?.tenant}, ${after?.handle})`),
      )
      .orderBy('tenant')
      .orderBy('handle')
      .limit(ROWS_PER_STEP)
      .execute();
    for (const { tenant, body, ...stored } of rows) {
      const row = { ...stored, body: readable(body) };
      for (const key of searchKeysOf(row))
        await tx
          .insertInto('searchKeys')
          .values({ ...key, tenant })
          .execute();
      for (const [kind, text] of searchNamesOf(row))
        for (const name of searchedNames(text))
          await tx.insertInto('names').values({ tenant, kind, name, handle: row.handle }).execute();
    }
    after = rows.at(-1);
    more = rows.length === ROWS_PER_STEP;
  }
}

/** A damaged body has no keys; verifying the ledger reports it. */
function readable(body: string): ReturnType<typeof fromText> {
  try {
    return fromText(body);
  } catch {
    return {};
  }
}
