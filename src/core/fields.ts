import { z } from 'zod';
import { isCurrency } from './currencies.ts';
import { limits } from './limits.ts';
import { isTooLarge } from './money.ts';
import type { RuleId } from './rules.ts';

/**
 * Who may author a field's value. `model`: the language model, through a tool argument. `shopper` and `device`: the
 * merchant's app, through the shopper session. `caller`: the app or the customer who makes the call. `server`: Purser,
 * from handles, configuration and ports. `platform`: the platform, in its responses.
 */
export type Provenance = 'model' | 'shopper' | 'device' | 'caller' | 'server' | 'platform';

export interface Field {
  readonly from: Provenance;
  /** The path of the value in the facts of a call; for `shopper` and `device`, by default the field's own path. */
  readonly at?: string | undefined;
  /** Its value is never shown or logged, and never stored in clear. */
  readonly secret?: true | undefined;
  /** A secret that is sent from memory, once, and never stored. */
  readonly stored?: false | undefined;
  /** Who reads it besides the platform and the merchant. */
  readonly reach?: 'customer' | undefined;
  /** The rule that a wrong value breaks; by default the operation's shape rule. */
  readonly rule?: RuleId | undefined;
  /** Converts the plain value to the platform's format. */
  readonly encode?: ((plain: string) => string) | undefined;
}

const fields = z.registry<Field>();

/** A field that the model may author. */
export const model = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'model' });
/** A field of the shopper session, at the same path or at `at` in the session. */
export const shopper = <S extends z.ZodType>(schema: S, at?: string): S => tag(schema, { from: 'shopper', at });
/** Whether the merchant's app provides a field, through the shopper session. */
export const isOfSession = ({ from }: Field): boolean => from === 'shopper' || from === 'device';
/** A field about the shopper's device, from the shopper session. */
export const device = <S extends z.ZodType>(schema: S, at?: string): S => tag(schema, { from: 'device', at });
/** A field that the app or the customer enters in its own call. Models can't call such an operation. */
export const entered = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'caller' });
/** A field that Purser fills from the facts of the call. */
export const server = <S extends z.ZodType>(schema: S, at: string): S => tag(schema, { from: 'server', at });
/** A field of the platform's responses. */
export const platform = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'platform' });
/** A field that Purser computes from the facts of the call, as the tool declares under `computes`. */
export const computed = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'server', at: 'computed' });
/** A field with a single possible value. */
export const fixed = <V extends string>(value: V) => server(z.literal(value), 'fixed');
/** Marks a field that customers read in an e-mail, on an invoice or on a page. */
export const customer = <S extends z.ZodType>(schema: S): S => tag(schema, { ...fieldOf(schema), reach: 'customer' });
/**
 * Marks a field whose value never leaves the vault and the connection to the platform. A stored request holds a
 * reference to the vault instead, or nothing if `stored` is false.
 */
export const secret = <S extends z.ZodType>(schema: S, { stored }: { readonly stored?: false } = {}): S =>
  tag(schema, { ...fieldOf(schema), secret: true, ...(stored === undefined ? {} : { stored }) });
/** Marks a field that has another format on the wire. The schema describes the wire's format. */
export const encoded = <S extends z.ZodType>(schema: S, encode: (plain: string) => string): S =>
  tag(schema, { ...fieldOf(schema), encode });
/** Names the rule that a wrong value of the field breaks. */
export const under = <S extends z.ZodType>(rule: RuleId, schema: S): S => tag(schema, { ...fieldOf(schema), rule });

/** The provenance and readers of a field; by default `platform`. */
export function fieldOf(schema: z.ZodType): Field {
  const field = known.get(schema) ?? registered(schema);
  known.set(schema, field);
  return field;
}

/** The registry merges what is said of a field with what is said of those it was made from, each time it is asked. */
const known = new WeakMap<z.ZodType, Field>();

const registered = (schema: z.ZodType): Field =>
  fields.get(schema) ?? (isWrapped(schema) ? fieldOf(inner(schema)) : { from: 'platform' });

/** Whether a field, or a wrapped schema, is marked as secret. */
export const isSecret = (schema: z.ZodType): boolean => fieldOf(schema).secret === true;

function tag<S extends z.ZodType>(schema: S, field: Field): S {
  const copy = schema.clone();
  fields.add(copy, field);
  return copy;
}

/** A leaf of a schema: a field that is neither an object nor an array of objects. */
export interface Leaf {
  /** Dotted path, with `[]` for array elements, as in the documents. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly field: Field;
  /** Whether the field, or a parent, may be absent. */
  readonly optional: boolean;
}

