import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { evaluate } from '../../evals/harness/replay/evaluate.ts';
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
import { plan, subscription } from '../engine/billing.ts';
import { bill } from '../engine/invoicing.ts';
import { until, world } from '../engine/support.ts';
import { everyScenario, stageOfFile, watch } from '../evals/support.ts';

// An amount, a count, a unit and a date have one form each, in arguments and in answers, so that an agent can give to one tool
// what another has shown. The fields come from the tools' shapes: a new one is looked at, too.

interface Leaf {
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
const [given, shown] = [leavesIn('inputSchema'), leavesIn('outputSchema')];
/** The last name of a path, as arguments write it. */
const nameOf = (path: string): string =>
  (path.split('.').findLast((step) => step !== '[]') ?? '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const placeOf = ({ tool, path }: Leaf): string => `${tool}: ${path}`;

type Form = 'amount' | 'count' | 'unit' | 'day' | 'moment' | 'month';
const takes = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;
const formatOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }).format;

/** What an argument is, by what it takes; undefined for text, a handle, a choice or a yes. */
function formGiven({ path, schema }: Pick<Leaf, 'path' | 'schema'>): Form | undefined {
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
function formShown({ schema }: Pick<Leaf, 'schema'>): Form | undefined {
  if (schema instanceof z.ZodNumber) return 'count';
  const found = Object.entries(formsShown).find(([, shape]) => sourceOf(shape) === sourceOf(schema));
  return found?.[0] as Form | undefined; // a key of the table
}

describe('arguments', () => {
  it('take counts as numbers alone', () => {
    const counts = given.filter((leaf) => formGiven(leaf) === 'count');
    expect(counts.length).toBeGreaterThan(20);
    expect(counts.filter(({ schema }) => takes(schema, '1')).map(placeOf)).toEqual([]);
    const textual = given.filter(
      ({ schema }) => takes(schema, '7') && !takes(schema, '7.00') && !takes(schema, 'seven'),
    );
    // Where a list goes on is text, in and out.
    expect(textual.filter(({ path, schema }) => path !== 'cursor' && !takes(schema, 7)).map(placeOf)).toEqual([]);
  });

  it('take amounts as decimal text, with or without decimals, and never as numbers', () => {
    const amounts = given.filter((leaf) => formGiven(leaf) === 'amount');
    expect(amounts.length).toBeGreaterThan(30);
    const wrong = amounts.filter(
      ({ schema }) =>
        !takes(schema, '45') ||
        !takes(schema, '45.00') ||
        takes(schema, 45) ||
        takes(schema, '45,00') ||
        takes(schema, '-1'),
    );
    expect(wrong.map(placeOf)).toEqual([]);
  });

  it('take units by their words alone', () => {
    const units = given.filter((leaf) => formGiven(leaf) === 'unit');
    expect(units.length).toBeGreaterThanOrEqual(6);
    const words = (leaf: Leaf) => (leaf.schema as z.ZodEnum).options.map(String);
    expect(units.filter((leaf) => !words(leaf).every((word) => word in unitWords)).map(placeOf)).toEqual([]);
    const letters = given.filter(
      ({ schema }) => schema instanceof z.ZodEnum && /^([DWMY]|\w+LY)$/.test(String(schema.options[0])),
    );
    expect(letters.map(placeOf)).toEqual([]);
  });

  it('take dates in ISO 8601 alone', () => {
    const [day, moment] = ['2031-04-05', '2031-04-05T00:00:00Z'];
    const dates = given.filter((leaf) => ['day', 'moment'].includes(String(formGiven(leaf))));
    expect(dates.length).toBeGreaterThanOrEqual(9);
    const wrong = dates.filter(
      (leaf) => !takes(leaf.schema, formGiven(leaf) === 'day' ? day : moment) || takes(leaf.schema, '05-04-2031'),
    );
    expect(wrong.map(placeOf)).toEqual([]);
  });
});

describe('a field that is shown', () => {
  it('has the form of the argument of its name, in every domain', () => {
    const pairs = given.flatMap((argument) =>
      shown
        .filter((field) => field.domain === argument.domain && nameOf(field.path) === nameOf(argument.path))
        // How many a list has is no total of an invoice.
        .filter(({ path }) => path !== 'total')
        .map((field) => ({ argument, field })),
    );
    const told = pairs.filter(({ argument }) => formGiven(argument) !== undefined);
    expect(told.length).toBeGreaterThan(100);
    expect(
      told
        .filter(({ argument, field }) => formGiven(argument) !== formShown(field))
        .map(({ argument, field }) => `${placeOf(argument)} | ${placeOf(field)}`),
    ).toEqual([]);
  });
});

/** Every leaf of a value with its path, and the currency that stands nearest around it. */
function* valuesIn(value: unknown, path: string, currency = ''): Generator<readonly [string, unknown, string]> {
  if (typeof value !== 'object' || value === null) yield [path, value, currency];
  else {
    const own = 'currency' in value ? String(value.currency) : currency;
    for (const [name, member] of Object.entries(value))
      yield* valuesIn(member, `${path}.${Array.isArray(value) ? '[]' : name}`.replace(/^\./, ''), own);
  }
}

const stage = stageOfFile();

/** The form of each shown field, by tool and path. */
const forms = new Map(shown.map((leaf) => [`${leaf.tool} ${leaf.path}`, formShown(leaf)] as const));
/** An invoice shows whatever it says: a field that no shape lists goes by the name of an argument. */
const byName = new Map(
  given.filter(({ domain }) => domain === 'invoicing').map((leaf) => [nameOf(leaf.path), formGiven(leaf)] as const),
);
const invoicing = new Set(tools.filter((tool) => toolsetOf(tool) === 'invoicing').map(({ name }) => name));

describe.each([
  ['billing', ['amount', 'count', 'moment', 'month', 'unit']],
  ['engine', ['amount', 'count', 'moment', 'month']],
  ['invoicing', ['amount', 'count', 'day', 'moment']],
  ['purchase', ['amount', 'count', 'moment', 'month']],
] as const)('every answer of the scenarios of %s', (domain, expected) => {
  it('has amounts in the decimals of their currency, counts as numbers, units as words and dates in ISO', async () => {
    const own = (await everyScenario()).filter(({ scenario }) => scenario.id.startsWith(`${domain}-`));
    const seen = new Set<Form>();
    const wrong: unknown[] = [];
    for (const { id, run } of await evaluate(own, stage(), { watch }))
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
    expect(wrong).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([...expected]));
  });
});

