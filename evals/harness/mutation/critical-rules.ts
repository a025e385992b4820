import type { Machine } from '../../../src/core/machine.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { type RuleId, rules } from '../../../src/core/rules.ts';
import { contract, guards } from '../../../src/domains/index.ts';

/** Rules of the engine that stand between an agent and money, or a secret, whatever the operation is. */
const ofEngine = ['EN-02', 'EN-03', 'EN-04', 'EN-06', 'EN-07', 'EN-11', 'EN-13', 'EN-14', 'EN-15'] as const;

/** Operations that change something: in every domain that is what is paid, what will be charged, or what is asked for. */
const atStake = Object.entries<Operation>(contract).filter(([, { effect }]) => effect !== 'read');

/** Rules of which no mutant may survive: where one is wrong, money moves, other money is asked for, or a secret leaves. */
export const criticalRules: readonly RuleId[] = [
  ...new Set([
    ...ofEngine,
    ...guards.filter(({ on }) => atStake.some(([name]) => on.some((it) => it === name))).map(({ id }) => id),
    ...atStake.flatMap(([, { moves }]) => (moves === undefined ? [] : rulesOf(moves.machine, moves.trigger))),
  ]),
];

/** The rules by which a machine refuses a trigger, or to leave a state that is final; what the platform alone keeps left out. */
function rulesOf({ breach, final }: Machine, trigger: string): readonly RuleId[] {
  const named = [breach[trigger], ...Object.values(final)].filter((id) => id !== undefined);
  return (named as RuleId[]).filter((id) => rules[id].by !== 'P'); // as the machine's table has it
}
