import { sound } from './checksum.ts';
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
      const taken = await sealed.remove().where('handle', '=', handle).returningAll().executeTakeFirst();
      if (taken === undefined) return undefined;
      const { sealed: text, expiresAt } = sound('sealed', taken);
      return { sealed: text, expiresAt };
    },
  };
}
