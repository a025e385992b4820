import { z } from 'zod';
import { didYouMean } from '../../../src/engine/closest-name.ts';
import type { Path, PathFault } from './faults.ts';

// What a schema finds, as sentences for who wrote the file.

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** Everything in a value that its schema doesn't allow. */
export const schemaFaults = (schema: Schema, given: unknown, { issues }: z.core.$ZodError): readonly PathFault[] =>
  issues.flatMap((issue) => faultsIn(issue, { schema, given, before: [] })).map(ended);

const ended = ({ path, because }: PathFault): PathFault => ({ path, because: because.replace(/[^.?]$/, '$&.') });

/** Where an issue's path begins: a schema, the value that is held against it, and the path to it. */
interface From {
  readonly schema: Schema;
  readonly given: unknown;
  readonly before: Path;
}

function faultsIn(issue: Issue, { schema, given, before }: From): readonly PathFault[] {
  const path = [...before, ...issue.path];
  const value = valueAt(given, issue.path);
  const at = schemaAt(schema, given, issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      because: unknownName('key', key, keysOf(variantOf(at, value))),
    }));
  if (issue.code === 'invalid_union') return unionFaults(issue, { schema: at, given: value, before: path });
  if (issue.code === 'invalid_key') return [{ path, because: issue.issues[0]?.message ?? 'is not a valid name' }];
  return [{ path, because: sentenceOf(issue, value) }];
}

/** Names that are listed where none is close. Own choice: about two lines. */
const mostNames = 20;

/** Says that a name is unknown, which one is meant, or which there are. */
export function unknownName(
  what: 'key' | 'tool' | 'rule' | 'fault' | 'collection',
  name: string,
  known: readonly string[],
): string {
  const near = didYouMean(name, known);
  const others = near === '' && known.length > 0 && known.length <= mostNames ? ` Known: ${known.join(', ')}.` : '';
  return what === 'key' ? `unknown key${near}.${others}` : `there is no ${what} ${name}${near}.${others}`;
}

/** A value that matches no variant: the faults of the one that is meant. */
function unionFaults(issue: z.core.$ZodIssueInvalidUnion, { schema, given, before }: From): readonly PathFault[] {
  const variants = (schema instanceof z.ZodUnion ? schema.options : []).map((option, at) => ({
    schema: option as Schema,
    keys: keysOf(option as Schema),
    faults: issue.errors[at] ?? [],
  }));
  if (variants.length === 0) return [{ path: before, because: 'must be a value that JSON has' }];
  const objects = variants.filter(({ keys }) => keys.length > 0);
  if (objects.length < variants.length) return inside(closest(variants), given, before);
  if (!isObject(given)) return [{ path: before, because: `must be ${kinds.object}, not ${kindOf(given)}` }];
  const first = [...new Set(objects.map(({ keys: [name = ''] }) => name))];
  const named = objects.filter(({ keys: [name = ''] }) => Object.hasOwn(given, name));
  if (named.length === 0) {
    const [own = ''] = Object.keys(given);
    return [{ path: before, because: `needs one of ${first.join(', ')}${didYouMean(own, first)}.` }];
  }
  const values = named.flatMap(({ schema: it, keys: [name = ''] }) => {
    const member = schemaAt(it, given, [name]);
    return member instanceof z.ZodLiteral ? [{ name, values: [...member.values].map(String) }] : [];
  });
  const [literal] = values;
  if (literal !== undefined && values.length === named.length) {
    const all = [...new Set(values.flatMap((it) => it.values))];
    const own = given[literal.name];
    if (!all.includes(String(own)))
      return [
        {
          path: [...before, literal.name],
          because: `must be one of ${all.join(', ')}${didYouMean(String(own), all)}.`,
        },
      ];
  }
  return inside(closest(named), given, before);
}

interface Variant {
  readonly schema: Schema;
  readonly faults: readonly Issue[];
}

const inside = (variant: Variant | undefined, given: unknown, before: Path): readonly PathFault[] =>
  variant === undefined
    ? [{ path: before, because: 'is wrong' }]
    : variant.faults.flatMap((fault) => faultsIn(fault, { schema: variant.schema, given, before }));

/** The variant that was most likely meant. */
const closest = (variants: readonly Variant[]): Variant | undefined =>
  variants
    .map((it) => ({ it, strange: it.faults.filter(isStrange).length }))
    .toSorted((one, other) => one.strange - other.strange || one.it.faults.length - other.it.faults.length)[0]?.it;

/** Issues that mean another variant was intended: an unknown key, or a missing or different discriminator. */
const isStrange = (issue: Issue): boolean =>
  issue.code === 'unrecognized_keys' ||
  (issue.code === 'invalid_type' && issue.path.length === 1) ||
  issue.code === 'invalid_value';

function sentenceOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = kinds[issue.expected] ?? issue.expected;
      if (value === undefined) return `is missing: it must be ${wanted}`;
      const isUnquoted = issue.expected === 'string' && ['number', 'boolean'].includes(typeof value);
      return `must be ${wanted}, not ${kindOf(value)}${isUnquoted ? ': put it in quotation marks' : ''}`;
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      if (value === undefined) return `is missing: it must be one of ${values.join(', ')}`;
      return `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}${didYouMean(String(value), values)}.`;
    }
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? isCustom(issue)
          ? issue.message
          : 'must not be empty'
        : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must have at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2026-01-15T09:00:00Z' : issue.message;
    default:
      return issue.message;
  }
}

/** A sentence of the schema itself, rather than one of the library. */
const isCustom = ({ message }: Issue): boolean => !/^(?:Too |Invalid )/.test(message);

/** What people call the kinds of values. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'names with values',
  record: 'names with values',
};

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return kinds[typeof value] ?? typeof value;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (it, step) =>
      typeof it === 'object' && it !== null && Object.hasOwn(it, step)
        ? (it as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined,
    value,
  );

/** The schema of a part of a value; itself where the path leads into something without a declared shape. */
function schemaAt(schema: Schema, given: unknown, path: Path): Schema {
  let at = unwrapped(schema);
  for (const [index, step] of path.entries()) {
    at = variantOf(at, valueAt(given, path.slice(0, index)));
    if (at instanceof z.ZodObject) at = unwrapped(at.shape[String(step)] ?? at);
    else if (at instanceof z.ZodArray) at = unwrapped(at.element as Schema);
    else if (at instanceof z.ZodRecord) at = unwrapped(at.valueType as Schema);
    else return at;
  }
  return at;
}

/** The variant of a union that a value has the first key of, and most others: the library judges by that, too, where only one is left. */
function variantOf(schema: Schema, value: unknown): Schema {
  if (!(schema instanceof z.ZodUnion) || !isObject(value)) return schema;
  const options: readonly Schema[] = schema.options.map((option) => unwrapped(option as Schema));
  const unknown = (keys: readonly string[]): number => Object.keys(value).filter((it) => !keys.includes(it)).length;
  const [best = schema] = options
    .filter((option) => Object.hasOwn(value, keysOf(option)[0] ?? ''))
    .toSorted((one, other) => unknown(keysOf(one)) - unknown(keysOf(other)));
  return best;
}

function unwrapped(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as Schema);
  return schema;
}

/** The keys of an object, the one that says its kind first. */
function keysOf(schema: Schema): readonly string[] {
  const at = unwrapped(schema);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}
