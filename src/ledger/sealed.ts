import type { LedgerTransaction } from './ledger.ts';
import type { Scoped } from './tenant.ts';

/** One tenant's sealed secrets. They are deleted as they are taken, and forgotten when their time is over. */
export function sealedOf({ sealed }: Scoped): LedgerTransaction['sealed'] {
  return {
    put: async (row) => {
      await sealed.insert(row).execute();
    },
    take: async (handle, now) => {
      await sealed.remove().where('expiresAt', '<=', now).execute();
      return sealed.remove().where('handle', '=', handle).returning(['sealed', 'expiresAt']).executeTakeFirst();
    },
  };
}
