import { toolsPulling } from '../src/engine/decide.ts';
import type { Machine } from '../src/machines/machine.ts';

type Rows = Pick<Machine, 'states' | 'rows' | 'assumed'>;

/** The tools that lead on from each state of a machine: those whose triggers stand in a row of it, but for some triggers. */
export const leadsOf = (machine: Rows, but: readonly string[] = []): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    machine.states.map((state) => {
      const rows = [...machine.rows, ...machine.assumed].filter((row) => row[0] === state && !but.includes(row[1]));
      // A machine is looked up by its identity alone here, and handed no entity.
      return [
        state,
        toolsPulling(
          machine as Machine,
          rows.map((row) => row[1]),
        ),
      ];
    }),
  );
