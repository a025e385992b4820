import { requireIntact, withChecksum } from './checksum.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { Scoped } from './tenant-scope.ts';

/** Most expired secrets deleted at once. Own choice. */
const EXPIRED_AT_ONCE = 100;

/** One tenant's sealed secrets. Taking one deletes it, and some expired ones. */
export function sealedOf({ tenant, sealed, proof }: Scoped): LedgerTransaction['sealed'] {
  return {
    put: async (row) => {
      const stored = withChecksum('sealed', { ...row, tenant });
      proof.wrote('sealed', undefined, await sealed.insert(stored).returningAll().executeTakeFirstOrThrow());
    },
    find: async (handle, now) => {
      const row = await sealed.select().selectAll().where('handle', '=', handle).executeTakeFirst();
      proof.read('sealed', [handle], row);
      if (row === undefined || row.expiresAt <= now) return undefined;
      const { sealed: text, expiresAt } = requireIntact('sealed', row);
      return { sealed: text, expiresAt };
    },
    take: async (handle, now) => {
      const expired = sealed.select().select('handle').where('expiresAt', '<=', now).limit(EXPIRED_AT_ONCE);
      for (const row of await sealed.remove().where('handle', 'in', expired).returningAll().execute())
        proof.wrote('sealed', row, undefined);
      const taken = await sealed.remove().where('handle', '=', handle).returningAll().executeTakeFirst();
      if (taken === undefined) proof.read('sealed', [handle], undefined);
      else proof.wrote('sealed', taken, undefined);
      if (taken === undefined) return undefined;
      const { sealed: text, expiresAt } = requireIntact('sealed', taken);
      return { sealed: text, expiresAt };
    },
    clear: async () => {
      for (const row of await sealed.remove().returningAll().execute()) proof.wrote('sealed', row, undefined);
    },
  };
}
