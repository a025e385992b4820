import type { Node } from 'oxc-parser';

// A tree of syntax with the way up from each node.

/** A node, the property of its parent that holds it, and the parent. */
export interface Spot {
  readonly node: Node;
  readonly key: string;
  readonly up: Spot | undefined;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { readonly type?: unknown }).type === 'string';

/** Every node below and with this one, parents first. */
export function* spotsIn(node: Node, key = '', up?: Spot): Generator<Spot> {
  const spot: Spot = { node, key, up };
  yield spot;
  for (const [name, value] of Object.entries(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* spotsIn(child, name, spot);
}

/** The nodes above one, the nearest first. */
function* above({ up }: Spot): Generator<Spot> {
  for (let spot = up; spot !== undefined; spot = spot.up) yield spot;
}

const functions: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

export const isFunction = ({ type }: Node): boolean => functions.has(type);

/** Where an expression can be wrapped in another one without a change of what the code does. */
const wrappable: Readonly<Record<string, readonly string[]>> = {
  CallExpression: ['arguments'],
  NewExpression: ['arguments'],
  ArrayExpression: ['elements'],
  BinaryExpression: ['left', 'right'],
  LogicalExpression: ['left', 'right'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  IfStatement: ['test'],
  ReturnStatement: ['argument'],
  ThrowStatement: ['argument'],
  VariableDeclarator: ['init'],
  ArrowFunctionExpression: ['body'],
  TemplateLiteral: ['expressions'],
  AwaitExpression: ['argument'],
  SpreadElement: ['argument'],
  AssignmentExpression: ['right'],
  ExpressionStatement: ['expression'],
  ForOfStatement: ['right'],
  SwitchStatement: ['discriminant'],
};
const unwrappable: ReadonlySet<string> = new Set(['SpreadElement', 'BlockStatement', 'ClassExpression']);

const canBeWrapped = ({ node, key, up }: Spot): boolean => {
  if (up === undefined || isFunction(node) || unwrappable.has(node.type)) return false;
  if (up.node.type === 'Property')
    return key === 'value' && !up.node.shorthand && !up.node.method && up.up?.node.type === 'ObjectExpression';
  return wrappable[up.node.type]?.includes(key) === true;
};

/** What a statement is reached with: its condition or its expression, and that of its first statement where it is a block. */
function firstIn(node: Node | undefined): Node | undefined {
  switch (node?.type) {
    case 'IfStatement':
      return node.test;
    case 'ExpressionStatement':
      return node.expression;
    case 'ReturnStatement':
    case 'ThrowStatement':
      return node.argument ?? undefined;
    case 'VariableDeclaration':
      return node.declarations[0]?.init ?? undefined;
    case 'BlockStatement':
      return firstIn(node.body.find(({ type }) => type !== 'FunctionDeclaration'));
    case 'TryStatement':
      return firstIn(node.block);
    default:
      return undefined;
  }
}

/** An expression in the same function that runs whenever a node does, so that a call can be put around it; undefined if there is none. */
export function reachedWith(spot: Spot): Range | undefined {
  const first = firstIn(spot.node);
  if (first !== undefined && !isFunction(first) && !unwrappable.has(first.type)) return first;
  for (const it of [spot, ...above(spot)]) {
    if (canBeWrapped(it)) return it.node;
    if (it !== spot && isFunction(it.node)) return undefined;
  }
  return undefined;
}

/** The names of the properties, variables and functions that a node is part of, the nearest first. */
export const namesAbove = (spot: Spot): readonly string[] =>
  [...above(spot)].flatMap(({ node }) => {
    if (node.type === 'Property' && node.key.type === 'Identifier') return [node.key.name];
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') return [node.id.name];
    if (node.type === 'FunctionDeclaration' && node.id !== null) return [node.id.name];
    return [];
  });

/** Whether a node is in a function, so that it runs while a scenario is played. */
export const isInFunction = (spot: Spot): boolean => [...above(spot)].some(({ node }) => isFunction(node));

/** The text of a string literal. */
export const stringIn = (node: Node | null | undefined): string | undefined =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** Whether a node is part of a new error, whose words only developers read. */
export const isInError = (spot: Spot): boolean =>
  [...above(spot)].some(
    ({ node }) =>
      node.type === 'NewExpression' &&
      node.callee.type === 'Identifier' &&
      /Error\d*$|^UnsafeFile/.test(node.callee.name),
  );

/** Whether a node is a row of a transition table: from, trigger, condition, to, and a note. */
export const isRow = (spot: Spot): boolean =>
  spot.node.type === 'ArrayExpression' &&
  spot.node.elements.length === 5 &&
  spot.node.elements.every((it) => stringIn(it) !== undefined) &&
  ['rows', 'assumed'].includes(namesAbove(spot)[0] ?? '');
