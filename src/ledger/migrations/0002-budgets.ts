import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Budgets, and what each operation took out of them. */
export async function createBudgetTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('budgets')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('budget', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('minor', 'bigint', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('budgets_key', ['tenant', 'budget', 'scope'])
    .addCheckConstraint('budgets_not_negative', sql`minor >= 0 and times >= 0`)
    .execute();
  await schema
    .createTable('reservations')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('operationId', 'text', (column) => column.notNull())
    .addColumn('budget', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('minor', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('reservations_key', ['tenant', 'operationId', 'budget', 'scope'])
    .addForeignKeyConstraint('reservations_of_operation', ['tenant', 'operationId'], 'operations', ['tenant', 'id'])
    .execute();
}