/** Every leaf of a request or response body, in schema order. */
export function leaves(schema: z.ZodType): readonly Leaf[] {
  const found = leavesKnown.get(schema) ?? leavesUnder(schema, '', false);
  leavesKnown.set(schema, found);
  return found;
}

const leavesKnown = new WeakMap<z.ZodType, readonly Leaf[]>();

function leavesUnder(schema: z.ZodType, path: string, optional: boolean): readonly Leaf[] {
  if (isWrapped(schema)) return leavesUnder(inner(schema), path, true);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, child]) =>
      // zod types an object's children as core types; all of ours are classic ones.
      leavesUnder(child as z.ZodType, path === '' ? name : `${path}.${name}`, optional),
    );
  if (schema instanceof z.ZodArray) return leavesUnder(schema.element as z.ZodType, `${path}[]`, optional);
  return [{ path, schema, field: fieldOf(schema), optional }];
}

/** The unwrapped schema at a path of `leaves`; undefined if there is none. */
export function schemaAt(schema: z.ZodType, path: string): z.ZodType | undefined {
  return path
    .split(/\.|(?=\[\])/)
    .filter((step) => step !== '')
    .reduce<z.ZodType | undefined>((at, step) => (at === undefined ? undefined : childOf(bare(at), step)), schema);
}

/** Unwraps optional and nullable. */
export const bare = (schema: z.ZodType): z.ZodType => (isWrapped(schema) ? bare(inner(schema)) : schema);

/** By the type that it states: Zod's `instanceof` takes longer, and this is asked for every field of a call, several times. */
const isWrapped = (schema: z.ZodType): schema is z.ZodOptional | z.ZodNullable =>
  schema.type === 'optional' || schema.type === 'nullable';

const inner = (schema: z.ZodOptional | z.ZodNullable): z.ZodType => schema.unwrap() as z.ZodType;

/** The schema one step down: a property by its name, or `[]` for the elements of a list. */
export const childOf = (schema: z.ZodType, step: string): z.ZodType | undefined => {
  if (step === '[]') return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, step)
    ? (schema.shape[step] as z.ZodType)
    : undefined;
};

/** The paths of a schema, in the notation of `leaves`: its leaves, and its arrays as a whole. */
export type PathOf<S, P extends string = ''> = S extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner>
  ? PathOf<Inner, P>
  : S extends z.ZodArray<infer Item>
    ? `${P}[]` | PathOf<Item, `${P}[]`>
    : S extends z.ZodObject<infer Shape>
      ? { [K in keyof Shape & string]: PathOf<Shape[K], P extends '' ? K : `${P}.${K}`> }[keyof Shape & string]
      : P;

// Shapes shared by many fields.

/** A short text of the platform. */
export const text = z.string().min(1).max(limits.textCharacters);
/**
 * A word that the platform chooses, such as a state. What Purser knows of it stands in tables, so it is not the name of what every
 * object has.
 */
export const word = text.refine((it) => !(it in Object.prototype), 'must be a word of the platform');
/** A long text of the platform. */
export const blob = z.string().min(1).max(limits.blobCharacters);
/** The checks of amounts, which a schema keeps under other words. */
const amountChecks = new Set<unknown>();
/** A schema that checks an amount in its own way. Whoever reads it gets no leading zeros: 010.00 is 10.00 for everybody. */
export function asAmount(schema: z.ZodString): z.ZodString {
  for (const check of schema.def.checks ?? []) amountChecks.add(check);
  return schema.overwrite((text) => text.replace(/^0+(?=\d)/, ''));
}
/** Decimal text without a sign, with at most three decimals, the most of any currency. */
export const amount = asAmount(
  z.string().regex(new RegExp(`^\\d{1,${limits.amountDigits}}(\\.\\d{1,3})?$`), {
    error: ({ input }) =>
      typeof input === 'string' && isTooLarge(input)
        ? `must have at most ${limits.amountDigits} digits before the decimal point`
        : 'must be a decimal amount such as "40.00"',
  }),
);
/** Whether a schema is that of an amount, whatever it is described as. */
export const isAmount = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodString && amountChecks.has(schema.def.checks?.[0]);
/** A known alphabetic ISO 4217 code. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be three capital letters')
  .refine(isCurrency, 'is not an ISO 4217 currency');
/** Seconds since the epoch, as text. */
export const epochSeconds = z.string().regex(/^\d{9,11}$/, 'must be text holding seconds since the epoch');
/** An identifier chosen by the caller: shaped like a UUID, of whatever version. */
export const uuid = z.guid('must be shaped like a UUID');
/** Two letters of ISO 3166. */
export const country = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');
/** An http or https URL. */
export const url = z.url({ protocol: /^https?$/ }).max(limits.textCharacters);
/** A text of digits. */
export const digits = z.string().regex(/^\d{1,9}$/, 'must be text of digits');