function holds(form: Form, value: unknown, currency: string): boolean {
  if (form === 'count') return takes(countShown, value);
  const source = sourceOf(formsShown[form]);
  if (typeof value !== 'string' || source === undefined || !('form' in source) || !source.form.test(value))
    return false;
  return form !== 'amount' || currency === '' || inDecimals(value, currency) === value;
}

it('holds where an agent leaves the decimals out, and what was shown is taken again', async () => {
  const it = await world();
  const terms = { amount: '45', setup_fee: '5', currency: 'GBP', every: 2, unit: 'week', payments: 6 };
  const made = await it.call('create_plan', plan(terms));
  const { amount, setupFee, currency, every, unit, payments } = made.data;
  expect({ amount, setupFee, currency, every, unit, payments }).toEqual({
    ...{ amount: '45.00', setupFee: '5.00', currency: 'GBP', every: 2, unit: 'week', payments: 6 },
  });
  const again = { amount, setup_fee: setupFee, currency, every, unit, payments };
  expect(await it.call('create_plan', plan(again))).toMatchObject({
    outcome: 'done',
    data: { amount: '45.00', every: 2 },
  });
  const yen = { amount: '800', surcharge: '30', surcharge_label: 'Post', currency: 'JPY', every: 1, unit: 'month' };
  const subscribed = await it.through('create_subscription', subscription(yen));
  expect(subscribed.data).toMatchObject({ amount: '800', surcharge: '30', every: 1, unit: 'month' });
  const order = { card: 'card_ada', reference: 'order-1', limit: { amount: '45', currency: 'GBP' }, until };
  await it.call('enroll_card', { card: 'card_ada' });
  const bought = await it.through('initiate_purchase', {
    ...order,
    description: 'Headphones',
    quantity: 2,
    every: 'month',
  });
  expect(bought.data).toMatchObject({ limit: { amount: '45.00', currency: 'GBP' } });
  const billed = await it.through('create_invoice', bill({ total: '40', discount: '2', subtotal: '42' }));
  expect(billed.data).toMatchObject({ total: '40.00', discount: '2.00', subtotal: '42.00' });
});
