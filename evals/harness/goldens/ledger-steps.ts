import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import { IN_MEMORY, sqliteDialect } from '../../../src/ledger/sqlite.ts';
import { openLedgerOn } from '../../../src/ledger/store.ts';
import { placeOfEvals } from '../world/ledger.ts';
import type { Lines } from './lines.ts';

// Steps on a ledger in memory.

export const start = Date.UTC(2026, 0, 15, 9);
export const minute = 60_000;
export const tenant = 'shop';

/** What comes of work, or what it is refused with. */
export async function endOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return (await work()) ?? 'nothing';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'fails';
  }
}

export type Step = readonly [what: string, work: (ledger: Ledger) => Promise<unknown>];

/** A step in a transaction. */
export const within = (what: string, work: (tx: LedgerTransaction) => Promise<unknown>): Step => [
  what,
  (ledger) => ledger.transaction(tenant, work),
];

/** Steps on a ledger of their own, one after the other. */
export const onLedger = (steps: readonly Step[]) => async (): Promise<Lines> => {
  const ledger = await openLedgerOn(sqliteDialect(IN_MEMORY), placeOfEvals);
  try {
    const lines: [string, unknown][] = [];
    for (const [what, work] of steps) lines.push([what, await endOf(() => work(ledger))]);
    return lines;
  } finally {
    await ledger.close();
  }
};
