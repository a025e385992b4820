import { readFileSync } from 'node:fs';
import { assumptions } from '../../src/core/assumptions.ts';
import { limits } from '../../src/core/limits.ts';
import type { Operation } from '../../src/core/operation.ts';
import { type By, rules } from '../../src/core/rules.ts';
import { contract, domains } from '../../src/domains/index.ts';
import { code, table } from './markdown.ts';

const by: { readonly [B in By]: string } = { P: 'the platform', G: 'Purser', PG: 'both' };

/** The rules of the domains that are there, and Purser's own. */
export function ruleTable(): string {
  const present = ['engine', ...Object.keys(domains)];
  const rows = Object.entries(rules).filter(([, { domain }]) => present.includes(domain));
  return table(
    ['Rule', 'It says', 'Enforced by', 'Level'],
    rows.map(([id, rule]) => [id, rule.says, by[rule.by], '`refuse`']),
  );
}

/** Every choice where the documents leave one. */
export const assumptionTable = (): string =>
  table(
    ['Id', 'Point', 'What Purser does'],
    Object.entries(assumptions)
      .toSorted(([one], [other]) => Number(one.slice(2)) - Number(other.slice(2)))
      .map(([id, { point, decision }]) => [id, point, decision]),
  );

/** Every operation of the platform that Purser carries. */
export const operationTable = (): string =>
  table(
    ['Operation', 'Call', 'Effect', 'After an unknown outcome', 'Moves'],
    Object.entries<Operation>(contract).map(([name, { call, also = [], effect, recovery, moves }]) => [
      code(name),
      [call, ...also].map(code).join('<br>'),
      code(effect),
      code(recovery),
      moves === undefined ? '' : `${moves.machine.name}: ${moves.trigger}`,
    ]),
  );

/** Every number that a rule or a shape uses, with the words that stand above it in the source. */
export function limitTable(): string {
  const source = readFileSync(new URL('../../src/core/limits.ts', import.meta.url), 'utf8');
  let words = '';
  // A comment of one line or of several, or a number.
  const pieces = source.matchAll(/^ {2}(?:\/\*\*(?<said>[\s\S]*?)\*\/|(?<name>\w+): [\d_]+,)$/gm);
  const rows = [...pieces].flatMap(({ groups: { said, name } = {} }) => {
    if (said !== undefined) words = said.replace(/\s+\* |\s+/g, ' ').trim();
    return name === undefined ? [] : [[code(name), numberOf(name), words]];
  });
  if (rows.length !== Object.keys(limits).length) throw new Error('Not every row of limits.ts could be read.');
  return table(['Name', 'Value', 'What it is, and where it comes from'], rows);
}

const numberOf = (name: string): string => String(new Map<string, number>(Object.entries(limits)).get(name));
