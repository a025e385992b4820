import { requireIntact, withChecksum } from './checksum.ts';
import { requireInserted } from './compare-and-set.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { StoredBudget, StoredReservation } from './tables.ts';
import { type Scoped, tenantStatement } from './tenant-scope.ts';

/** One tenant's budgets, and each operation's reservations. */
export function budgetsOf(own: Scoped): LedgerTransaction['budgets'] {
  const { tenant, proof, rows } = own;
  const keyOf = (budget: string, scope: string): string => JSON.stringify([budget, scope]);

  const find = (budget: string, scope: string): Promise<StoredBudget | undefined> =>
    rows.budgets.get(
      keyOf(budget, scope),
      () => own.first(byScope, { budget, scope }),
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
    const stored = withChecksum('budgets', { ...next, tenant });
    const written =
      before === undefined
        ? await own.first(inserted, stored)
        : await own.first(updated, { ...stored, wasMinor: before.minor, wasTimes: before.times });
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
          const found = await own.all(byScopes, { wanted, tenant });
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
      const held = withChecksum('reservations', { tenant, budget, scope, operationId, minor, state: 'HELD' });
      proof.wrote('reservations', undefined, requireInserted(await own.first(reserved, held)));
      rows.held.delete(operationId);
      return true;
    },
    settle: async (operationId, state) => {
      const held = rows.held.get(operationId) ?? (await own.all(heldBy, { operationId }));
      rows.held.delete(operationId);
      proof.found('reservations', ['held by', operationId], held);
      for (const row of held) {
        const { checksum: _, ...reservation } = requireIntact('reservations', row);
        const { budget, scope, minor } = reservation;
        if (state === 'RELEASED') await release(budget, scope, minor);
        const after = withChecksum('reservations', { ...reservation, tenant, state });
        await own.all(settled, after);
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

const byScope = tenantStatement(({ budgets }, { budget, scope }: { readonly budget: string; readonly scope: string }) =>
  budgets.select().selectAll().where('budget', '=', budget).where('scope', '=', scope),
);
interface WantedScopes {
  readonly tenant: string;
  readonly wanted: readonly { readonly budget: string; readonly scope: string }[];
}
/** The tenant stands in each part, so that each is served by the primary key. */
const byScopes = tenantStatement(({ budgets }, { wanted, tenant }: WantedScopes) =>
  budgets
    .select()
    .selectAll()
    .where((eb) => eb.or(wanted.map(({ budget, scope }) => eb.and({ tenant, budget, scope })))),
);
const inserted = tenantStatement(({ budgets }, row: StoredBudget) =>
  budgets
    .insert(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'budget', 'scope']).doNothing())
    .returningAll(),
);
const updated = tenantStatement(
  (
    { budgets },
    { wasMinor, wasTimes, ...row }: StoredBudget & { readonly wasMinor: number; readonly wasTimes: number },
  ) =>
    budgets
      .update()
      .set(row)
      .where('budget', '=', row.budget)
      .where('scope', '=', row.scope)
      .where('minor', '=', wasMinor)
      .where('times', '=', wasTimes)
      .returningAll(),
);
const reserved = tenantStatement(({ reservations }, row: StoredReservation) => reservations.insert(row).returningAll());
const heldBy = tenantStatement(({ reservations }, { operationId }: { readonly operationId: string }) =>
  reservations.select().selectAll().where('operationId', '=', operationId).where('state', '=', 'HELD'),
);
const settled = tenantStatement(({ reservations }, row: StoredReservation) =>
  reservations
    .update()
    .set(row)
    .where('operationId', '=', row.operationId)
    .where('budget', '=', row.budget)
    .where('scope', '=', row.scope)
    .where('state', '=', 'HELD'),
);
