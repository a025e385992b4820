import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Operations, observations, approvals and the audit chain, in words that SQLite and PostgreSQL share. */
export async function createLedgerTables(db: Kysely<Tables>): Promise<void> {
  await createOperations(db);
  await createObservations(db);
  await createApprovals(db);
  await createAudit(db);
}

async function createOperations({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('operations')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('args', 'text', (column) => column.notNull())
    .addColumn('argsDigest', 'text', (column) => column.notNull())
    .addColumn('rulesHash', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('startedAt', 'bigint')
    .addColumn('quietUntil', 'bigint')
    .addColumn('request', 'text')
    .addColumn('result', 'text')
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('updatedAt', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('operations_key', ['tenant', 'id'])
    // Recovery looks at `quiet_until`: a row under way without one would be lost in silence.
    .addCheckConstraint('sending_has_quiet_until', sql`state <> 'SENDING' or quiet_until is not null`)
    .execute();
  await schema
    .createIndex('operationsOpenOnSubject')
    .unique()
    .on('operations')
    .columns(['tenant', 'subject'])
    .where(sql<boolean>`state in ('SENDING', 'UNKNOWN') and subject <> ''`)
    .execute();
  await schema
    .createIndex('operationsHoldingReference')
    .unique()
    .on('operations')
    .columns(['tenant', 'name', 'reference'])
    .where(sql<boolean>`reference <> '' and state not in ('FAILED', 'EXPIRED')`)
    .execute();
  await schema
    .createIndex('operationsOverdue')
    .on('operations')
    .columns(['quietUntil', 'id'])
    .where(sql<boolean>`state = 'SENDING'`)
    .execute();
  for (const [name, columns] of [
    ['operationsBySubject', ['tenant', 'subject']],
    ['operationsByReference', ['tenant', 'name', 'reference']],
    ['operationsByCall', ['tenant', 'name', 'argsDigest']],
    ['operationsByTime', ['tenant', 'createdAt', 'id', 'state']],
  ] as const)
    await schema
      .createIndex(name)
      .on('operations')
      .columns([...columns])
      .execute();
}

async function createObservations({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('observations')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('handle', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('updatedAt', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('observations_key', ['tenant', 'handle'])
    .execute();
  await schema
    .createIndex('observationsByTime')
    .on('observations')
    .columns(['tenant', 'kind', 'createdAt', 'handle', 'owner'])
    .execute();
}

async function createApprovals({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('approvals')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('operationId', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('approver', 'text')
    .addColumn('channel', 'text')
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addColumn('decidedAt', 'bigint')
    .addColumn('createdAt', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('approvals_key', ['tenant', 'id'])
    .addForeignKeyConstraint('approvals_of_operation', ['tenant', 'operationId'], 'operations', ['tenant', 'id'])
    .execute();
  await schema
    .createIndex('approvalsOfOperation')
    .unique()
    .on('approvals')
    .columns(['tenant', 'operationId'])
    .execute();
  await schema.createIndex('approvalsByTime').on('approvals').columns(['tenant', 'createdAt', 'id', 'state']).execute();
}

async function createAudit(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('operationId', 'text')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('previousHash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('auditByTenant').on('audit').columns(['tenant', 'seq']).execute();
  await db.schema
    .createTable('auditHead')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await db
    .insertInto('auditHead')
    .values({ id: 1, seq: 0, hash: '0'.repeat(64) })
    .execute();
}
