import type { ChecksummedTable, Tables } from './tables.ts';

/** The key of each table, in whose order it is walked through. */
export const primaryKeys = {
  operations: ['tenant', 'id'],
  observations: ['tenant', 'handle'],
  approvals: ['tenant', 'id'],
  budgets: ['tenant', 'budget', 'scope'],
  reservations: ['tenant', 'operationId', 'budget', 'scope'],
  sealed: ['tenant', 'handle'],
} as const satisfies { readonly [T in ChecksummedTable]: readonly (keyof Tables[T])[] };
