import { guards } from '../../../src/domains/index.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { type PlatformTool, toolName } from '../../../src/engine/tool.ts';
import { tools } from '../../../tools/index.ts';
import type { Result } from '../replay/evaluate.ts';
import { answerOf, callsOf, type Run } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { type Asked, keyOf } from './asked.ts';

/**
 * One rule in one operation: a guard of it, or the shape of an argument. It allows a call only where it was asked and held, and refuses
 * one only where it did not hold and an answer names the rule.
 */
export interface Clause {
  readonly name: string;
  readonly rule: string;
  readonly operation: string;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

interface Kind extends Pick<Clause, 'name' | 'rule' | 'operation'> {
  readonly isAllowed: (result: Result) => boolean;
  readonly isRefused: (result: Result) => boolean;
}

/** Every clause, with the scenarios in which it let a call pass and refused one. */
export function clausesOf(passed: readonly Result[]): readonly Clause[] {
  return kinds.map(({ isAllowed, isRefused, ...it }) => ({
    ...it,
    allowed: passed.filter(isAllowed).map(({ id }) => id),
    refused: passed.filter(isRefused).map(({ id }) => id),
  }));
}

const ofGuards: readonly Kind[] = guards.flatMap((guard, place) =>
  guard.on.map((operation): Kind => {
    const others = guards.filter((it, at) => at < place && it.id === guard.id && it.on.includes(operation));
    const part = guard.field === undefined ? '' : `, ${guard.field}`;
    const which = others.length === 0 ? '' : ` (${others.length + 1})`;
    const asked = (result: Result): Asked | undefined => result.asked?.get(keyOf(place, operation));
    return {
      ...{ name: `${guard.id}: ${toolName(operation)}${part}${which}`, rule: guard.id, operation },
      isAllowed: (result) => asked(result)?.held === true,
      isRefused: (result) => asked(result)?.failed === true && rulesNamed(result.run).has(guard.id),
    };
  }),
);

const platformTools = tools.filter((tool): tool is PlatformTool => tool.kind === 'platform');

const ofArguments: readonly Kind[] = platformTools.flatMap((tool) =>
  Object.entries(tool.input.args).flatMap(([name, { rule }]): readonly Kind[] =>
    rule === undefined
      ? []
      : [
          {
            ...{ name: `${rule}: ${tool.name}, shape of ${name}`, rule, operation: tool.operation },
            isAllowed: ({ run }) =>
              callsOf(run).some(
                (it) => it.tool === tool.name && it.args[name] !== undefined && answerOf(it).outcome === 'done',
              ),
            isRefused: ({ run }) =>
              callsOf(run).some((it) => {
                const { error } = answerOf(it);
                return it.tool === tool.name && error?.rule === rule && error.field === name;
              }),
          },
        ],
  ),
);

const kinds: readonly Kind[] = [...ofGuards, ...ofArguments];

/** The rules that answers of a run name: in an error, in a warning, or in the verdict of a preview. */
function rulesNamed(run: Run): ReadonlySet<string> {
  const answers = run.entries.flatMap((entry): readonly Partial<Answer>[] => {
    if (entry.kind === 'call') return [answerOf(entry)];
    return entry.kind === 'event' && entry.answer !== undefined ? [entry.answer] : [];
  });
  return new Set(
    answers.flatMap(({ error, warnings = [], data }) => {
      const verdict = member(data, 'verdict');
      const told = [error?.rule, member(member(verdict, 'error'), 'rule')].filter((it) => typeof it === 'string');
      const warned = [...warnings, ...listIn(member(verdict, 'warnings'))].map((it) => it.split(':', 1)[0] ?? '');
      return [...told, ...warned];
    }),
  );
}

const listIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];

/** Clauses that were not seen in a direction. */
export const halfClauses = (clauses: readonly Clause[]): readonly { readonly name: string; readonly lacks: string }[] =>
  clauses.flatMap(({ name, ...ways }) => {
    const lacks = lacksOf(ways);
    return lacks === undefined ? [] : [{ name, lacks }];
  });

/** The directions in which nothing was seen; undefined where it was seen both ways. */
export function lacksOf(
  { allowed, refused }: Pick<Clause, 'allowed' | 'refused'>,
  canRefuse = true,
): string | undefined {
  const lacks = [
    ...(allowed.length === 0 ? ['allowed'] : []),
    ...(refused.length === 0 && canRefuse ? ['refused'] : []),
  ];
  return lacks.length === 0 ? undefined : lacks.join(' or ');
}

/** The share of clauses that were seen both ways, in percent. */
export const clausesPercent = (clauses: readonly Clause[]): number =>
  clauses.length === 0 ? 100 : (100 * (clauses.length - halfClauses(clauses).length)) / clauses.length;
