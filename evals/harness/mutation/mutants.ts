import type { RuleId } from '../../../src/core/rules.ts';
import { guards } from '../../../src/domains/index.ts';
import { engineMutants } from './engine-mutants.ts';
import { mutantsOfGuard } from './guards.ts';
import { machineMutants } from './machine-mutants.ts';
import type { Mutant } from './mutant.ts';
import { termMutants } from './terms.ts';

/** Rules in code that no port or setting reaches. Source mutants (`npm run mutants`, Stryker) cover them. */
export const unmutatedRules: readonly RuleId[] = ['EN-05', 'EN-08', 'EN-09', 'EN-10'];

/** Every mutant, given the facts that each guard read during an unmutated run. */
export const everyMutant = (read: ReadonlyMap<number, ReadonlySet<string>>): readonly Mutant[] => [
  ...guards.flatMap((_, place) => mutantsOfGuard(place, read.get(place) ?? new Set())),
  ...machineMutants,
  ...engineMutants,
  ...termMutants,
];
