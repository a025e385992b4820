import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { snakeCase } from '../column-names.ts';
import type { Tables } from '../tables.ts';

/** Creates every table and index, in SQL common to SQLite and PostgreSQL. */
export async function createTables(db: Kysely<Tables>): Promise<void> {
  for (const [name, table] of Object.entries(tables)) await createTable(db, name, table);
  for (const [name, index] of Object.entries(indexes)) await createIndex(db, name, index);
  await db
    .insertInto('auditHead')
    .values({ id: 1, seq: 0, hash: '0'.repeat(64) })
    .execute();
}

/** A column's name and type. A question mark makes it nullable; `key` makes it the primary key. */
type Column = `${string} ${'text' | 'integer' | 'bigint'}${'' | '?' | ' key' | " ''"}`;

interface Table {
  readonly columns: readonly Column[];
  /** The columns of a composite primary key. */
  readonly key?: readonly string[];
  readonly check?: readonly [name: string, condition: RawBuilder<boolean>];
  /** The name of the foreign key, for a table whose rows belong to an operation. */
  readonly foreignKey?: string;
}

// biome-ignore format: a table
const tables: { readonly [name: string]: Table } = {
  operations: {
    columns: [
      'id text', 'tenant text', 'principal text', 'name text', 'subject text', 'reference text', 'args text', 'argsDigest text',
      'essenceDigest text', 'rulesHash text', 'state text', 'attempt integer', 'startedAt bigint?', 'quietUntil bigint?', 'request text?',
      'result text?', 'createdAt bigint', 'updatedAt bigint', 'version integer', 'leaseHolder text?', 'leaseUntil bigint?',
      "checksum text ''",
    ],
    key: ['tenant', 'id'],
    // Recovery selects by this column: without it, a SENDING operation would never be recovered.
    check: ['sending_has_quiet_until', sql<boolean>`state <> 'SENDING' or quiet_until is not null`],
  },
  observations: {
    columns: [
      'tenant text', 'handle text', 'kind text', 'owner text', 'state text', 'body text', 'changeSeq bigint', 'lookedAt bigint',
      'createdAt bigint',
      'updatedAt bigint', 'version integer', "checksum text ''",
    ],
    key: ['tenant', 'handle'],
  },
  approvals: {
    columns: [
      'id text', 'tenant text', 'principal text', 'operationId text', 'digest text', 'text text', 'state text',
      'approver text?', 'channel text?', 'expiresAt bigint', 'decidedAt bigint?', 'createdAt bigint', 'version integer',
      "checksum text ''",
    ],
    key: ['tenant', 'id'],
    foreignKey: 'approvals_of_operation',
  },
  audit: {
    columns: [
      'seq bigint key', 'tenant text', 'operationId text?', 'event text', 'body text', 'at bigint', 'previousHash text',
      'hash text',
    ],
  },
  auditHead: { columns: ['id integer key', 'seq bigint', 'hash text'] },
  budgets: {
    columns: ['tenant text', 'budget text', 'scope text', 'minor bigint', 'times integer', "checksum text ''"],
    key: ['tenant', 'budget', 'scope'],
    check: ['budgets_not_negative', sql<boolean>`minor >= 0 and times >= 0`],
  },
  reservations: {
    columns: [
      'tenant text', 'operationId text', 'budget text', 'scope text', 'minor bigint', 'state text', "checksum text ''",
    ],
    key: ['tenant', 'operationId', 'budget', 'scope'],
    foreignKey: 'reservations_of_operation',
  },
  sealed: {
    columns: ['tenant text', 'handle text', 'sealed text', 'expiresAt bigint', "checksum text ''"],
    key: ['tenant', 'handle'],
  },
  events: {
    columns: [
      'tenant text', 'id text', 'type text', 'kind text', 'thing text', 'state text', 'happenedAt bigint?', 'dueAt bigint',
      'attempts integer', 'createdAt bigint', 'updatedAt bigint', 'version integer', "checksum text ''",
    ],
    key: ['tenant', 'id'],
  },
  names: { columns: ['tenant text', 'kind text', 'name text', 'handle text'], key: ['tenant', 'kind', 'name', 'handle'] },
  searchKeys: {
    columns: ['tenant text', 'kind text', 'principal text', 'key text', 'value text', 'at bigint', 'handle text'],
    key: ['tenant', 'kind', 'key', 'value', 'at', 'handle'],
  },
  proofs: { columns: ['node text key', 'content text'] },
};

interface Index {
  readonly on: string;
  readonly columns: readonly string[];
  readonly where?: RawBuilder<boolean>;
  readonly isUnique?: true;
}

