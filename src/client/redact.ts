import { z } from 'zod';
import { bare, type Field, fieldOf } from '../core/fields.ts';

/** Replaces a hidden value. */
const hidden = '[hidden]';

/**
 * A body for display: the values that the model authored or Purser filled in, except secrets and a card's ids and first
 * digits. Shopper data, device data and undocumented fields are hidden.
 */
export function redact(value: unknown, schema: z.ZodType | undefined): unknown {
  const shape = schema === undefined ? undefined : bare(schema);
  if (Array.isArray(value)) {
    // A cast: our children of arrays and objects are classic zod types, which zod types as core ones.
    const element = shape instanceof z.ZodArray ? (shape.element as z.ZodType) : undefined;
    return value.map((it) => redact(it, element));
  }
  if (typeof value === 'object' && value !== null) {
    const children = shape instanceof z.ZodObject ? shape.shape : {};
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [
        name,
        redact(it, Object.hasOwn(children, name) ? (children[name] as z.ZodType) : undefined),
      ]),
    );
  }
  // Checks the schema with its optional wrapper: the mark may be on either.
  return schema !== undefined && isShown(fieldOf(schema)) ? value : hidden;
}

const isShown = ({ from, secret, at }: Field): boolean =>
  (from === 'model' || from === 'server') && secret !== true && !/^card\.(.*Id|bin)$/.test(at ?? '');
