import type { Mutant } from './mutants.ts';

/** Bugs in how limits, near-duplicates, clocks and damaged rows are looked at. */
export const limitMutants: readonly Mutant[] = [
  {
    id: 'damage-is-unknown',
    title: 'a damaged row makes a call unknown of which nothing was sent',
    file: 'src/engine/engine.ts',
    find: `if (!(error instanceof DamagedRow)) throw error;`,
    replace: `if (error instanceof Error) throw error;`,
    caughtBy: 'test/promises/damaged-rows.test.ts › enrollCard is refused for a damaged row',
  },
];
