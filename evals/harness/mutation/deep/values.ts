import type { Node } from 'oxc-parser';
import { rules } from '../../../../src/core/rules.ts';
import { contract, domains } from '../../../../src/domains/index.ts';
import { errorCodes } from '../../../../src/engine/answer.ts';
import { tools } from '../../../../tools/index.ts';
import { type Operator, replaced, textOf } from './change.ts';
import { isInFunction, isRow, namesAbove, type Spot, stringIn } from './syntax.ts';

// Bugs in values: another number, unit, name or sum.

/** Names that can be confused: with the next of the same list, and the last with the first. */
const confusable: readonly (readonly [what: string, lists: readonly (readonly string[])[]])[] = [
  [
    'unit',
    [
      ['day', 'week', 'month', 'year'],
      ['D', 'W', 'M', 'Y'],
      ['DAILY', 'WEEKLY', 'MONTHLY'],
    ],
  ],
  ['operation', [Object.keys(contract)]],
  ['tool', [tools.map(({ name }) => name)]],
  ['rule', [Object.keys(rules)]],
  ['code', [errorCodes]],
  ['retry', [['never', 'same_call', 'changed_call', 'after']]],
  [
    'state',
    Object.values(domains).flatMap(({ machines }) =>
      Object.values<{ readonly states: readonly string[] }>(machines).map(({ states }) => states),
    ),
  ],
];

const isInRow = ({ up }: Spot): boolean => up !== undefined && isRow(up);

const others: readonly Operator[] = confusable.map(([what, lists]) => ({
  name: `another ${what}`,
  changes: (spot) => {
    const name = stringIn(spot.node);
    if (name === undefined || isInRow(spot) || (spot.up?.node.type === 'Property' && spot.key === 'key')) return [];
    const list = lists.find((it) => it.includes(name)) ?? [];
    const other = list[(list.indexOf(name) + 1) % list.length];
    return other === undefined || other === name ? [] : [replaced(spot.node, JSON.stringify(other))];
  },
}));

/** A row of a machine with one column changed. */
const row = (name: string, column: number, change: (text: string, all: readonly string[]) => string): Operator => ({
  name,
  changes: (spot) => {
    const { node, up } = spot;
    if (!isRow(spot) || node.type !== 'ArrayExpression' || up?.node.type !== 'ArrayExpression') return [];
    const cell = node.elements[column];
    const texts = up.node.elements.flatMap((it) =>
      it?.type === 'ArrayExpression' ? [stringIn(it.elements[column]) ?? ''] : [],
    );
    const before = stringIn(cell);
    if (cell === null || cell === undefined || before === undefined) return [];
    const after = change(before, texts);
    return after === before ? [] : [replaced(cell, JSON.stringify(after))];
  },
});

const [from, condition, to] = [0, 2, 3];
const nextOf = (text: string, all: readonly string[]): string => {
  const known = [...new Set(all)];
  return known[(known.indexOf(text) + 1) % known.length] ?? text;
};

/** Whether a text is one that somebody reads: more than one word, and no SQL. */
const isProse = (text: string): boolean =>
  /\w \w/.test(text) && !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA)\b/i.test(text);
/** The last figure of a text, one more. */
const raisedFigure = (text: string): string => text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

const sums = /^(?:amount|minor|adds|total|limit|price|counted|most|left|captured|refunded)$/;
/** Whether a value can be a sum: what is true or false has no half. */
const isSum = (node: Node): boolean =>
  node.type !== 'Literal' && !/Function/.test(node.type) && !(node.type === 'UnaryExpression' && node.operator === '!');
const roundings: Readonly<Record<string, string>> = { floor: 'ceil', ceil: 'floor', round: 'floor', trunc: 'round' };
const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const isText = (node: Node): boolean => stringIn(node) !== undefined || node.type === 'TemplateLiteral';

const numbers = (name: string, is: (spot: Spot, file: string) => boolean): Operator => ({
  name,
  changes: (spot, { file }) => {
    const { node } = spot;
    if (node.type !== 'Literal' || isVoid(spot) || !is(spot, file)) return [];
    if (typeof node.value === 'number') return [1, -1].map((by) => replaced(node, String(Number(node.value) + by)));
    if (typeof node.value === 'bigint') return [replaced(node, `${node.value + 1n}n`)];
    return [];
  },
});
/** `void 0` is how a bundler writes `undefined`. */
const isVoid = ({ up }: Spot): boolean => up?.node.type === 'UnaryExpression' && up.node.operator === 'void';
const ofMoney = (file: string): boolean => /core\/(?:money|currencies)\.ts$|amounts\.ts$|balances\.ts$/.test(file);

export const values: readonly Operator[] = [
  ...others,
  row('target of a row', to, nextOf),
  row('start of a row', from, nextOf),
  row('condition of a row', condition, () => ''),
  numbers('minor units by one', (_, file) => ofMoney(file)),
  numbers('limit by one', (_, file) => file.endsWith('core/limits.ts')),
  numbers(
    'number by one',
    (spot, file) =>
      !ofMoney(file) && !file.endsWith('core/limits.ts') && (isInFunction(spot) || namesAbove(spot).length > 0),
  ),
  {
    name: 'sum halved',
    changes: ({ node, up }, place) =>
      node.type === 'Property' &&
      !node.shorthand &&
      up?.node.type === 'ObjectExpression' &&
      node.key.type === 'Identifier' &&
      sums.test(node.key.name) &&
      isSum(node.value)
        ? [replaced(node.value, `globalThis.purserHalf(${textOf(place, node.value)})`)]
        : [],
  },
  {
    name: 'rounding turned',
    changes: ({ node }) => {
      if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'Math')
        return [];
      const other = node.property.type === 'Identifier' ? roundings[node.property.name] : undefined;
      return other === undefined ? [] : [replaced(node.property, other)];
    },
  },
  {
    name: 'arithmetic turned',
    changes: ({ node }, place) => {
      if (node.type !== 'BinaryExpression' || [node.left, node.right].some(isText)) return [];
      const other = arithmetic[node.operator];
      return other === undefined
        ? []
        : [replaced(node, `${textOf(place, node.left)} ${other} ${textOf(place, node.right)}`)];
    },
  },
  {
    name: 'figure in a text',
    changes: (spot, { file }) => {
      const text = spot.node.type === 'TemplateElement' ? spot.node.value.raw : (stringIn(spot.node) ?? '');
      const [name = ''] = namesAbove(spot);
      // Where a table comes from and what an operation is about is said to a reader of pages, and to nobody at run time.
      if (name === 'source' || (name === 'about' && file.endsWith('contract.ts'))) return [];
      if (!isProse(text) || !/\d/.test(text)) return [];
      const after = raisedFigure(text);
      return [replaced(spot.node, spot.node.type === 'TemplateElement' ? after : JSON.stringify(after))];
    },
  },
  {
    name: 'value in a text',
    changes: ({ node, key, up }) =>
      up?.node.type === 'TemplateLiteral' && key === 'expressions' && node.type !== 'Literal'
        ? [replaced(node, '""')]
        : [],
  },
  {
    name: 'no turned in a description',
    changes: ({ node, up, key }, place) => {
      const text =
        key === 'value' && up?.node.type === 'Property' && textOf(place, up.node.key) === 'description'
          ? (stringIn(node) ?? '')
          : '';
      const after = text.replace(/\b(?:never|cannot|can't|not|no)\b/, 'always');
      return after === text ? [] : [replaced(node, JSON.stringify(after))];
    },
  },
];
