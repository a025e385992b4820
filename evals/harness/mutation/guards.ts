import type { Machine } from '../../../src/core/machine.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import type { Guard } from '../../../src/domains/guard.ts';
import { domains, guards } from '../../../src/domains/index.ts';
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
  // Where no machine lists the states of a kind, there is no other state to try.
  const looked = [...read]
    .flatMap((path) => /^things\.(\w+)\.state$/.exec(path)?.[1] ?? [])
    .filter((kind) => statesOf.has(kind));
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
    ...(looked.length > 0
      ? [make('ignore state', (facts) => inEveryState(facts, looked).some((it) => guard.holds(it)))]
      : []),
    ...(time ? [make('ignore time', (facts) => [0, 8e15].some((now) => guard.holds({ ...facts, now })))] : []),
  ];
}

/** The states of each kind of thing that has a machine. */
const statesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(domains)
    .flatMap(({ machines }) => Object.values<Pick<Machine, 'name' | 'states'>>(machines))
    .map(({ name, states }) => [name, states]),
);

/** The same facts with the things of these kinds in every state of their machines. */
const inEveryState = (facts: Facts, kinds: readonly string[]): readonly Facts[] =>
  kinds.reduce<readonly Facts[]>((all, kind) => all.flatMap((one) => inStates(one, kind)), [facts]);

const inStates = (facts: Facts, kind: string): readonly Facts[] => {
  const it: object | undefined = Object.entries(facts.things).find(([name]) => name === kind)?.[1];
  if (it === undefined) return [facts];
  // Only the state of the thing is another one.
  return (statesOf.get(kind) ?? []).map((state) => ({
    ...facts,
    things: { ...facts.things, [kind]: { ...it, state } } as Facts['things'],
  }));
};

/** The value next to an argument's. */
type Neighbour = (value: Value, by: number, facts: Facts) => Value;
type Value = Facts['args'][string];

const count: Neighbour = (value, by) => (typeof value === 'number' ? value + by : value);
const sum: Neighbour = (value, by, facts) => {
  if (typeof value === 'string') return raised(value, currencyOf(facts), by);
  const { amount, currency: own } = value as { readonly amount: string; readonly currency: string }; // by the tool's shape
  return { amount: raised(amount, own, by), currency: own };
};
/** The currency of an amount: another argument, or that of the payment of which it is a part. */
const currencyOf = ({ args, things: { charge, devicePayment } }: Facts): string =>
  String(args.currency ?? charge?.body.localCurrency ?? devicePayment?.body.currency ?? '');
/** An amount with a decimal more or less. */
const decimals: Neighbour = (value, by) =>
  typeof value !== 'string' || !value.includes('.') ? value : by > 0 ? `${value}0` : value.slice(0, -1);

/** Arguments that have a neighbour: a bound of theirs may be off by one. A handle, a name or a currency has none. */
const neighbours: { readonly [field: string]: Neighbour } = {
  amount: sum,
  limit: sum,
  price: sum,
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
      : { args: { ...facts.args, [field]: shift(value, by, facts) } }),
    things:
      instruction === undefined
        ? facts.things
        : {
            ...facts.things,
            instruction: { ...instruction, body: { ...instruction.body, releases: instruction.body.releases + by } },
          },
  };
}
