import { type Kysely, sql } from 'kysely';
import { searchedNames } from '../names.ts';
import type { Tables } from '../tables.ts';

const ROWS_PER_STEP = 500;

/** Indexes for what was read through from end to end, and names by which shoppers are found. */
export async function indexGrowth(tx: Kysely<Tables>): Promise<void> {
  const { schema } = tx;
  for (const [name, table, columns] of [
    ['observationsByOwner', 'observations', ['tenant', 'kind', 'owner', 'createdAt', 'handle']],
    ['operationsByState', 'operations', ['tenant', 'state', 'createdAt', 'id']],
    ['operationsOfPrincipalByState', 'operations', ['tenant', 'principal', 'state', 'createdAt', 'id']],
    ['approvalsOfPrincipalByState', 'approvals', ['tenant', 'principal', 'state', 'createdAt', 'id']],
    ['approvalsByState', 'approvals', ['tenant', 'state', 'createdAt', 'id']],
    ['sealedByExpiry', 'sealed', ['tenant', 'expiresAt']],
  ] as const)
    await schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
  await schema
    .createTable('names')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('handle', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('names_key', ['tenant', 'kind', 'name', 'handle'])
    .execute();
  await schema.createIndex('namesOfThing').on('names').columns(['tenant', 'kind', 'handle', 'name']).execute();
  await fillIn(tx);
}

/** Shoppers that are older than this step get their names. */
async function fillIn(tx: Kysely<Tables>): Promise<void> {
  for (let after: { readonly tenant: string; readonly handle: string } | undefined, more = true; more; ) {
    const rows = await tx
      .selectFrom('observations')
      .select(['tenant', 'handle', 'body'])
      .where('kind', '=', 'shopper')
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(tenant, handle) > (${after?.tenant}, ${after?.handle})`),
      )
      .orderBy('tenant')
      .orderBy('handle')
      .limit(ROWS_PER_STEP)
      .execute();
    const names = rows.flatMap(({ tenant, handle, body }) =>
      searchedNames(displayName(body)).map((name) => ({ tenant, kind: 'shopper', name, handle })),
    );
    if (names.length > 0) for (const name of names) await tx.insertInto('names').values(name).execute();
    after = rows.at(-1);
    more = rows.length === ROWS_PER_STEP;
  }
}

/** As a registration holds it; a body that was damaged has none, and verifying tells of it. */
function displayName(body: string): string {
  try {
    return String((JSON.parse(body) as { readonly displayName?: unknown }).displayName ?? '');
  } catch {
    return '';
  }
}
