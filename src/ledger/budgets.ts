import { sql } from 'kysely';
import { requireIntact, withChecksum } from './checksum.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { StoredBudget } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

/** What was taken out of one tenant's budgets, and for which operation. */
export function budgetsOf({ tenant, budgets, reservations, proof }: Scoped): LedgerTransaction['budgets'] {
  const at = ({ budget, scope }: Pick<StoredBudget, 'budget' | 'scope'>) =>
    budgets.update().where('budget', '=', budget).where('scope', '=', scope);
  const find = async (budget: string, scope: string): Promise<StoredBudget | undefined> => {
    const row = await budgets
      .select()
      .selectAll()
      .where('budget', '=', budget)
      .where('scope', '=', scope)
      .executeTakeFirst();
    proof.read('budgets', [budget, scope], row);
    return row && requireIntact('budgets', row);
  };
  /** Gives a budget that was just changed by so much its checksum, if it was what was written before. */
  const sum = async (written: StoredBudget, minor: number, times: number): Promise<void> => {
    const { checksum, ...now } = written;
    const before = requireIntact('budgets', { ...now, minor: now.minor - minor, times: now.times - times, checksum });
    const after = withChecksum('budgets', now);
    await at(now).set({ checksum: after.checksum }).execute();
    proof.wrote('budgets', before, after);
  };

  return {
    reserve: async ({ budget, scope, operationId, minor, most, times }) => {
      if ((await find(budget, scope)) === undefined) await begin({ budget, scope });
      // One conditional update: of two that race for the last of a budget, one finds the condition no longer true.
      const written = await at({ budget, scope })
        .set({ minor: sql`minor + ${minor}`, times: sql`times + 1` })
        .$if(most !== undefined, (query) => query.where('minor', '<=', (most ?? 0) - minor))
        .$if(times !== undefined, (query) => query.where('times', '<', times ?? 0))
        .returningAll()
        .executeTakeFirst();
      if (written === undefined) return false;
      await sum(written, minor, 1);
      const held = { budget, scope, operationId, minor, state: 'HELD' } as const;
      proof.wrote('reservations', undefined, await reservations.insert(held).returningAll().executeTakeFirstOrThrow());
      return true;
    },
    settle: async (operationId, state) => {
      const held = await reservations
        .select()
        .selectAll()
        .where('operationId', '=', operationId)
        .where('state', '=', 'HELD')
        .execute();
      proof.found('reservations', ['held by', operationId], held);
      for (const row of held) {
        const { checksum: _, ...reservation } = requireIntact('reservations', row);
        const { budget, scope, minor } = reservation;
        if (state === 'RELEASED')
          await sum(
            await at(row)
              .set({ minor: sql`minor - ${minor}`, times: sql`times - 1` })
              .returningAll()
              .executeTakeFirstOrThrow(),
            -minor,
            -1,
          );
        const after = withChecksum('reservations', { ...reservation, tenant, state });
        await reservations
          .update()
          .set(after)
          .where('operationId', '=', operationId)
          .where('budget', '=', budget)
          .where('scope', '=', scope)
          .where('state', '=', 'HELD')
          .execute();
        proof.wrote('reservations', row, after);
      }
    },
    used: async (budget, scope) => {
      const { minor, times } = (await find(budget, scope)) ?? { minor: 0, times: 0 };
      return { minor, times };
    },
  };

  async function begin(of: Pick<StoredBudget, 'budget' | 'scope'>): Promise<void> {
    const row = await budgets
      .insert({ ...of, minor: 0, times: 0 })
      .onConflict((conflict) => conflict.columns(['tenant', 'budget', 'scope']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined) proof.wrote('budgets', undefined, row);
  }
}
