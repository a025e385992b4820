import type { Machine } from '../src/core/machine.ts';
import { toolsPulling } from '../src/engine/next.ts';

type Rows = Pick<Machine, 'states' | 'rows' | 'assumed'>;

/** The tools whose triggers have a row in each state of a machine, in its order, except for some triggers. */
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