// A query uses a partial index only if it repeats the index's condition literally.
// biome-ignore format: a table
const indexes: { readonly [name: string]: Index } = {
  operationsOpenOnSubject:      { on: 'operations', columns: ['tenant', 'subject'], isUnique: true, where: sql`state in ('SENDING', 'UNKNOWN') and subject <> ''` },
  operationsHoldingReference:   { on: 'operations', columns: ['tenant', 'name', 'reference'], isUnique: true, where: sql`reference <> '' and state not in ('FAILED', 'EXPIRED', 'WITHDRAWN')` },
  operationsOverdue:            { on: 'operations', columns: ['quietUntil', 'id'], where: sql`state = 'SENDING'` },
  operationsUnknown:            { on: 'operations', columns: ['quietUntil'], where: sql`state = 'UNKNOWN'` },
  operationsOpenCalls:          { on: 'operations', columns: ['tenant', 'name', 'argsDigest', 'principal'], where: sql`state in ('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN')` },
  operationsAlike:              { on: 'operations', columns: ['tenant', 'name', 'essenceDigest', 'state', 'createdAt', 'id'] },
  operationsDenied:             { on: 'operations', columns: ['tenant', 'name', 'argsDigest', 'principal'], where: sql`state = 'FAILED' and result is null` },
  operationsOfReference:        { on: 'operations', columns: ['tenant', 'reference', 'createdAt', 'id', 'state', 'principal'], where: sql`reference <> ''` },
  operationsBySubject:          { on: 'operations', columns: ['tenant', 'subject'] },
  operationsByReference:        { on: 'operations', columns: ['tenant', 'name', 'reference'] },
  operationsByTime:             { on: 'operations', columns: ['tenant', 'createdAt', 'id', 'state'] },
  operationsByState:            { on: 'operations', columns: ['tenant', 'state', 'createdAt', 'id'] },
  operationsByPrincipal:        { on: 'operations', columns: ['tenant', 'principal', 'createdAt', 'id', 'state'] },
  operationsOfPrincipalByState: { on: 'operations', columns: ['tenant', 'principal', 'state', 'createdAt', 'id'] },
  observationsByTime:           { on: 'observations', columns: ['tenant', 'kind', 'createdAt', 'handle', 'owner'] },
  observationsByOwner:          { on: 'observations', columns: ['tenant', 'kind', 'owner', 'createdAt', 'handle'] },
  approvalsOfOperation:         { on: 'approvals', columns: ['tenant', 'operationId'], isUnique: true },
  approvalsByTime:              { on: 'approvals', columns: ['tenant', 'createdAt', 'id', 'state'] },
  approvalsByState:             { on: 'approvals', columns: ['tenant', 'state', 'createdAt', 'id', 'expiresAt'] },
  approvalsByPrincipal:         { on: 'approvals', columns: ['tenant', 'principal', 'createdAt', 'id', 'state'] },
  approvalsOfPrincipalByState:  { on: 'approvals', columns: ['tenant', 'principal', 'state', 'createdAt', 'id'] },
  auditByTenant:                { on: 'audit', columns: ['tenant', 'seq'] },
  auditOfOperation:             { on: 'audit', columns: ['tenant', 'operationId', 'seq'] },
  auditHalts:                   { on: 'audit', columns: ['tenant', 'seq'], where: sql`event in ('halted', 'resumed')` },
  auditArchives:                { on: 'audit', columns: ['seq'], where: sql`event = 'archived'` },
  sealedByExpiry:               { on: 'sealed', columns: ['tenant', 'expiresAt'] },
  eventsDue:                    { on: 'events', columns: ['tenant', 'dueAt', 'id'], where: sql`state = 'RECEIVED'` },
  eventsByTime:                 { on: 'events', columns: ['tenant', 'createdAt', 'id', 'state'] },
  eventsOfThing:                { on: 'events', columns: ['tenant', 'thing', 'createdAt', 'id'] },
  namesOfThing:                 { on: 'names', columns: ['tenant', 'kind', 'handle', 'name'] },
  searchKeysOfPrincipal:        { on: 'searchKeys', columns: ['tenant', 'kind', 'principal', 'key', 'value', 'at', 'handle'] },
};

async function createTable({ schema }: Kysely<Tables>, name: string, table: Table): Promise<void> {
  let create = schema.createTable(name);
  for (const column of table.columns) {
    const [, own = '', type = '', mark = ''] = /^(\w+) (\w+) ?(\S*)$/.exec(column) ?? [];
    create = create.addColumn(own, type as 'text', modifiers[mark as keyof typeof modifiers]); // one of the types of `Column`
  }
  if (table.key) create = create.addPrimaryKeyConstraint(`${snakeCase(name)}_key`, [...table.key] as never[]);
  if (table.check) create = create.addCheckConstraint(...table.check);
  if (table.foreignKey)
    create = create.addForeignKeyConstraint(table.foreignKey, ['tenant', 'operationId'] as never[], 'operations', [
      'tenant',
      'id',
    ]);
  await create.execute();
}

const modifiers = {
  '': (column: ColumnDefinitionBuilder) => column.notNull(),
  '?': (column: ColumnDefinitionBuilder) => column,
  key: (column: ColumnDefinitionBuilder) => column.primaryKey(),
  "''": (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(''),
} as const;

async function createIndex(
  { schema }: Kysely<Tables>,
  name: string,
  { on, columns, where, isUnique }: Index,
): Promise<void> {
  let create = schema
    .createIndex(name)
    .on(on)
    .columns([...columns]);
  if (isUnique) create = create.unique();
  await (where === undefined ? create : create.where(where)).execute();
}
