import type { Node } from 'oxc-parser';
import { exchanged, leftOut, type Operator, type Place, replaced, textOf } from './change.ts';
import { isFunction, isInFunction, isRow, namesAbove, type Range, type Spot } from './syntax.ts';

// Bugs in lists and objects: something is missing, too much, or in another's place.

/** The elements of an array, without holes. */
const elementsOf = (node: Node): readonly Node[] =>
  node.type === 'ArrayExpression' ? node.elements.filter((it): it is NonNullable<typeof it> => it !== null) : [];

/** Whether an array is one of these lists. */
const isNamed = (spot: Spot, names: RegExp): boolean => names.test(namesAbove(spot)[0] ?? '');
const isApprovalText = (spot: Spot): boolean =>
  namesAbove(spot).some((name) => /^(?:text|title|approvalText)$|Lines?$|^lines/.test(name));

type List = readonly [what: string, is: (spot: Spot, file: string) => boolean];
const listsOf: readonly List[] = [
  ['operation of a guard', (spot) => isNamed(spot, /^on$/)],
  ['guard', (spot, file) => file.endsWith('guards.ts') && isNamed(spot, /^guards\d*$/)],
  ['row of a table', (spot) => isNamed(spot, /^(?:rows|assumed)$/)],
  ['approval line', isApprovalText],
  ['next tool', (spot) => isNamed(spot, /^(?:tools|first|instead|usual|givesUp)$|Next$|Tools$/)],
];
const whatOf = (spot: Spot, file: string): string => listsOf.find(([, is]) => is(spot, file))?.[0] ?? 'element';

const kinds = [...listsOf.map(([what]) => what), 'element'];

const lost: readonly Operator[] = kinds.map((what) => ({
  name: `${what} lost`,
  changes: (spot, place) => {
    const elements = elementsOf(spot.node);
    if (elements.length === 0 || isRow(spot) || whatOf(spot, place.file) !== what) return [];
    return elements.map((_, index) => leftOut(elements, index));
  },
}));

/** The values of an enumeration have no order. */
const isEnumeration = ({ up }: Spot, place: Place): boolean =>
  up?.node.type === 'CallExpression' && textOf(place, up.node.callee).endsWith('.enum');

/** Whether it is only asked of a list what it has, for which its order means nothing. */
const isOnlyAsked = ({ node, key, up }: Spot): boolean =>
  node.type === 'ArrayExpression' &&
  key === 'object' &&
  up?.node.type === 'MemberExpression' &&
  up.node.property.type === 'Identifier' &&
  ['includes', 'some', 'every'].includes(up.node.property.name);

const swapped: readonly Operator[] = ['approval line', 'next tool', 'element'].map((what) => ({
  name: `${what} swapped`,
  changes: (spot, place) => {
    const elements = elementsOf(spot.node);
    if (isRow(spot) || isEnumeration(spot, place) || isOnlyAsked(spot)) return [];
    if (whatOf(spot, place.file) !== what) return [];
    return elements.slice(1).flatMap((other, index) => exchanged(place, elements[index] ?? other, other));
  },
}));

/** Values that a programmer could swap by mistake. */
const simple: ReadonlySet<string> = new Set([
  'Identifier',
  'MemberExpression',
  'CallExpression',
  'TemplateLiteral',
  'ConditionalExpression',
  'ChainExpression',
]);
const isSimple = (node: Node): boolean => simple.has(node.type);

const ofAnswers = /^(?:show|the[A-Z]|toOutput|shown|present|.*(?:Shown|Output)$)/;
/** What a tool declares of its answers is no answer: only what it makes is one. */
const isAnswer = (spot: Spot, file: string): boolean => {
  const names = namesAbove(spot);
  return (
    file.startsWith('tools/') &&
    isInFunction(spot) &&
    names[0] !== 'present' &&
    names.some((name) => ofAnswers.test(name))
  );
};

const membersLost = (what: string, is: (spot: Spot, file: string) => boolean): Operator => ({
  name: `${what} lost`,
  changes: (spot, place) =>
    spot.node.type === 'ObjectExpression' && is(spot, place.file)
      ? spot.node.properties.map((_, index, all) => leftOut(all as readonly Range[], index))
      : [],
});

const members: readonly Operator[] = [
  membersLost('member of an answer', isAnswer),
  membersLost('field of an e-mail', (_, file) => file.endsWith('mail.ts')),
  membersLost('member', (spot, file) => !isAnswer(spot, file) && !file.endsWith('mail.ts')),
  {
    name: 'member of an answer added',
    changes: (spot, { file, source }) => {
      if (spot.node.type !== 'ObjectExpression' || !isAnswer(spot, file)) return [];
      const { start, end } = spot.node;
      return [{ start, end, text: `{ ownerId: "shopper_bo", ${source.slice(start + 1, end)}` }];
    },
  },
  {
    name: 'value of a neighbour',
    changes: ({ node }, place) => {
      if (node.type !== 'ObjectExpression') return [];
      const values = node.properties.flatMap((it) =>
        it.type === 'Property' && !it.shorthand && !it.method && isSimple(it.value) ? [it.value] : [],
      );
      return values
        .slice(1)
        .map((other, index) => exchanged(place, values[index] ?? other, other))
        .filter(({ start, end, text }) => text !== place.source.slice(start, end));
    },
  },
  {
    name: 'argument of a neighbour',
    changes: ({ node }, place) => {
      if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return [];
      const { object, property } = node;
      if (object.type !== 'Identifier' || object.name !== 'args') return [];
      // Another argument that the same file reads.
      const others = [...place.source.matchAll(/\bargs\.(\w+)/g)].map(([, name]) => name);
      const other = others.find((name) => name !== property.name);
      return other === undefined ? [] : [replaced(property, other)];
    },
  },
  {
    name: 'rest lost',
    changes: ({ node, up }) => {
      if (node.type !== 'SpreadElement' || up?.node.type !== 'ObjectExpression') return [];
      return [replaced(node.argument, '{}')];
    },
  },
  {
    name: 'first values swapped',
    changes: ({ node }, place) => {
      if (node.type !== 'CallExpression') return [];
      const [one, other] = node.arguments;
      if (one === undefined || other === undefined || [one, other].some((it) => isFunction(it) || !isSimple(it)))
        return [];
      const change = exchanged(place, one, other);
      return textOf(place, one) === textOf(place, other) ? [] : [change];
    },
  },
];

export const lists: readonly Operator[] = [...lost, ...swapped, ...members];
