import { guards } from '../../../src/domains/index.ts';
import { engineMutants } from './engine-mutants.ts';
import { mutantsOfGuard } from './guards.ts';
import { machineMutants } from './machine-mutants.ts';
import type { Mutant } from './mutant.ts';
import { termMutants } from './terms.ts';

/** Every mutant, given the facts that each guard read during an unmutated run. */
export const everyMutant = (read: ReadonlyMap<number, ReadonlySet<string>>): readonly Mutant[] => [
  ...guards.flatMap((_, place) => mutantsOfGuard(place, read.get(place) ?? new Set())),
  ...machineMutants,
  ...engineMutants,
  ...termMutants,
];
