import type { Facts } from '../../../src/domains/facts.ts';
import type { Guard } from '../../../src/domains/guard.ts';
import { guards } from '../../../src/domains/index.ts';
import { instruction } from '../../../src/domains/purchase/machines.ts';
import type { Alter } from '../world/world.ts';
import { raised } from './money.ts';
import { type Mutant, type MutationKind, onTools } from './mutant.ts';

// Guards are data: a mutant is the same guard that looks at other facts, or answers otherwise.

/** Guards that note what they read of the facts, by their place, and tools that note that the state of their thing was looked at. */
export function watched(read: Map<number, Set<string>>, looked: Set<string>): Alter {
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
  const looking = onTools(({ name, observe }) => {
    const { moves } = observe;
    if (moves === undefined) return {};
    const entity: typeof moves.entity = (...it) => {
      looked.add(name);
      return moves.entity(...it);
    };
    return { observe: { ...observe, moves: { ...moves, entity } } };
  });
  return (parts) => looking({ ...parts, settings: { ...parts.settings, guards: watching } });
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

/** The mutants of one guard. A mutant that changes facts the guard never reads would be equivalent, so it is left out. */
export function mutantsOfGuard(place: number, read: ReadonlySet<string>): readonly Mutant[] {
  const guard = guards[place];
  if (guard === undefined) return [];
  const make = (how: MutationKind, holds?: Guard['holds']): Mutant => ({
    id: `${guard.id}/guard ${place} on ${guard.on.join(', ')}${guard.field === undefined ? '' : ` (${guard.field})`}/${how}`,
    rule: guard.id,
    kind: how,
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
  const time = reads(/^now$/);
  const shift = neighbourOf(guard);
  const bounded = time || reads(/\.releases$/) || (shift !== undefined && reads(new RegExp(`^args\\.${guard.field}$`)));
  return [
    make('drop'),
    make('negate', (facts) => !guard.holds(facts)),
    ...(bounded
      ? [
          make('boundary +1', (facts) => guard.holds(shifted(facts, guard.field, shift, 1))),
          make('boundary -1', (facts) => guard.holds(shifted(facts, guard.field, shift, -1))),
        ]
      : []),
    ...(reads(/^things\.\w+\.state$/)
      ? [make('ignore state', (facts) => states.some((state) => guard.holds(inState(facts, state))))]
      : []),
    ...(time ? [make('ignore time', (facts) => [0, 8e15].some((now) => guard.holds({ ...facts, now })))] : []),
  ];
}

const { states } = instruction;

const inState = (facts: Facts, state: string): Facts => ({
  ...facts,
  // Only the state of each thing is another one.
  things: Object.fromEntries(
    Object.entries(facts.things).map(([kind, it]) => [kind, { ...it, state }]),
  ) as unknown as Facts['things'],
});

/** The value next to an argument's: an amount needs its currency, which may be another argument. */
type Neighbour = (value: Value, by: number, args: Facts['args']) => Value;
type Value = Facts['args'][string];

const count: Neighbour = (value, by) => (typeof value === 'number' ? value + by : value);
const sum: Neighbour = (value, by, { currency }) => {
  if (typeof value === 'string') return raised(value, String(currency ?? ''), by);
  const { amount, currency: own } = value as { readonly amount: string; readonly currency: string }; // by the tool's shape
  return { amount: raised(amount, own, by), currency: own };
};
/** An amount with a decimal more or less. */
const decimals: Neighbour = (value, by) =>
  typeof value !== 'string' || !value.includes('.') ? value : by > 0 ? `${value}0` : value.slice(0, -1);

/** Arguments that have a neighbour: a bound of theirs may be off by one. A handle, a name or a currency has none. */
const neighbours: { readonly [field: string]: Neighbour } = {
  amount: sum,
  limit: sum,
  total: sum,
  every: count,
  payments: count,
};
/** Rules that look at something else of an argument: at the decimals of its currency, or whether it is given at all. */
const otherwise: { readonly [rule: string]: { readonly [field: string]: Neighbour | 'none' } } = {
  'PL-02': { amount: decimals, every: 'none' },
  'SB-01': { amount: decimals },
};

function neighbourOf({ id, field = '' }: Guard): Neighbour | undefined {
  const own = otherwise[id]?.[field];
  return own === 'none' ? undefined : (own ?? neighbours[field]);
}

/** Facts that are off by one: in the argument that a guard is about, by a release, by a second. */
function shifted(facts: Facts, field: string | undefined, shift: Neighbour | undefined, by: number): Facts {
  const { instruction } = facts.things;
  const value = field === undefined ? undefined : facts.args[field];
  return {
    ...facts,
    now: facts.now + by * 1_000,
    ...(field === undefined || shift === undefined || value === undefined
      ? {}
      : { args: { ...facts.args, [field]: shift(value, by, facts.args) } }),
    things:
      instruction === undefined
        ? facts.things
        : {
            ...facts.things,
            instruction: { ...instruction, body: { ...instruction.body, releases: instruction.body.releases + by } },
          },
  };
}
