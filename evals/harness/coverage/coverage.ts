import type { Operation } from '../../../src/core/operation.ts';
import { isRuleId, type RuleId, rules } from '../../../src/core/rules.ts';
import { domains, guards } from '../../../src/domains/index.ts';
import { errorCodes, outcomes } from '../../../src/engine/answer.ts';
import { tools } from '../../../tools/index.ts';
import type { Result } from '../replay/evaluate.ts';
import { answerOf, type CallEntry, callsOf } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf, purserCatalogue } from '../scenario/catalogue.ts';
import { refusedRules } from '../scenario/schema.ts';
import { rulesHeld } from './asked.ts';
import { type Clause, clausesOf, lacksOf } from './clauses.ts';
import { rowsOf } from './tables.ts';
import type { Transition, TransitionsOfRun } from './transition.ts';
import { forbiddenPairs, transitionsOf, unreachable } from './transitions.ts';

/** What a set of runs exercised. */
export interface Coverage {
  /** By rule: the scenarios in which it let a call pass, and those in which it refused one. */
  readonly rules: Readonly<
    Record<
      string,
      {
        readonly allowed: readonly string[];
        readonly refused: readonly string[];
        /** Whether anything is ever refused by it, where the scenarios declare it: then a refusal must be seen. */
        readonly refuses?: boolean | undefined;
      }
    >
  >;
  /** Each rule in each operation. */
  readonly clauses: readonly Clause[];
  /** Every transition of the documents' machines, with the scenarios that took it. */
  readonly transitions: readonly Covered[];
  /** Every state and trigger that no row joins, with the scenarios in which it was refused. */
  readonly forbidden: readonly Covered[];
  readonly tools: readonly Covered[];
  readonly outcomes: readonly Covered[];
  readonly codes: readonly Covered[];
  readonly faults: readonly Covered[];
}

export interface Covered {
  readonly name: string;
  readonly by: readonly string[];
  /** Why no scenario can exercise it; it is then not required. */
  readonly beyond?: string | undefined;
}

/** The rules of every built domain and of the engine. */
export const presentRules: readonly RuleId[] = (Object.keys(rules) as RuleId[]).filter((id) => {
  const { domain } = rules[id];
  return domain === 'engine' || Object.hasOwn(domains, domain);
});

/** Counts what passing scenarios exercised. Failing ones prove nothing. */
export function coverageOf(results: readonly Result[]): Coverage {
  const passed = results.filter(({ verdict }) => verdict === 'pass');
  const taken = new Map(passed.map((result) => [result, transitionsOf(result.run)]));
  const count = (names: readonly string[], seen: (result: Result) => readonly string[]): readonly Covered[] => {
    const each = passed.map((result) => ({ id: result.id, seen: new Set(seen(result)) }));
    return names.map((name) => ({ name, by: each.filter((it) => it.seen.has(name)).map(({ id }) => id) }));
  };
  const byPair = (
    pairs: readonly Transition[],
    of: (it: TransitionsOfRun) => readonly Transition[],
  ): readonly Covered[] =>
    count(pairs.map(nameOf), (result) => {
      const its = taken.get(result);
      return its === undefined ? [] : of(its).map(nameOf);
    });
  return {
    rules: Object.fromEntries(
      presentRules.map((rule) => [
        rule,
        {
          allowed: passed.filter((result) => isAllowed(result, rule)).map(({ id }) => id),
          refused: passed.filter(({ run }) => refusedRules(run.scenario).includes(rule)).map(({ id }) => id),
        },
      ]),
    ),
    clauses: clausesOf(passed),
    transitions: byPair(rowsOf(), ({ rows }) => rows).map((it) => {
      const beyond = unreachable.find((row) => nameOf(row) === it.name)?.because;
      return beyond === undefined ? it : { ...it, beyond };
    }),
    forbidden: byPair(forbiddenPairs(), ({ refused }) => refused),
    tools: count(
      tools.map(({ name }) => name),
      ({ run }) => callsOf(run).map(({ tool }) => tool),
    ),
    outcomes: count(outcomes, ({ run }) => callsOf(run).flatMap((it) => answerOf(it).outcome ?? [])),
    codes: count(ofConversations, ({ run }) => callsOf(run).flatMap(codesIn)),
    faults: count([...purserCatalogue.faults], ({ run }) =>
      run.scenario.steps.flatMap((it) => ('fault' in it ? it.fault.kind : [])),
    ),
  };
}

