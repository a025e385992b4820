import type { Machine } from '../../src/core/machine.ts';

/** Everything a machine looks at besides the state. */
export type Facts = Readonly<Record<string, string | boolean>>;

/**
 * One cell, written by hand: a next state whatever the facts are, or by one fact: [where it is false, where it is true],
 * each of them a cell again; `no` where the move is refused. A trigger that is not written is refused in that state
 * whatever the facts are.
 */
export type Cell = string | { readonly [fact: string]: readonly [whenFalse: Cell, whenTrue: Cell] };
export type Grid = Readonly<Record<string, Readonly<Record<string, Cell>>>>;

export const no = 'refused';

/** What the grid expects of a state, a trigger and facts. */
export function expected(grid: Grid, state: string, trigger: string, facts: Facts): string {
  const cell = grid[state]?.[trigger];
  return cell === undefined ? no : read(cell, facts);
}

function read(cell: Cell, facts: Facts): string {
  if (typeof cell === 'string') return cell;
  const [[fact, [whenFalse, whenTrue]] = ['', [no, no]] as const] = Object.entries(cell);
  return read(holds(facts, fact) ? whenTrue : whenFalse, facts);
}

/** `fact` or `fact=value`. */
function holds(facts: Facts, fact: string): boolean {
  const [name = '', value] = fact.split('=');
  if (!(name in facts)) throw new Error(`The grid names a fact "${name}" that no entity has.`);
  return value === undefined ? facts[name] === true : facts[name] === value;
}

/** Every combination of the values of the facts. */
export function valuations(domain: Readonly<Record<string, readonly (string | boolean)[]>>): readonly Facts[] {
  return Object.entries(domain).reduce<readonly Facts[]>(
    (all, [name, values]) => all.flatMap((facts) => values.map((value) => ({ ...facts, [name]: value }))),
    [{}],
  );
}

/** What the machine does, and what the grid expects, in every state, for every trigger, under every valuation. */
export function everyCell(machine: Machine, grid: Grid, all: readonly Facts[]) {
  const valuations = all.map((facts) => ({ facts, text: JSON.stringify(facts) }));
  const actual: Record<string, string> = {};
  const wanted: Record<string, string> = {};
  for (const state of Object.keys(grid))
    for (const trigger of machine.triggers)
      for (const { facts, text } of valuations) {
        const cell = `${state} ${trigger} ${text}`;
        const move = machine.move({ ...facts, state }, trigger);
        actual[cell] = move.ok ? move.to : no;
        wanted[cell] = expected(grid, state, trigger, facts);
      }
  return { actual, expected: wanted };
}
