import type { z } from 'zod';
import { bare, leaves, type Provenance, schemaAt } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { valueAt } from '../core/members.ts';
import type { Kind } from '../domains/facts.ts';
import { isKind, kindTable } from '../domains/index.ts';
import { closestName } from './closest-name.ts';
import { describeFaults, type Fault, wholeCall } from './faults.ts';
import { argumentAt } from './field-source.ts';
import { inWords, wordsOf } from './in-words.ts';
import { knownPath, propertyNames } from './name-suggestions.ts';
import type { Refusal } from './refusal.ts';
import { type Issue, isAbsent, isMissing, problemText } from './schema-issues.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';
import { isPlain, unknownArgument } from './unknown-argument.ts';

/** Every fault of a tool's arguments, without the values. `given` is what its schema was held against. */
export function argumentFault(error: z.ZodError, tool: Tool, given: unknown): Refusal {
  // A misspelled argument is reported first, and the missing one that it means is not reported.
  const unknown = error.issues.flatMap((issue) => unknownIn(issue, tool)).slice(0, limits.toldFaultElements);
  const meant = unknown.flatMap(({ fields }) => fields);
  const others = error.issues
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map((issue) => ({ issue, field: argumentOf(issue, tool), problem: problemOf(issue, tool, given) }))
    .filter(({ issue, field }) => !(isAbsent(issue, given) && meant.includes(field)));
  const { sentences, fields } = describeFaults(others);
  const [first] = [...unknown, ...others];
  return {
    code: 'INVALID_ARGUMENT',
    rule: (tool.kind === 'platform' ? tool.input.args[String(first?.issue.path[0])]?.rule : undefined) ?? 'EN-01',
    ...fieldsOf([...meant, ...fields]),
    because: [...unknown.map(({ sentence }) => sentence), ...sentences].join(' '),
    instead: findersOf(tool, others),
  };
}

/** The declared part of an issue's path: the caller wrote the rest. */
const argumentOf = (issue: Issue, { inputSchema }: Tool): string =>
  pathOf(knownPath(inputSchema, issue.path)) || wholeCall;

/** What is wrong with an argument. A sum is text beside its currency in some tools, and an object of both in others. */
function problemOf(issue: Issue, tool: Tool, given: unknown): string {
  const { inputSchema } = tool;
  if (issue.code !== 'invalid_type' || isAbsent(issue, given)) return problemText(issue, given);
  const isHandle = tool.kind !== 'local' && tool.input.args[String(issue.path[0])]?.kind !== undefined;
  const isSum = issue.expected === 'string' && !isHandle && Object.hasOwn(Object(valueAt(given, issue.path)), 'amount');
  const beside = propertyNames(inputSchema, issue.path.slice(0, -1));
  if (isSum)
    return `must be text such as 40.00${beside.includes('currency') ? '; currency is an argument of its own' : ''}`;
  const within = propertyNames(inputSchema, issue.path);
  return within.includes('amount') ? `must be an object with ${within.join(' and ')}` : problemText(issue, given);
}

/** The names in an issue that the tool doesn't have, and the arguments that they probably mean. */
function unknownIn(issue: Issue, tool: Tool) {
  if (issue.code !== 'unrecognized_keys') return [];
  const at = argumentOf(issue, tool);
  const has = propertyNames(tool.inputSchema, issue.path);
  const means = (key: string) =>
    closestName(key, has) ??
    memberNamed(key, has, issue, tool) ??
    (at === wholeCall ? handleNamed(key, tool) : undefined);
  const meant = issue.keys.flatMap((key) => means(key) ?? []);
  const [of, within] = at === wholeCall ? [tool.name, ''] : [`${at} of ${tool.name}`, `${at}.`];
  const named = meant.length > 0 ? meant : issue.keys.filter(isPlain).slice(0, limits.unknownArgumentElements);
  return [
    {
      issue,
      sentence: unknownArgument(issue.keys, { of, has, meant }),
      fields: named.length === 0 ? [at] : named.map((name) => `${within}${name}`),
    },
  ];
}

/** The property with this name of one of the arguments, such as `price.amount` for `amount`; undefined unless one alone has it. */
function memberNamed(key: string, has: readonly string[], { path }: Issue, { inputSchema }: Tool): string | undefined {
  const [only, ...more] = has.filter((name) => propertyNames(inputSchema, [...path, name]).includes(key));
  return only === undefined || more.length > 0 ? undefined : `${only}.${key}`;
}

/** The tool's only handle, if this is what tools call such a thing: `charge` for `payment`. */
function handleNamed(key: string, tool: Tool): string | undefined {
  const [only, ...more] = handlesOf(tool);
  if (only === undefined || more.length > 0) return undefined;
  return inWords(key).replaceAll('_', ' ') === wordsOf(only.kind) ? only.name : undefined;
}

