import type { Node } from 'oxc-parser';
import { contract } from '../../../../src/domains/index.ts';
import { type Operator, replaced, textOf } from './change.ts';

// Bugs in calls: one is missing, or another one is made.

type Call = Extract<Node, { readonly type: 'CallExpression' }>;

/** The name of a called method, and its node. */
const methodOf = (
  node: Node,
): { readonly name: string; readonly property: Node; readonly object: Node; readonly call: Call } | undefined =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  !node.callee.computed &&
  node.callee.property.type === 'Identifier'
    ? { name: node.callee.property.name, property: node.callee.property, object: node.callee.object, call: node }
    : undefined;

/** Methods that narrow, order or normalize what they are called on. */
const shaping: ReadonlySet<string> = new Set([
  ...['filter', 'slice', 'toSorted', 'sort', 'toReversed', 'reverse', 'trim', 'toUpperCase', 'toLowerCase', 'padStart'],
  ...['padEnd', 'strict', 'max', 'min', 'optional', 'normalize'],
]);
const confused: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', find: 'findLast', findLast: 'find', startsWith: 'includes', endsWith: 'includes' },
  ...{ includes: 'startsWith', indexOf: 'lastIndexOf', findIndex: 'findLastIndex', setDate: 'setMonth' },
  ...{ getUTCDate: 'getUTCDay', getUTCMonth: 'getUTCDate', setUTCDate: 'setUTCMonth', setUTCMonth: 'setUTCDate' },
  ...{ voidRefund: 'refundCapture', release: 'reserve', min: 'max', max: 'min' },
};
const operations = Object.keys(contract);

/** What a bundler adds. */
const isPlumbing = (text: string): boolean => /^(?:init_|__|import_)/.test(text);

export const calls: readonly Operator[] = [
  {
    name: 'call lost',
    changes: ({ node }, place) => {
      if (node.type !== 'ExpressionStatement') return [];
      const inner = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
      return inner.type === 'CallExpression' && !isPlumbing(textOf(place, inner.callee)) ? [replaced(node, ';')] : [];
    },
  },
  {
    name: 'step of a value lost',
    changes: ({ node }, place) => {
      const method = methodOf(node);
      return method !== undefined && shaping.has(method.name) ? [replaced(node, textOf(place, method.object))] : [];
    },
  },
  {
    name: 'another method',
    changes: ({ node }) => {
      const method = methodOf(node);
      const other = method && confused[method.name];
      return method === undefined || other === undefined ? [] : [replaced(method.property, other)];
    },
  },
  {
    name: 'another operation called',
    changes: ({ node }) => {
      const method = methodOf(node);
      const at = method === undefined ? -1 : operations.indexOf(method.name);
      const other = operations[(at + 1) % operations.length];
      return method === undefined || at === -1 || other === undefined ? [] : [replaced(method.property, other)];
    },
  },
  {
    name: 'first for last',
    changes: ({ node }) => {
      const method = methodOf(node);
      const [argument] = method?.call.arguments ?? [];
      if (method?.name !== 'at' || argument === undefined) return [];
      return [replaced(argument, argument.type === 'UnaryExpression' ? '0' : '-1')];
    },
  },
];
