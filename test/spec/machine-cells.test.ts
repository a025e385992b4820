import { describe, expect, it } from 'vitest';
import { everyCell, expected, no } from '../../evals/spec/machine-grid.ts';
import { expectations } from '../../evals/spec/machines.ts';
import { machines } from '../../scripts/sections/machines.ts';

it('covers every machine there is', () => {
  expect(expectations.map((one) => one.name).toSorted(), 'evals/spec/machines.ts says what each machine does').toEqual(
    machines.map((one) => one.name).toSorted(),
  );
});

describe.each(expectations)(
  'the $name machine',
  ({ name, machine, grid, facts, ends, breach, actors, ordered = [] }) => {
    const final = Object.keys(ends);

    it('is called what its file is', () => {
      expect(machine.name).toBe(name);
    });

    it('decides by one row at a time, but where the order of its rows is meant to', () => {
      const met = machine.states.flatMap((state) =>
        machine.triggers.flatMap((trigger) =>
          facts.map((now) =>
            machine.holding({ ...now, state }, trigger).map(([, , condition]) => condition || 'all else'),
          ),
        ),
      );
      const meeting = met
        .filter((conditions) => conditions.length > 1)
        .map((conditions) => conditions.join(' before '));
      expect([...new Set(meeting)].toSorted()).toEqual(ordered.toSorted());
    });

    it('does in every cell what the grid says, and refuses everything else', () => {
      const cells = everyCell(machine, grid, facts);
      expect(cells.actual).toEqual(cells.expected);
      expect(Object.keys(cells.actual)).toHaveLength(Object.keys(grid).length * machine.triggers.length * facts.length);
    });

    it('has the states and triggers of the grid, and no others', () => {
      const triggers = new Set(Object.values(grid).flatMap((cells) => Object.keys(cells)));
      expect(machine.states.toSorted()).toEqual(Object.keys(grid).toSorted());
      expect(machine.triggers.toSorted()).toEqual([...triggers].toSorted());
    });

    it('lists as legal just what it then does', () => {
      const cells = Object.keys(grid).flatMap((state) => facts.map((now) => ({ ...now, state })));
      const possible = (now: (typeof cells)[number]) =>
        machine.triggers.filter((trigger) => expected(grid, now.state, trigger, now) !== no);
      expect(cells.map((now) => machine.legal(now))).toEqual(cells.map(possible));
    });

    it('stays in a final state for good', () => {
      const leaving = final.flatMap((state) =>
        facts.flatMap((now) => [
          machine.settle({ ...now, state }),
          ...machine.legal({ ...now, state }).map((trigger) => machine.move({ ...now, state }, trigger)),
        ]),
      );
      const elsewhere = leaving.filter((to) => !final.includes(typeof to === 'string' ? to : to.ok ? to.to : ''));
      expect(elsewhere).toEqual([]);
    });

    it('refuses under the rules of the rule book: a trigger outside its rows, and whatever is final', () => {
      expect([machine.breach, machine.final]).toEqual([breach, ends]);
    });

    it('leaves every other state under some facts', () => {
      const isLeft = (state: string) =>
        [...machine.rows, ...machine.assumed].some(([from, , , to]) => from === state && to !== state);
      const isIdle = (state: string) => facts.every((now) => machine.legal({ ...now, state }).length === 0);
      const stuck = machine.states.filter(
        (state) => isIdle(state) || (machine.final[state] !== undefined && !isLeft(state)),
      );
      expect(stuck.toSorted()).toEqual(final.toSorted());
    });

    it('gives every trigger that is not the agent’s to its actor', () => {
      expect(machine.actors).toEqual(actors);
    });

    it('refuses in one sentence, under a rule of the rule book or none', () => {
      const refusals = machine.states.flatMap((state) =>
        machine.triggers.flatMap((trigger) =>
          facts.map((now) => machine.move({ ...now, state }, trigger)).filter((move) => !move.ok),
        ),
      );
      const bad = refusals.filter((it) => !/^(The|There) .+\.$/.test(it.because));
      expect(bad).toEqual([]);
    });

    it('names a rule whenever it refuses what an agent or a person may pull', () => {
      const asked = machine.triggers.filter((it) => ['agent', 'person'].includes(actors[it] ?? 'agent'));
      expect(asked.filter((trigger) => machine.breach[trigger] === undefined)).toEqual([]);
    });

    it('takes no state from nowhere: an unknown state allows nothing', () => {
      const now = { ...facts[0], state: 'VANISHED' };
      expect([
        machine.legal(now),
        machine.settle(now),
        machine.triggers.flatMap((it) => machine.before(now, it)),
      ]).toEqual([[], 'VANISHED', []]);
    });
  },
);