/** The arguments that name a thing. A tool of Purser's own calls such an argument as its kind. */
const handlesOf = (tool: Tool): readonly { readonly name: string; readonly kind: Kind }[] =>
  tool.kind === 'local'
    ? Object.keys(tool.foundBy ?? {}).flatMap((name) => (isKind(name) ? [{ name, kind: name }] : []))
    : Object.entries(tool.input.args).flatMap(([name, { kind }]) => (kind === undefined ? [] : [{ name, kind }]));

/** The tools that find the things whose handles are at fault. */
function findersOf(tool: Tool, faults: readonly Fault[]): readonly string[] {
  const finders = faults.flatMap(({ field }) => {
    if (tool.kind === 'local') return tool.foundBy?.[field] ?? [];
    const kind = tool.input.args[field]?.kind;
    return kind === undefined ? [] : kindTable[kind].foundBy;
  });
  return [...new Set(finders)].filter((finder) => finder !== tool.name);
}

/** The first field at fault, and all of them if there are several. */
function fieldsOf(fields: readonly string[]): Pick<Refusal, 'field' | 'fields'> {
  const each = [...new Set(fields)];
  return { field: each[0] ?? wholeCall, ...(each.length > 1 ? { fields: each } : {}) };
}

/**
 * The faults of a request filled from session and facts: the fields, and who can correct them. A refusal for each rule,
 * because an operator may have switched one of them off.
 */
export function requestFaults(
  error: z.ZodError,
  body: z.ZodType,
  tool: PlatformTool,
  given: unknown,
): readonly Refusal[] {
  const faults = error.issues.map((issue) => requestFault(issue, body, tool, given));
  return [...Map.groupBy(faults, ({ rule }) => rule)].map(([rule, broken]) => {
    const isModels = broken.every(({ by }) => by === 'model');
    const parts = [...Map.groupBy(broken, ({ mend }) => mend)].map(([mend, alike]) => {
      const { sentences, fields } = describeFaults(alike);
      return { fields, text: [...sentences, mend(fields.length > 1)].join(' ').trim() };
    });
    return {
      code: 'RULE',
      rule,
      ...fieldsOf(parts.flatMap(({ fields }) => fields)),
      because: parts.map(({ text }) => text).join(' '),
      // Only the merchant's app or an operator can give what isn't the model's.
      ...(isModels ? {} : { retry: 'never' }),
      instead: isModels ? [] : ['find_shopper'],
    };
  });
}

function requestFault(issue: Issue, body: z.ZodType, tool: PlatformTool, given: unknown) {
  const path = pathOf(issue.path);
  const at = schemaAt(body, path.replace(/\[\d+\]/g, '[]'));
  // If a whole object is missing, its first field shows who can add it.
  const known = at === undefined ? undefined : leaves(bare(at))[0]?.field;
  // Whoever gave a wrong value needs no hint to give it.
  const isOwn = known?.from === 'model' && !isMissing(issue, given);
  const argument = argumentAt(tool, path);
  return {
    field: argument ?? path,
    problem: problemText(missingFrom(tool, argument, issue, given) ?? issue, given),
    rule: ruleOf(issue) ?? known?.rule ?? operationOf(tool).shape,
    by: known?.from,
    mend: mends[isOwn ? 'platform' : (known?.from ?? 'server')],
  };
}

/** How an argument says that it is missing: its values may have other names than the platform's. Undefined for any other fault. */
function missingFrom(
  tool: PlatformTool,
  argument: string | undefined,
  issue: Issue,
  given: unknown,
): Issue | undefined {
  const of = argument === undefined ? undefined : tool.input.args[argument];
  if (of === undefined || !isMissing(issue, given)) return undefined;
  const [own] = bare(of.schema).safeParse(undefined).error?.issues ?? [];
  return own && { ...own, path: issue.path };
}

/** The rule named by a fault that concerns several fields. */
const ruleOf = (issue: Issue): string | undefined =>
  issue.code === 'custom' && typeof issue.params?.rule === 'string' ? issue.params.rule : undefined;

const of = (many: boolean): string => (many ? 'them' : 'it');

const mends: { readonly [by in Provenance]: (many: boolean) => string } = {
  model: (many) => (many ? 'Give them as arguments.' : 'Give it as an argument.'),
  shopper: (many) => `The merchant's app must add ${of(many)} to the shopper session; the agent can't.`,
  device: (many) =>
    `The merchant's app must add ${of(many)} to the shopper session from the shopper's device; the agent can't.`,
  caller: (many) => `The merchant's app or the customer enters ${of(many)}; the agent can't.`,
  server: (many) => `Purser fills ${of(many)} from configuration or the shopper session; the agent can't.`,
  platform: () => '',
};

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );

/** A refusal from before the schema was checked, with its field cut to the names that the tool declares. */
export function toldFor(refusal: Refusal, { inputSchema }: Pick<Tool, 'inputSchema'>): Refusal {
  if (refusal.field === undefined) return refusal;
  const field = pathOf(knownPath(inputSchema, refusal.field.split('.')));
  return { ...refusal, field: field || 'arguments' };
}
