import type { ChecksummedTable, Tables } from './tables.ts';

/** The key of each table, in the order in which verification walks it. */
export const primaryKeys = {
  operations: ['tenant', 'id'],
  observations: ['tenant', 'handle'],
  approvals: ['tenant', 'id'],
  budgets: ['tenant', 'budget', 'scope'],
  reservations: ['tenant', 'operationId', 'budget', 'scope'],
  sealed: ['tenant', 'handle'],
  events: ['tenant', 'id'],
} as const satisfies { readonly [T in ChecksummedTable]: readonly (keyof Tables[T])[] };
