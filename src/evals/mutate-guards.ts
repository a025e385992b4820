import type { Facts } from '../guards/facts.ts';
import type { Guard } from '../guards/guard.ts';
import { guards } from '../guards/index.ts';
import type { How, Mutant } from './mutants.ts';
import { raised } from './mutate-money.ts';
import type { Alter } from './world.ts';

// Guards are data: a mutant is the same guard that looks at other facts, or answers otherwise.

/** Guards that note what they read of the facts, by their place. */
export function watched(read: Map<number, Set<string>>): Alter {
  const watching = guards.map(
    (guard, place): Guard => ({
      ...guard,
      holds: (facts) => {
        const seen = read.get(place) ?? new Set();
        read.set(place, seen);
        return guard.holds(noting(facts, '', seen));
      },
    }),
  );
  return (parts) => ({ ...parts, settings: { ...parts.settings, guards: watching } });
}

function noting<T>(value: T, path: string, seen: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const at = path === '' ? String(name) : `${path}.${String(name)}`;
      seen.add(at);
      return noting(Reflect.get(target, name, receiver), at, seen);
    },
  });
}

/** The mutants of the guard at a place. Those that look at what it never reads would be the same guard, so they are none. */
export function mutantsOfGuard(place: number, read: ReadonlySet<string>): readonly Mutant[] {
  const guard = guards[place];
  if (guard === undefined) return [];
  const make = (how: How, holds?: Guard['holds']): Mutant => ({
    id: `${guard.id}/guard ${place} on ${guard.on.join(', ')}${guard.field === undefined ? '' : ` (${guard.field})`}/${how}`,
    rule: guard.id,
    how,
    alter: (parts) => ({
      ...parts,
      settings: {
        ...parts.settings,
        guards: guards.flatMap((it, at) => (at !== place ? [it] : holds === undefined ? [] : [{ ...it, holds }])),
      },
    }),
    touches: (seen) => seen.guards.has(place),
  });
  const reads = (pattern: RegExp): boolean => [...read].some((path) => pattern.test(path));
  const counts = reads(/\.releases$/);
  // A currency has no neighbour.
  const sums = guard.field !== 'currency' && (reads(/^args(\.limit)?\.amount$/) || reads(/^args\.limit$/));
  const time = reads(/^now$/);
  return [
    make('drop'),
    make('negate', (facts) => !guard.holds(facts)),
    ...(counts || sums || time
      ? [
          make('boundary +1', (facts) => guard.holds(shifted(facts, 1))),
          make('boundary -1', (facts) => guard.holds(shifted(facts, -1))),
        ]
      : []),
    ...(reads(/^things\.\w+\.state$/)
      ? [make('ignore state', (facts) => states.some((state) => guard.holds(inState(facts, state))))]
      : []),
    ...(time ? [make('ignore time', (facts) => [0, 8e15].some((now) => guard.holds({ ...facts, now })))] : []),
  ];
}

const states = ['none', 'PENDING', 'ACTIVE', 'CANCELLED', 'COMPLETED', 'EXPIRED'];

const inState = (facts: Facts, state: string): Facts => ({
  ...facts,
  // Only the state of each thing is another one.
  things: Object.fromEntries(
    Object.entries(facts.things).map(([kind, it]) => [kind, { ...it, state }]),
  ) as unknown as Facts['things'],
});

/** Facts that are off by one: a minor unit in what is asked, a release, a second. */
function shifted(facts: Facts, by: number): Facts {
  const { instruction } = facts.things;
  return {
    ...facts,
    now: facts.now + by * 1_000,
    args: shiftedSums(facts.args, by),
    things:
      instruction === undefined
        ? facts.things
        : {
            ...facts.things,
            instruction: { ...instruction, body: { ...instruction.body, releases: instruction.body.releases + by } },
          },
  };
}

function shiftedSums(args: Facts['args'], by: number): Facts['args'] {
  const { limit } = args as { readonly limit?: { readonly amount: string; readonly currency: string } }; // by the tool's shape
  const { amount, currency } = args as { readonly amount?: string; readonly currency?: string };
  return {
    ...args,
    ...(limit === undefined ? {} : { limit: { ...limit, amount: raised(limit.amount, limit.currency, by) } }),
    ...(amount === undefined ? {} : { amount: raised(amount, currency ?? '', by) }),
  };
}
