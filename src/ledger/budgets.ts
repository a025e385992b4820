import { sql } from 'kysely';
import type { LedgerTransaction } from './ledger.ts';
import type { Scoped } from './tenant.ts';

/** What was taken out of one tenant's budgets, and for which operation. */
export function budgetsOf({ budgets, reservations }: Scoped): LedgerTransaction['budgets'] {
  return {
    reserve: async ({ budget, scope, operationId, minor, most, times }) => {
      await budgets
        .insert({ budget, scope, minor: 0, times: 0 })
        .onConflict((conflict) => conflict.columns(['tenant', 'budget', 'scope']).doNothing())
        .execute();
      // One conditional update: of two that race for the last of a budget, one finds the condition no longer true.
      const { numUpdatedRows } = await budgets
        .update()
        .set({ minor: sql`minor + ${minor}`, times: sql`times + 1` })
        .where('budget', '=', budget)
        .where('scope', '=', scope)
        .$if(most !== undefined, (query) => query.where('minor', '<=', (most ?? 0) - minor))
        .$if(times !== undefined, (query) => query.where('times', '<', times ?? 0))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
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
      for (const { budget, scope, minor } of state === 'RELEASED' ? held : [])
        await budgets
          .update()
          .set({ minor: sql`minor - ${minor}`, times: sql`times - 1` })
          .where('budget', '=', budget)
          .where('scope', '=', scope)
          .execute();
      await reservations
        .update()
        .set({ state })
        .where('operationId', '=', operationId)
        .where('state', '=', 'HELD')
        .execute();
    },
    used: async (budget, scope) => {
      const row = await budgets
        .select()
        .select(['minor', 'times'])
        .where('budget', '=', budget)
        .where('scope', '=', scope)
        .executeTakeFirst();
      return row ?? { minor: 0, times: 0 };
    },
  };
}
