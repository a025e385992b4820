import { z } from 'zod';
import { isCurrency } from './currencies.ts';
import { limits } from './limits.ts';

/**
 * Who may author a field's value. `model`: the language model, through a tool argument. `shopper` and `device`: the
 * merchant's app, through the shopper session. `caller`: the app or the customer who makes the call, never the model.
 * `server`: Purser itself, from handles, configuration and its ports. `platform`: the platform, in its answers.
 */
export type Provenance = 'model' | 'shopper' | 'device' | 'caller' | 'server' | 'platform';

export interface Field {
  readonly from: Provenance;
  /** Where the value stands among the facts of a call; for `shopper` and `device` the field's own path by default. */
  readonly at?: string | undefined;
  /** Its value is never shown, logged or stored in clear. */
  readonly secret?: true | undefined;
  /** A secret that isn't stored at all: it is sent from memory, once. */
  readonly stored?: false | undefined;
  /** Who comes to read it besides the platform and the merchant. */
  readonly reach?: 'customer' | undefined;
  /** The rule a wrong value breaks; by default the operation's own shape rule. */
  readonly rule?: string | undefined;
}

const fields = z.registry<Field>();

/** A field that the model may author. */
export const model = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'model' });
/** A field of the shopper session, at the same path or at `at` in the session. */
export const shopper = <S extends z.ZodType>(schema: S, at?: string): S => tag(schema, { from: 'shopper', at });
/** A field about the shopper's device, from the shopper session. */
export const device = <S extends z.ZodType>(schema: S, at?: string): S => tag(schema, { from: 'device', at });
/** A field that the app or the customer enters with a call of its own. No model may call such an operation. */
export const entered = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'caller' });
/** A field that Purser fills from the facts of the call. */
export const server = <S extends z.ZodType>(schema: S, at: string): S => tag(schema, { from: 'server', at });
/** A field of the platform's answers. */
export const platform = <S extends z.ZodType>(schema: S): S => tag(schema, { from: 'platform' });
/** A field that can have one value only. */
export const fixed = <V extends string>(value: V) => server(z.literal(value), 'fixed');
/** Marks a field that customers read, in an e-mail, on an invoice or on a page. */
export const customer = <S extends z.ZodType>(schema: S): S => tag(schema, { ...fieldOf(schema), reach: 'customer' });
/**
 * Marks a field whose value must never leave the vault and the connection to the platform. In a request body it is stored as a
 * reference to the vault, or not at all where `stored` is false.
 */
export const secret = <S extends z.ZodType>(schema: S, { stored }: { readonly stored?: false } = {}): S =>
  tag(schema, { ...fieldOf(schema), secret: true, ...(stored === undefined ? {} : { stored }) });
/** Marks a field whose wrong value breaks a certain rule. */
export const under = <S extends z.ZodType>(rule: string, schema: S): S => tag(schema, { ...fieldOf(schema), rule });

/** Where a field's value comes from and who reads it; `platform` where nothing is declared. */
export function fieldOf(schema: z.ZodType): Field {
  return fields.get(schema) ?? (isWrapped(schema) ? fieldOf(inner(schema)) : { from: 'platform' });
}

/** Whether a field, or what is around it, is marked as a secret. */
export const isSecret = (schema: z.ZodType): boolean => fieldOf(schema).secret === true;

function tag<S extends z.ZodType>(schema: S, field: Field): S {
  const copy = schema.clone();
  fields.add(copy, field);
  return copy;
}

/** A leaf of a schema: a field that is neither an object nor an array of objects. */
export interface Leaf {
  /** Dotted names, `[]` for an array element, as the documents write it. */
  readonly path: string;
  readonly schema: z.ZodType;
  readonly field: Field;
  /** Whether it, or something it stands in, may be left out. */
  readonly optional: boolean;
}

/** Every leaf of a request or answer body, in the order of the schema. */
export function leaves(schema: z.ZodType, path = '', optional = false): readonly Leaf[] {
  if (isWrapped(schema)) return leaves(inner(schema), path, true);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, child]) =>
      // zod types the children of an object as core types; all of ours are classic ones.
      leaves(child as z.ZodType, path === '' ? name : `${path}.${name}`, optional),
    );
  if (schema instanceof z.ZodArray) return leaves(schema.element as z.ZodType, `${path}[]`, optional);
  return [{ path, schema, field: fieldOf(schema), optional }];
}

/** The schema at a path of `leaves`, without the optional around it; undefined where there is none. */
export function schemaAt(schema: z.ZodType, path: string): z.ZodType | undefined {
  return path
    .split(/\.|(?=\[\])/)
    .filter((step) => step !== '')
    .reduce<z.ZodType | undefined>((at, step) => (at === undefined ? undefined : childOf(bare(at), step)), schema);
}

/** A schema without the optional and nullable around it. */
export const bare = (schema: z.ZodType): z.ZodType => (isWrapped(schema) ? bare(inner(schema)) : schema);

const isWrapped = (schema: z.ZodType): schema is z.ZodOptional | z.ZodNullable =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;

const inner = (schema: z.ZodOptional | z.ZodNullable): z.ZodType => schema.unwrap() as z.ZodType;

/** What a step leads to: a member of an object by its name, or `[]`, the elements of a list. */
export const childOf = (schema: z.ZodType, step: string): z.ZodType | undefined => {
  if (step === '[]') return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
  return schema instanceof z.ZodObject && Object.hasOwn(schema.shape, step)
    ? (schema.shape[step] as z.ZodType)
    : undefined;
};

/** The paths of a schema, written as `leaves` writes them: its leaves, and its arrays as a whole. */
export type PathOf<S, P extends string = ''> = S extends z.ZodOptional<infer Inner> | z.ZodNullable<infer Inner>
  ? PathOf<Inner, P>
  : S extends z.ZodArray<infer Item>
    ? `${P}[]` | PathOf<Item, `${P}[]`>
    : S extends z.ZodObject<infer Shape>
      ? { [K in keyof Shape & string]: PathOf<Shape[K], P extends '' ? K : `${P}.${K}`> }[keyof Shape & string]
      : P;

// The shapes that many fields share.

/** Ordinary text of the platform. */
export const text = z.string().min(1).max(limits.textCharacters);
/** Long text of the platform. */
export const blob = z.string().min(1).max(limits.blobCharacters);
/** Decimal text without sign, at most three decimals: no currency has more. */
export const amount = z
  .string()
  .regex(new RegExp(`^\\d{1,${limits.amountDigits}}(\\.\\d{1,3})?$`), 'must be a decimal amount such as "40.00"');
/** An alphabetic ISO 4217 code that exists. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be three capital letters')
  .refine(isCurrency, 'is not an ISO 4217 currency');
/** Text that holds seconds since the epoch. */
export const epochSeconds = z.string().regex(/^\d{9,11}$/, 'must be text holding seconds since the epoch');
/** A caller-chosen identifier. */
export const uuid = z.uuid();
/** Two letters of ISO 3166. */
export const country = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');
/** An http or https address. */
export const url = z.url({ protocol: /^https?$/ }).max(limits.textCharacters);
/** Text of digits. */
export const digits = z.string().regex(/^\d{1,9}$/, 'must be text of digits');