/** The codes that a conversation can come to. A call is cancelled by the program that made it, never by a step of a scenario. */
const ofConversations = errorCodes.filter((code) => code !== 'CALL_CANCELLED');

/** The codes of an answer: its own, and that of the call that it previews. */
const codesIn = (entry: CallEntry): readonly string[] => {
  const { error, data } = answerOf(entry);
  return [error?.code, member(member(member(data, 'verdict'), 'error'), 'code')].filter((it) => typeof it === 'string');
};

/**
 * A scenario is about a rule and is not refused by it: something was done that the rule could have refused. Where guards keep
 * the rule, one of them was asked.
 */
const isAllowed = ({ run, asked }: Result, rule: string): boolean =>
  run.scenario.rules.includes(rule) &&
  !refusedRules(run.scenario).includes(rule) &&
  ((asked !== undefined && rulesHeld(asked).has(rule)) || !guarded.has(rule)) &&
  callsOf(run).some((it) => (looking.has(rule) || effectOf(it.tool) !== 'read') && answerOf(it).outcome === 'done');

/** The rules of domains in which nothing is changed: looking is all that they could refuse. */
const looking: ReadonlySet<string> = new Set(
  presentRules.filter((id) => {
    const its = Object.entries(domains).find(([name]) => name === rules[id].domain)?.[1];
    return its !== undefined && Object.values<Operation>(its.contract).every(({ effect }) => effect === 'read');
  }),
);

const guarded: ReadonlySet<string> = new Set(guards.map(({ id }) => id));

const nameOf = ({ machine, from, trigger, to }: Transition): string =>
  `${machine}: ${from} → ${trigger}${to === undefined ? '' : ` → ${to}`}`;

/** Whether Purser enforces the rule. Rules of the platform alone can't be broken by an agent. */
const canRefuse = (rule: string): boolean => isRuleId(rule) && rules[rule].by !== 'P';

/** Rules that were not exercised in both directions, or not at all where an agent can't break them. */
export const halfCovered = ({
  rules: covered,
}: Coverage): readonly { readonly rule: string; readonly lacks: string }[] =>
  Object.entries(covered).flatMap(([rule, ways]) => {
    const lacks = lacksOf(ways, ways.refuses ?? canRefuse(rule));
    return lacks === undefined ? [] : [{ rule, lacks }];
  });

/** The share of rules that were exercised in both directions, in percent. */
export function rulesPercent(coverage: Coverage): number {
  const all = Object.keys(coverage.rules).length;
  return all === 0 ? 100 : (100 * (all - halfCovered(coverage).length)) / all;
}

/** What a scenario could exercise and none does. */
export const missingIn = (list: readonly Covered[]): readonly Covered[] =>
  list.filter(({ by, beyond }) => by.length === 0 && beyond === undefined);

/** What rests on one scenario: without it, nothing would show that a rule, a clause or a transition works. */
export const restingOnOne = (coverage: Coverage): readonly { readonly name: string; readonly scenario: string }[] =>
  [...bothWays(coverage), ...coverage.transitions, ...coverage.forbidden].flatMap(({ name, by: [only, ...more] }) =>
    only === undefined || more.length > 0 ? [] : [{ name, scenario: only }],
  );

/** Each rule, also in each operation, once for each direction. */
export const bothWays = ({ rules: all, clauses }: Pick<Coverage, 'rules' | 'clauses'>): readonly Covered[] =>
  [...Object.entries(all).map(([name, it]) => ({ name, ...it })), ...clauses].flatMap(({ name, allowed, refused }) => [
    { name: `${name}, allowed`, by: allowed },
    { name: `${name}, refused`, by: refused },
  ]);

/** How many of a list are covered, of those that a scenario could exercise. */
export const tally = (list: readonly Covered[]): { readonly covered: number; readonly of: number } => {
  const possible = list.filter(({ by, beyond }) => by.length > 0 || beyond === undefined);
  return { covered: possible.length - missingIn(list).length, of: possible.length };
};
