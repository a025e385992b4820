import { z } from 'zod';

// Values that a shape takes: the least that it demands, and all that it has a place for.

export type Extent = 'the least' | 'all';

/** Texts of which each field with a form takes one. Free text takes the name of its field. */
const formed: readonly string[] = [
  ...['12.50', '7', '2026-02-01T10:00:00Z', '2026-02-01T10:00:00.000Z', '2026-02-01', 'GBP', '0630', 'Europe/London'],
  ...['ada@example.com', 'https://shop.example.com/it', '7b0c2f6e-52c1-4c9b-8f0a-2f1f6f4f7a11', '12/2030', 'en-GB'],
  ...['0123456789abcdef', 'PT2H', '#1A2B3C', '1111', '411111'],
];
/** Texts that fields of such names have, where the contract leaves them free. */
const byName: readonly (readonly [name: RegExp, value: string])[] = [
  [/cycle|count$/i, '2'],
  [/currency/i, 'GBP'],
  [/amount|fee|price|total/i, '12.50'],
  [/(?:time|date|utc)$/i, '2026-02-01T10:00:00Z'],
];
const others: readonly unknown[] = [3, 20, 2030, 1_768_478_400, true, { name: 'it' }, null];

/** A value of a shape; undefined if none is found. `name` is that of its field. */
export function valueFor(schema: z.ZodType, extent: Extent, name = 'it'): unknown {
  if (schema instanceof z.ZodOptional)
    return extent === 'all' ? valueFor(schema.unwrap() as z.ZodType, extent, name) : undefined;
  if (schema instanceof z.ZodDefault) return valueFor(schema.unwrap() as z.ZodType, extent, name);
  if (schema instanceof z.ZodNullable)
    return extent === 'all' ? valueFor(schema.unwrap() as z.ZodType, extent, name) : null;
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape).flatMap(([member, child]) => {
        const value = valueFor(child as z.ZodType, extent, member);
        return value === undefined ? [] : [[member, value]];
      }),
    );
  if (schema instanceof z.ZodArray) return elementsFor(schema, extent, name);
  if (schema instanceof z.ZodEnum) return schema.options.at(extent === 'all' ? -1 : 0);
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodUnion)
    return valueFor(schema.options.at(extent === 'all' ? -1 : 0) as z.ZodType, extent, name);
  if (schema instanceof z.ZodPipe) return valueFor(schema.in as z.ZodType, extent, name);
  const named = byName.filter(([part]) => part.test(name)).map(([, value]) => value);
  return [...named, name, ...formed, ...others].find((value) => schema.safeParse(value).success);
}

/** As few elements as a list may have, or one with all and another with the least. */
function elementsFor(schema: z.ZodArray, extent: Extent, name: string): readonly unknown[] {
  if (extent === 'the least' && schema.safeParse([]).success) return [];
  const element = schema.element as z.ZodType;
  const both = [valueFor(element, 'all', name), valueFor(element, 'the least', name)];
  return extent === 'all' && schema.safeParse(both).success ? both : [valueFor(element, extent, name)];
}
