import type { Machine } from '../../../src/core/machine.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { type RuleId, rules } from '../../../src/core/rules.ts';
import { contract, guards } from '../../../src/domains/index.ts';

/** Engine rules that protect money or a secret in every operation. */
const ofEngine = ['EN-02', 'EN-03', 'EN-04', 'EN-06', 'EN-07', 'EN-11', 'EN-13', 'EN-14', 'EN-15'] as const;

/** Operations that change something: a payment, a future charge or a payment request. */
const atStake = Object.entries<Operation>(contract).filter(([, { effect }]) => effect !== 'read');

/** Rules without surviving mutants: a bug in one of them moves money, requests the wrong amount or leaks a secret. */
export const criticalRules: readonly RuleId[] = [
  ...new Set([
    ...ofEngine,
    ...guards.filter(({ on }) => atStake.some(([name]) => on.some((it) => it === name))).map(({ id }) => id),
    ...atStake.flatMap(([, { moves }]) => (moves === undefined ? [] : rulesOf(moves.machine, moves.trigger))),
  ]),
];

/** The rules that refuse a machine's trigger or protect its final states, without those that only the platform enforces. */
function rulesOf({ breach, final }: Machine, trigger: string): readonly RuleId[] {
  const named = [breach[trigger], ...Object.values(final)].filter((id) => id !== undefined);
  return (named as RuleId[]).filter((id) => rules[id].by !== 'P'); // as the machine's table has it
}
