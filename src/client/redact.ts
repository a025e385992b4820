import { z } from 'zod';
import { bare, type Field, fieldOf } from '../core/fields.ts';

/** What stands in place of a value that is not shown. */
export const hidden = '[hidden]';

/**
 * A body as a person or a model may see it: values that the model authored or Purser filled in, except secrets and the
 * ids of a card's tokens. Everything about the shopper and the device, and everything the contract does not name, is hidden.
 */
export function redact(value: unknown, schema: z.ZodType | undefined): unknown {
  const shape = schema === undefined ? undefined : bare(schema);
  if (Array.isArray(value)) {
    // The children of an array and an object are classic zod types; zod types them as core ones.
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
  // The whole of it, optional included: a tag may stand outside or inside.
  return schema !== undefined && isShown(fieldOf(schema)) ? value : hidden;
}

const isShown = ({ from, secret, at }: Field): boolean =>
  (from === 'model' || from === 'server') && secret !== true && !/^card\..*Id$/.test(at ?? '');
