import { z } from 'zod';
import { currencies } from '../../../src/core/currencies.ts';
import { fieldOf, leaves } from '../../../src/core/fields.ts';
import { limits } from '../../../src/core/limits.ts';
import { once } from '../../../src/core/once.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { rules } from '../../../src/core/rules.ts';
import { paymentStatuses, refundStatuses, voidStatuses } from '../../../src/domains/conversion/statuses.ts';
import { sharedReasons } from '../../../src/domains/errors.ts';
import type { Guard } from '../../../src/domains/guard.ts';
import { contract, guards, incidentalArguments, kindTable } from '../../../src/domains/index.ts';
import { makes, possibleInstead } from '../../../src/engine/next.ts';
import { scopes } from '../../../src/engine/policy-scopes.ts';
import { operationOf, type PlatformTool, type Tool } from '../../../src/engine/tool.ts';
import { everyTool } from '../../../tools/index.ts';
import { type Expectation, expectations } from '../../spec/machines.ts';
import type { Names } from './names.ts';
import { isTree, labelled } from './values.ts';

// What Purser goes by, as it stands in its tables: limits, currencies, rules, machines, operations with every field of their requests and answers, guards,
// kinds of things, and what tools declare besides their list. A scenario shows that a table acts; that none of its cells changes in
// silence is shown here.

/** Tables have no ids or times to name. */
const asTheyAre: Names = { in: (text) => text, isOwn: () => false, moment: String };

/** Every table, as text for people. Made once: no table changes while a process runs. */
export const tablesText: () => string = once(() => {
  const operations: readonly (readonly [string, Operation])[] = Object.entries(contract);
  const parts = [
    ['limits:', ...linesOf(limits), ...linesOf({ 'scopes of limits': scopes })],
    ['currencies:', ...currencies.map(({ code, numeric, digits }) => `  ${code}: ${numeric}, ${digits} decimals`)],
    ['rules:', ...Object.entries(rules).flatMap(([id, rule]) => labelled(id, rule, asTheyAre, '  '))],
    ...operations.map(([name, operation]) => [
      `operation ${name}:`,
      ...linesOfOperation(operation),
      ...incidentalArguments(name).map((argument) => `  incidental: ${argument}`),
    ]),
    ['guards:', ...guards.flatMap(linesOfGuard)],
    ['machines:', ...expectations.flatMap(linesOfMachine)],
    ['ways out of refusals, in each state:', ...everyTool.flatMap(waysOut)],
    ['kinds:', ...linesOf(kindTable)],
    ['statuses of payments:', ...linesOf({ paymentStatuses, refundStatuses, voidStatuses })],
    ['reasons of every domain:', `  ${sharedReasons.join(' ')}`],
    ...everyTool.flatMap((tool) =>
      tool.kind === 'platform' ? [[`tool ${tool.name}:`, ...linesOfTool(tool)]] : [[`tool ${tool.name}:`, '  local']],
    ),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
});

const linesOf = (table: object): readonly string[] =>
  Object.entries(table)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => labelled(name, dataOf(value), asTheyAre, '  '));

/**
 * The rows of a machine, in which order it names what is possible, and what leads to what isn't. What its rows do is held against the
 * documents' own elsewhere.
 */
function linesOfMachine({ name, machine: { order, givesUp, rows, assumed, existing, triggers, before } }: Expectation) {
  const told = [...rows, ...assumed].map(([from, trigger, condition, to, then]) =>
    [from, trigger, ...(condition === '' ? [] : [`if ${condition}`]), `-> ${to}`, ...(then ? [`(${then})`] : [])].join(
      ' ',
    ),
  );
  const leads = existing.flatMap((state) =>
    triggers.flatMap((trigger) => {
      const first = before({ state } as never, trigger); // it asks for the state alone
      return first.length === 0 ? [] : [`${state}, to ${trigger}: first ${first.join(' or ')}`];
    }),
  );
  return [...labelled(name, { order, givesUp }, asTheyAre, '  '), ...[...told, ...leads].map((line) => `    ${line}`)];
}

const linesOfGuard = ({ id, on, reading, warns, field, opens, retry, instead }: Guard): readonly string[] =>
  labelled(id, { on, reading, warns, field, opens: opens && 'computed', retry, instead }, asTheyAre, '  ');

