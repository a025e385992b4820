import { sql } from 'kysely';
import { checked, sound } from './checksum.ts';
import type { LedgerTransaction } from './ledger.ts';
import type { StoredBudget } from './tables.ts';
import type { Scoped } from './tenant.ts';

/** What was taken out of one tenant's budgets, and for which operation. */
export function budgetsOf({ tenant, budgets, reservations }: Scoped): LedgerTransaction['budgets'] {
  /** Gives a budget that was just changed by so much its checksum, if it was what was written before. */
  const sum = async (written: StoredBudget, minor: number, times: number): Promise<void> => {
    const { checksum, ...now } = written;
    sound('budgets', { ...now, minor: now.minor - minor, times: now.times - times, checksum });
    await at(written)
      .set({ checksum: checked('budgets', now).checksum })
      .execute();
  };
  const at = ({ budget, scope }: Pick<StoredBudget, 'budget' | 'scope'>) =>
    budgets.update().where('budget', '=', budget).where('scope', '=', scope);

  return {
    reserve: async ({ budget, scope, operationId, minor, most, times }) => {
      await budgets
        .insert({ budget, scope, minor: 0, times: 0 })
        .onConflict((conflict) => conflict.columns(['tenant', 'budget', 'scope']).doNothing())
        .execute();
      // One conditional update: of two that race for the last of a budget, one finds the condition no longer true.
      const written = await at({ budget, scope })
        .set({ minor: sql`minor + ${minor}`, times: sql`times + 1` })
        .$if(most !== undefined, (query) => query.where('minor', '<=', (most ?? 0) - minor))
        .$if(times !== undefined, (query) => query.where('times', '<', times ?? 0))
        .returningAll()
        .executeTakeFirst();
      if (written === undefined) return false;
      await sum(written, minor, 1);
      await reservations.insert({ budget, scope, operationId, minor, state: 'HELD' }).execute();
      return true;
    },
    settle: async (operationId, state) => {
      const held = await reservations
        .select()
        .selectAll()
        .where('operationId', '=', operationId)
        .where('state', '=', 'HELD')
        .execute();
      for (const { checksum, ...row } of held) {
        const { budget, scope, minor } = sound('reservations', { ...row, checksum });
        if (state === 'RELEASED')
          await sum(
            await at(row)
              .set({ minor: sql`minor - ${minor}`, times: sql`times - 1` })
              .returningAll()
              .executeTakeFirstOrThrow(),
            -minor,
            -1,
          );
        await reservations
          .update()
          .set(checked('reservations', { ...row, tenant, state }))
          .where('operationId', '=', operationId)
          .where('budget', '=', budget)
          .where('scope', '=', scope)
          .where('state', '=', 'HELD')
          .execute();
      }
    },
    used: async (budget, scope) => {
      const row = await budgets
        .select()
        .selectAll()
        .where('budget', '=', budget)
        .where('scope', '=', scope)
        .executeTakeFirst();
      if (row === undefined) return { minor: 0, times: 0 };
      const { minor, times } = sound('budgets', row);
      return { minor, times };
    },
  };
}
