import type { Guard } from '../../../src/domains/guard.ts';
import { guards } from '../../../src/domains/index.ts';

// What guards were asked during a run, by operation.

/** How often a guard was asked about an operation in a run: whether it held, and whether it did not. */
export interface Asked {
  held: boolean;
  failed: boolean;
}
export type AskedGuards = Map<string, Asked>;

export const keyOf = (place: number, operation: string): string => `${place} ${operation}`;

/** The same guards, one for each operation, which note whether they held. */
export const asking = (all: readonly Guard[], asked: AskedGuards): readonly Guard[] =>
  all.flatMap((guard, place) =>
    guard.on.map(
      (operation): Guard => ({
        ...guard,
        on: [operation],
        holds: (facts) => {
          const holds = guard.holds(facts);
          const key = keyOf(place, operation);
          const before = asked.get(key) ?? { held: false, failed: false };
          asked.set(key, { held: before.held || holds, failed: before.failed || !holds });
          return holds;
        },
      }),
    ),
  );

/** The rules whose guards held. */
export const rulesHeld = (asked: ReadonlyMap<string, Asked>): ReadonlySet<string> =>
  new Set([...asked].flatMap(([key, { held }]) => (held ? (guards[Number.parseInt(key, 10)]?.id ?? []) : [])));
