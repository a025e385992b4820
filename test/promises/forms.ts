import { z } from 'zod';
import type { Result } from '../../evals/harness/replay/evaluate.ts';
import { bare } from '../../src/core/fields.ts';
import { inDecimals } from '../../src/core/money.ts';
import { unitWords } from '../../src/core/schedule.ts';
import {
  amountShown,
  countShown,
  dayShown,
  momentShown,
  monthShown,
  sourceOf,
  unitShown,
} from '../../src/engine/shown.ts';
import { tools, toolsetOf } from '../../tools/index.ts';

// Which form an argument or a shown field has, by the shapes of the tools, and whether answers keep to it.

export interface Leaf {
  readonly tool: string;
  readonly domain: string;
  readonly path: string;
  readonly schema: z.ZodType;
}

/** Every leaf of a shape: members of objects and elements of lists. */
function leavesOf(schema: z.ZodType, path = ''): readonly { readonly path: string; readonly schema: z.ZodType }[] {
  const it = opened(schema);
  if (it instanceof z.ZodObject)
    return Object.entries(it.shape).flatMap(([name, child]) =>
      leavesOf(child as z.ZodType, path === '' ? name : `${path}.${name}`),
    );
  if (it instanceof z.ZodArray) return leavesOf(it.element as z.ZodType, `${path}.[]`);
  return [{ path, schema: it }];
}
const opened = (schema: z.ZodType): z.ZodType => {
  const it = bare(schema);
  return it instanceof z.ZodDefault ? opened(it.unwrap() as z.ZodType) : it;
};

const leavesIn = (part: 'inputSchema' | 'outputSchema'): readonly Leaf[] =>
  tools.flatMap((tool) =>
    leavesOf(tool[part]).map((leaf) => ({ tool: tool.name, domain: toolsetOf(tool) ?? 'common', ...leaf })),
  );
export const [given, shown] = [leavesIn('inputSchema'), leavesIn('outputSchema')];
/** The last name of a path, as arguments write it. */
export const nameOf = (path: string): string =>
  (path.split('.').findLast((step) => step !== '[]') ?? '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const placeOf = ({ tool, path }: Leaf): string => `${tool}: ${path}`;

export type Form = 'amount' | 'count' | 'unit' | 'day' | 'moment' | 'month';
export const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;
const formatOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }).format;

/** What an argument is, by what it takes; undefined for text, a handle, a choice or a yes. */
export function formGiven({ path, schema }: Pick<Leaf, 'path' | 'schema'>): Form | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.some((word) => word in unitWords) ? 'unit' : undefined;
  if (takes(schema, 1)) return 'count';
  if (formatOf(schema) === 'date') return 'day';
  if (formatOf(schema) === 'date-time') return 'moment';
  return takes(schema, '1.00') && !takes(schema, 'one') && !path.endsWith('percent') ? 'amount' : undefined;
}

const formsShown = {
  amount: amountShown,
  unit: unitShown,
  day: dayShown,
  moment: momentShown,
  month: monthShown,
} as const;
/** What a shown field is, by its shape. */
export function formShown({ schema }: Pick<Leaf, 'schema'>): Form | undefined {
  if (schema instanceof z.ZodNumber) return 'count';
  const found = Object.entries(formsShown).find(([, shape]) => sourceOf(shape) === sourceOf(schema));
  return found?.[0] as Form | undefined; // a key of the table
}

/** Every leaf of a value with its path, and the currency that stands nearest around it. */
function* valuesIn(value: unknown, path: string, currency = ''): Generator<readonly [string, unknown, string]> {
  if (typeof value !== 'object' || value === null) yield [path, value, currency];
  else {
    const own = 'currency' in value ? String(value.currency) : currency;
    for (const [name, member] of Object.entries(value))
      yield* valuesIn(member, `${path}.${Array.isArray(value) ? '[]' : name}`.replace(/^\./, ''), own);
  }
}

/** The form of each shown field, by tool and path. */
const forms = new Map(shown.map((leaf) => [`${leaf.tool} ${leaf.path}`, formShown(leaf)] as const));
/** An invoice shows whatever it says: a field that no shape lists goes by the name of an argument. */
const byName = new Map(
  given.filter(({ domain }) => domain === 'invoicing').map((leaf) => [nameOf(leaf.path), formGiven(leaf)] as const),
);
const invoicing = new Set(tools.filter((tool) => toolsetOf(tool) === 'invoicing').map(({ name }) => name));

/** The forms that the answers of scenarios show, and each value that has not its own. */
export function formsIn(results: readonly Result[]): { readonly seen: ReadonlySet<Form>; readonly wrong: unknown[] } {
  const seen = new Set<Form>();
  const wrong: unknown[] = [];
  for (const { id, run } of results)
    for (const entry of run.entries) {
      if (entry.kind !== 'call') continue;
      const { data } = entry.answer as { readonly data?: unknown };
      for (const [path, value, currency] of valuesIn(data, '')) {
        const named = invoicing.has(entry.tool) && path !== 'total' ? byName.get(nameOf(path)) : undefined;
        const form = forms.get(`${entry.tool} ${path}`) ?? named;
        if (form === undefined) continue;
        seen.add(form);
        if (!holds(form, value, currency)) wrong.push([id, entry.tool, path, value, currency]);
      }
    }
  return { seen, wrong };
}

function holds(form: Form, value: unknown, currency: string): boolean {
  if (form === 'count') return takes(countShown, value);
  const source = sourceOf(formsShown[form]);
  if (typeof value !== 'string' || source === undefined || !('form' in source) || !source.form.test(value))
    return false;
  return form !== 'amount' || currency === '' || inDecimals(value, currency) === value;
}
