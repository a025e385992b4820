import { z } from 'zod';

/** A second reading of a zod schema, on purpose independent of `leaves`: it asks zod for JSON Schema and walks that. */

interface Node {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
}

export interface Part {
  /** `a.b[].c`; an array of texts ends in `[]`, an array of objects too. */
  readonly path: string;
  /** Whether the object it stands in requires it. */
  readonly required: boolean;
  /** Whether the whole body can't be right without it. */
  readonly always: boolean;
  /** JSON type of a leaf: `object` for what has parts of its own. */
  readonly type: string;
  /** Allowed values, where they are closed. */
  readonly values: readonly string[] | undefined;
}

/** Every field of a schema, objects and arrays included, in the order of the schema. */
export const parts = (schema: z.ZodType): readonly Part[] =>
  walk(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Node, '', true);

/** An object that may be null is printed as the object it is. */
const withoutNull = (node: Node): Node => {
  const objects = node.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = objects;
  return only?.type === 'object' && objects.length === 1 ? only : node;
};

function walk(node: Node, path: string, always: boolean): readonly Part[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, nullable]) => {
    const child = withoutNull(nullable);
    const required = node.required?.includes(name) ?? false;
    const at = `${path === '' ? '' : `${path}.`}${name}${child.type === 'array' ? '[]' : ''}`;
    const inside = child.type === 'array' ? (child.items ?? {}) : child;
    const types = new Set((inside.anyOf ?? [inside]).map((one) => one.type ?? 'unknown'));
    const part: Part = {
      path: at,
      required,
      always: always && required,
      type: [...types].join(' or '),
      values: inside.enum ?? (inside.const === undefined ? undefined : [inside.const]),
    };
    return [part, ...walk(inside, at, always && required)];
  });
}

/** A schema as the field lists print it: `path *` for what its object requires. */
export const printed = (schema: z.ZodType): readonly string[] =>
  parts(schema).map((part) => (part.required ? `${part.path} *` : part.path));
