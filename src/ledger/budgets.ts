import { requireIntact, withChecksum } from './checksum.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { StoredBudget } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

/** One tenant's budgets, and each operation's reservations. */
export function budgetsOf({ tenant, budgets, reservations, proof, rows }: Scoped): LedgerTransaction['budgets'] {
  const keyOf = (budget: string, scope: string): string => JSON.stringify([budget, scope]);

  const find = (budget: string, scope: string): Promise<StoredBudget | undefined> =>
    rows.budgets.get(
      keyOf(budget, scope),
      () => budgets.select().selectAll().where('budget', '=', budget).where('scope', '=', scope).executeTakeFirst(),
      (row) => {
        proof.read('budgets', [budget, scope], row);
        if (row !== undefined) requireIntact('budgets', row);
      },
    );

  /** Compare-and-set of a budget, or its first insert. False on a conflict; the next `find` reads the row again. */
  const write = async (
    before: StoredBudget | undefined,
    next: Omit<StoredBudget, 'checksum' | 'tenant'>,
  ): Promise<boolean> => {
    const { budget, scope } = next;
    rows.budgets.forget(keyOf(budget, scope));
    const written =
      before === undefined
        ? await budgets
            .insert(next)
            .onConflict((conflict) => conflict.columns(['tenant', 'budget', 'scope']).doNothing())
            .returningAll()
            .executeTakeFirst()
        : await budgets
            .update()
            .set(withChecksum('budgets', { ...next, tenant }))
            .where('budget', '=', budget)
            .where('scope', '=', scope)
            .where('minor', '=', before.minor)
            .where('times', '=', before.times)
            .returningAll()
            .executeTakeFirst();
    if (written === undefined) return false;
    proof.wrote('budgets', before, written);
    rows.budgets.set(keyOf(budget, scope), written);
    return true;
  };

  return {
    load: (scopes) =>
      rows.budgets.readAhead(
        scopes.map(({ budget, scope }) => keyOf(budget, scope)),
        async (missing) => {
          const wanted = scopes.filter(({ budget, scope }) => missing.includes(keyOf(budget, scope)));
          const found = await budgets
            .select()
            .selectAll()
            .where((eb) => eb.or(wanted.map(({ budget, scope }) => eb.and({ tenant, budget, scope }))))
            .execute();
          return new Map(found.map((row) => [keyOf(row.budget, row.scope), row]));
        },
      ),
    reserve: async ({ budget, scope, operationId, minor, most, times }) => {
      for (;;) {
        const before = await find(budget, scope);
        const next = { budget, scope, minor: (before?.minor ?? 0) + minor, times: (before?.times ?? 0) + 1 };
        if ((most !== undefined && next.minor > most) || (times !== undefined && next.times > times)) return false;
        if (await write(before, next)) break;
      }
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
        if (state === 'RELEASED') await release(budget, scope, minor);
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

  async function release(budget: string, scope: string, minor: number): Promise<void> {
    for (;;) {
      const before = await find(budget, scope);
      if (before === undefined) throw new Error('An operation has a reservation of a missing budget.');
      const next = { budget, scope, minor: before.minor - minor, times: before.times - 1 };
      if (await write(before, next)) return;
    }
  }
}
