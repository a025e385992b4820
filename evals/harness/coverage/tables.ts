import { everyCell, expected, no } from '../../spec/machine-grid.ts';
import { type Expectation, expectations } from '../../spec/machines.ts';
import type { Transition } from './transition.ts';

// The state machines as the documents have them, written by hand and apart from the code: what there is to exercise, and what
// Purser's own tables must do.

/** The events of the platform come to no conversation. */
const inStories = expectations.filter(({ name }) => name !== 'event');

let rows: readonly Transition[] | undefined;
/** Every transition, by state, trigger and next state. */
export const rowsOf = (): readonly Transition[] => {
  rows ??= rowsIn();
  return rows;
};

const rowsIn = (): readonly Transition[] =>
  inStories.flatMap(({ name, grid, facts }) =>
    Object.entries(grid).flatMap(([from, cells]) =>
      Object.keys(cells).flatMap((trigger) =>
        [...new Set(facts.map((now) => expected(grid, from, trigger, now)))]
          .filter((to) => to !== no)
          .map((to): Transition => ({ machine: name, from, trigger, to })),
      ),
    ),
  );

/** Every state and trigger of an agent that nothing joins. */
export const refusedPairs = (): readonly Transition[] =>
  inStories.flatMap((it) =>
    triggersOf(it)
      .filter((trigger) => it.actors[trigger] === undefined && !beginsOnly(it, trigger))
      .flatMap((trigger) =>
        Object.entries(it.grid)
          // A missing thing has no handle to name.
          .filter(([from, cells]) => from !== 'none' && cells[trigger] === undefined)
          .map(([from]): Transition => ({ machine: it.name, from, trigger })),
      ),
  );

const triggersOf = ({ grid }: Expectation): readonly string[] => [
  ...new Set(Object.values(grid).flatMap((cells) => Object.keys(cells))),
];
/** A trigger that creates names no thing. */
const beginsOnly = ({ grid }: Expectation, trigger: string): boolean =>
  Object.entries(grid).every(([from, cells]) => from === 'none' || cells[trigger] === undefined);

/** Where Purser's machines do something else than the documents say. */
export const deviations = (): readonly string[] =>
  expectations.flatMap(({ name, machine, grid, facts, ends, breach, actors }) => {
    const { actual, expected: wanted } = everyCell(machine, grid, facts);
    const cells = Object.keys(wanted)
      .filter((cell) => actual[cell] !== wanted[cell])
      .map((cell) => `${name}: ${cell} is ${actual[cell]}, and should be ${wanted[cell]}`);
    const tables = { breach: [machine.breach, breach], final: [machine.final, ends], actors: [machine.actors, actors] };
    const others = Object.entries(tables)
      .filter(([, [is = {}, should = {}]]) => !isSame(is, should))
      .map(
        ([table, [is, should]]) =>
          `${name}: ${table} is ${JSON.stringify(is)}, and should be ${JSON.stringify(should)}`,
      );
    return [...cells, ...others];
  });

/** Whether two objects are equal. Ignores members that are undefined. */
const isSame = (one: object, other: object): boolean => {
  const membersOf = (it: object) =>
    Object.entries(it)
      .filter(([, value]) => value !== undefined)
      .toSorted();
  return JSON.stringify(membersOf(one)) === JSON.stringify(membersOf(other));
};
