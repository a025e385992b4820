import { z } from 'zod';
import { amount, currency, fieldOf, type PathOf, schemaAt, text } from '../core/fields.ts';
import type { Kind } from '../domains/facts.ts';
import { type Contract, contract, type OperationName } from '../domains/index.ts';
import type { Arg } from './tool.ts';

// Constructors for tool arguments.

type BodyOf<N extends OperationName> = NonNullable<Contract[N]['body']>;
type QueryOf<N extends OperationName> = NonNullable<Contract[N]['query']>;

/** A handle of a thing. */
export const handle = (kind: Kind, about: string): Arg<never> => ({
  schema: z.string().max(64).describe(about),
  fills: [],
  kind,
});

/** A field of the request body, with the contract's shape. */
export const field =
  <N extends OperationName>(operation: N) =>
  <P extends PathOf<BodyOf<N>>>(path: P, about: string): Arg<P> => ({
    schema: shapeOf(operation, 'body', path).describe(about),
    fills: [{ path, value: (given) => given }],
    rule: fieldOf(shapeOf(operation, 'body', path)).rule,
  });

/** A field of the query, with the contract's shape. */
export const queryField =
  <N extends OperationName>(operation: N) =>
  <P extends PathOf<QueryOf<N>>>(path: P, about: string): Arg<`?${P}`> => ({
    schema: shapeOf(operation, 'query', path).describe(about),
    fills: [{ path: `?${path}`, value: (given) => given }],
    rule: fieldOf(shapeOf(operation, 'query', path)).rule,
  });

/** An amount and its currency, as one argument. */
export const sum = <P extends string>(amountPath: P, currencyPath: P, about: string): Arg<P> => ({
  schema: z
    .strictObject({ amount: amount.describe('Such as 40.00.'), currency: currency.describe('Such as USD.') })
    .describe(about),
  fills: [
    { path: amountPath, value: (given) => member(given, 'amount') },
    { path: currencyPath, value: (given) => member(given, 'currency') },
  ],
});

/** A time: ISO 8601 for the model, epoch seconds for the platform. */
export const moment = <P extends string>(path: P, about: string): Arg<P> => ({
  schema: z.iso.datetime({ offset: true }).describe(about),
  fills: [
    {
      path,
      value: (given) => (given === undefined ? undefined : String(Math.floor(Date.parse(String(given)) / 1000))),
    },
  ],
  approvalText: (_, [sent]) => new Date(Number(sent) * 1_000).toISOString(),
});

/** The same argument with another label in approval text. */
export const labelled = <P extends string>(label: string, arg: Arg<P>): Arg<P> => ({ ...arg, label });

/** The merchant's order or invoice number. */
export const reference = (about: string): Arg<never> => ({
  schema: text
    .max(64)
    .regex(/^[\w.:/-]+$/, 'may have letters, digits and . : / _ -')
    .describe(about),
  fills: [],
});

/** A text of a given form that fills no field of the request. */
export const matching = (form: RegExp, about: string): Arg<never> => ({
  schema: z.string().regex(form, 'is not a valid id').describe(about),
  fills: [],
});

/** The same argument, made optional. */
export const optional = <P extends string>(arg: Arg<P>): Arg<P> => ({ ...arg, schema: arg.schema.optional() });

/** The same arguments without their words, for a tool whose description names the tool that describes them. */
export const undescribed = <A extends { readonly [name: string]: Arg<string> }>(args: A): A =>
  Object.fromEntries(
    Object.entries(args).map(([name, arg]) => [name, { ...arg, schema: withoutWords(arg.schema) }]),
  ) as A; // the same names and paths

function withoutWords(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return withoutWords(schema.unwrap() as z.ZodType).optional();
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).map(([name, child]) => [name, withoutWords(child as z.ZodType)])),
    );
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: withoutWords(schema.element as z.ZodType) });
  return schema.clone(schema.def); // a clone of a definition has no parent to inherit words from
}

const member = (given: unknown, name: string): unknown =>
  given === undefined ? undefined : (given as Readonly<Record<string, unknown>>)[name]; // checked by the tool's shape

function shapeOf(operation: OperationName, part: 'body' | 'query', path: string): z.ZodType {
  const whole = contract[operation][part];
  const shape = whole && schemaAt(whole, path);
  if (shape === undefined) throw new Error(`${operation} has no field ${path}`);
  return shape instanceof z.ZodOptional ? (shape.unwrap() as z.ZodType) : shape;
}