/** The ways out that a refusal names, by the states in which they are the same. */
function waysOut(tool: Tool): readonly string[] {
  const { moves } = tool.kind === 'platform' ? operationOf(tool) : {};
  if (tool.kind !== 'platform' || moves === undefined || makes(moves.machine).includes(moves.trigger)) return [];
  return guards.flatMap(({ id, on, instead = [] }) => {
    if (instead.length === 0 || !on.some((operation) => operation === tool.operation)) return [];
    const named = ({ machine: { existing } }: typeof moves) =>
      existing.map((state) => [possibleInstead(tool, { state }, instead).join(' '), state] as const);
    return [...Map.groupBy(named(moves), ([ways]) => ways)].map(
      ([ways, states]) => `  ${tool.name}, ${id}: ${ways || 'none'} (${states.map(([, state]) => state).join(' ')})`,
    );
  });
}

/** A declaration without its functions, whose work is a scenario's matter. */
function dataOf(value: unknown): unknown {
  if (value instanceof z.ZodType) return shapeOf(value);
  if (value instanceof RegExp) return String(value);
  if (value instanceof Set) return [...value].map(dataOf);
  if (value instanceof Map) return dataOf(Object.fromEntries(value));
  if (Array.isArray(value)) return value.map(dataOf);
  if (!isTree(value)) return typeof value === 'function' ? 'computed' : value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, dataOf(member)]));
}

function linesOfOperation({ body, query, output, error, moves, ...rest }: Operation): readonly string[] {
  const { about: _, ...own } = rest;
  return [
    ...linesOf({
      ...own,
      ...(moves === undefined ? {} : { moves: { states: moves.machine.states, trigger: moves.trigger } }),
      ...{ errors: { ...error, schema: undefined } },
    }),
    ...(query === undefined ? [] : ['  query:', ...linesOfFields(query)]),
    ...(body === undefined ? [] : ['  body:', ...linesOfFields(body)]),
    ...Object.entries(output).flatMap(([status, schema]: readonly [string, z.ZodType]) => [
      `  ${status}:`,
      ...linesOfFields(schema),
    ]),
  ];
}

/** A line for each field: what it may hold, who authors it, who reads it, and whose rule it breaks. */
const linesOfFields = (schema: z.ZodType): readonly string[] =>
  leaves(schema).map(({ path, schema: leaf, field, optional }) => {
    const { from, at, secret, stored, reach, rule, encode } = field;
    const told = [
      ...(optional ? ['optional'] : []),
      ...(from === 'platform' ? [] : [`from ${from}`, ...(at === undefined || at === path ? [] : [`at ${at}`])]),
      ...(secret === true ? [`secret${stored === false ? ', never stored' : ''}`] : []),
      ...(reach === undefined ? [] : [`read by the ${reach}`]),
      ...(rule === undefined ? [] : [rule]),
      ...(encode === undefined ? [] : ['encoded']),
    ];
    return `    ${path === '' ? 'all' : path}: ${[shapeOf(leaf), ...told].join(' ')}`;
  });

/** What a value of a schema may be, as short as JSON Schema allows. Descriptions stand in the list of tools. */
function shapeOf(schema: z.ZodType): string {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    ...{ unrepresentable: 'any', io: 'input' },
    override: ({ jsonSchema }) => {
      delete jsonSchema.description;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return JSON.stringify(shape).replaceAll('"', '');
}

function linesOfTool({
  input,
  policy,
  refresh,
  present,
  reconcile,
  observe,
  ...rest
}: PlatformTool): readonly string[] {
  const { messages, next, empty } = present;
  const args = Object.entries(input.args).map(([name, { schema, fills, kind, mayMatch, rule, label }]) => {
    const told = { fills: fills.map(({ path }) => path), kind, mayMatch: mayMatch?.kind, rule, label };
    return [name, { shape: shapeOf(schema), field: fieldOf(schema).reach, ...told }] as const;
  });
  const { polling, waits, page } = rest;
  return linesOf({
    ...{ args: Object.fromEntries(args), oneOf: input.oneOf, goesOnWith: input.goesOnWith },
    ...{ policy, refresh: refresh?.map((it) => ({ tool: it.tool.name, mayBeMissing: it.mayBeMissing })) },
    ...{ messages, next, empty, reconcile: { ...reconcile, readBack: reconcile.readBack?.asks } },
    ...{ moves: observe.moves?.kind, looksAt: observe.looksAt?.kind, approves: observe.approves },
    ...{ polling, waits, page },
  });
}
