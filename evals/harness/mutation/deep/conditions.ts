import type { Node } from 'oxc-parser';
import { type Operator, replaced, textOf } from './change.ts';

// Bugs in conditions.

const turned: Readonly<Record<string, string>> = {
  ...{ '<': '>=', '>=': '<', '>': '<=', '<=': '>' },
  ...{ '===': '!==', '!==': '===', '==': '!=', '!=': '==' },
};
const byOne: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };

const isComparison = (node: Node): boolean => node.type === 'BinaryExpression' && turned[node.operator] !== undefined;

/** Whether a statement only leaves: nothing else is lost with it. */
const leaves = (node: Node): boolean =>
  node.type === 'BlockStatement'
    ? node.body.length === 1 && node.body.every(leaves)
    : ['ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(node.type);

export const conditions: readonly Operator[] = [
  {
    name: 'comparison turned',
    changes: ({ node }, place) => {
      if (node.type !== 'BinaryExpression') return [];
      const other = turned[node.operator];
      if (other === undefined) return [];
      return [replaced(node, `${textOf(place, node.left)} ${other} ${textOf(place, node.right)}`)];
    },
  },
  {
    name: 'bound by one',
    changes: ({ node }, place) => {
      const other = node.type === 'BinaryExpression' ? byOne[node.operator] : undefined;
      if (node.type !== 'BinaryExpression' || other === undefined) return [];
      return [replaced(node, `${textOf(place, node.left)} ${other} ${textOf(place, node.right)}`)];
    },
  },
  {
    name: 'condition negated',
    changes: ({ node }, place) =>
      (node.type === 'IfStatement' || node.type === 'ConditionalExpression') && !isComparison(node.test)
        ? [replaced(node.test, `!(${textOf(place, node.test)})`)]
        : [],
  },
  {
    name: 'and for or',
    changes: ({ node }, place) => {
      if (node.type !== 'LogicalExpression' || node.operator === '??') return [];
      const other = node.operator === '&&' ? '||' : '&&';
      return [replaced(node, `((${textOf(place, node.left)}) ${other} (${textOf(place, node.right)}))`)];
    },
  },
  {
    name: 'term lost',
    changes: ({ node }, place) =>
      node.type === 'LogicalExpression' && node.operator !== '??'
        ? [node.left, node.right].map((kept) => replaced(node, `(${textOf(place, kept)})`))
        : [],
  },
  {
    name: 'early end lost',
    changes: ({ node }) =>
      node.type === 'IfStatement' && node.alternate === null && leaves(node.consequent) ? [replaced(node, ';')] : [],
  },
  {
    name: 'negation lost',
    changes: ({ node }, place) =>
      node.type === 'UnaryExpression' && node.operator === '!' && node.argument.type !== 'UnaryExpression'
        ? [replaced(node, textOf(place, node.argument))]
        : [],
  },
  {
    name: 'default lost',
    changes: ({ node }, place) =>
      node.type === 'LogicalExpression' && node.operator === '??'
        ? [replaced(node, `(${textOf(place, node.left)})`), replaced(node, `(${textOf(place, node.right)})`)]
        : [],
  },
  {
    name: 'flag turned',
    changes: ({ node }) =>
      node.type === 'Literal' && typeof node.value === 'boolean' ? [replaced(node, String(!node.value))] : [],
  },
];
