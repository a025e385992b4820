import fc from 'fast-check';
import { z } from 'zod';
import { labelKeys, settingShapes } from '../../src/domains/invoicing/shapes.ts';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { timeZones } from '../../src/domains/reporting/time-zones.ts';
import { readArguments } from '../../src/engine/arguments.ts';
import type { Tool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';

// Arguments that a tool takes, from its whole schema.

type Schema = { readonly [keyword: string]: unknown };

const currencies = fc.constantFrom('GBP', 'EUR', 'JPY', 'KWD');
const sums = fc.stringMatching(/^\d{1,12}(\.\d{1,3})?$/);
const percentages = fc.stringMatching(/^\d{1,2}(\.\d{1,4})?$/);
const colours = fc.stringMatching(/^#[0-9A-Fa-f]{6}$/);
const addresses = fc.webUrl({ validSchemes: ['http', 'https'] }).filter((url) => url.length <= 64);
const days = fc
  .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  .map((it) => it.toISOString().slice(0, 10));
const places = fc.integer({ min: 1, max: 999_999_999 }).map(String);
const looks = Object.keys(tools.find(({ name }) => name === 'update_invoice_settings')?.inputSchema.shape ?? {});

/** What tools hold, but list as plain text or numbers, so that their lists stay short: by tool or argument. */
const held: { readonly [argument: string]: fc.Arbitrary<unknown> } = {
  ...{ 'list_plans.cursor': places, 'list_subscriptions.cursor': places, 'list_subscription_payments.cursor': places },
  'get_purchase_refund_details.cursor': places,
  ...{ 'list_invoices.cursor': places, 'create_invoice.reference': fc.stringMatching(/^[\w.~-]{1,64}$/) },
  ...{ total: sums, subtotal: sums, discount: sums, tax: sums, shipping: sums, minimum_part: sums },
  ...{ 'create_invoice.price': sums, 'update_invoice.price': sums },
  ...{ discount_percent: percentages, tax_percent: percentages, shipping_tax_percent: percentages },
  ...{ quantity: fc.integer({ min: 1, max: 99 }), id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) },
  ...{ font_color: colours, header_color: colours },
  ...{ accepted_url: addresses, rejected_url: addresses, pending_url: addresses },
  currency: currencies,
  'offer_conversion.type': fc.constant('DCC'),
  due_by: days,
  // It stands in a path.
  'create_invoice.reference': fc.stringMatching(/^[\w.~-]{1,64}$/).filter((text) => !/^\.+$/.test(text)),
  language: fc.constantFrom(...settingShapes().deliveryLanguage.options),
  logo: fc.string({ maxLength: 9 }).map((rest) => Buffer.from(`GIF89a${rest}`).toString('base64')),
  key: fc.constantFrom(...labelKeys),
  definition: fc.constantFrom(...definitionNames),
  time_zone: fc.constantFrom(...timeZones),
  'list_plans.filters': fc
    .array(fc.stringMatching(/^(name|code):[A-Za-z0-9]{1,9}$/), { minLength: 1, maxLength: 3 })
    .map((terms) => terms.join(' AND ')),
  'reset[]': fc.constantFrom(...looks.filter((name) => !['labels', 'reset'].includes(name))),
};
/** Lists that are held to name something, and do not say so. */
const neverEmpty = ['lines', 'fields', 'labels', 'reset'];

function fitting(schema: Schema, tool: string, argument = ''): fc.Arbitrary<unknown> {
  const { type, pattern, format, properties, items, required = [], minimum, maximum, minLength, maxLength } = schema;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern === '^[A-Z]{3}$') return currencies;
  if (typeof pattern === 'string') {
    const asked = new RegExp(pattern);
    const withoutLookaheads = new RegExp(pattern.replaceAll(/\(\?=[^)]*\)/g, ''));
    return fc.stringMatching(withoutLookaheads, { maxLength: 60 }).filter((text) => asked.test(text) && visible(text));
  }
  const more = held[`${tool}.${argument}`] ?? held[argument];
  if (more !== undefined) return more;
  if (type === 'string')
    return fc
      .string({ minLength: Number(minLength ?? 0), maxLength: Math.min(Number(maxLength ?? 40), 40), unit: 'grapheme' })
      .filter((text) => visible(text) && text.length <= Number(maxLength ?? 64));
  if (type === 'integer')
    return fc.integer({ min: Number(minimum ?? Number(schema.exclusiveMinimum) + 1), max: Number(maximum) });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array')
    return fc.array(fitting(items as Schema, tool, `${argument}[]`), {
      minLength: Number(schema.minItems ?? (neverEmpty.includes(argument) ? 1 : 0)),
      maxLength: Math.min(Number(schema.maxItems ?? 4), 4),
    });
  if (properties === undefined) throw new Error(`No values for ${tool}.${argument}: ${JSON.stringify(schema)}`);
  const members = Object.entries(properties as Record<string, Schema>).map(
    ([name, child]) => [name, fitting(child, tool, name)] as const,
  );
  return fc.record(Object.fromEntries(members), {
    requiredKeys: [...(required as readonly string[])],
    noNullPrototype: true,
  });
}

const visible = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) && text.length <= 64;

/** The same arguments, but only one of those that exclude each other. */
function oneOf(tool: Tool, given: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const { names = [], exactly = false } = (tool.kind === 'platform' ? tool.input.oneOf : undefined) ?? {};
  return fc
    .tuple(given as fc.Arbitrary<Readonly<Record<string, unknown>>>, fc.nat())
    .map(([args, at]) => [args, names[at % Math.max(1, names.length)] ?? ''] as const)
    .filter(([args, kept]) => !exactly || args[kept] !== undefined)
    .map(([args, kept]) =>
      Object.fromEntries(Object.entries(args).filter(([it]) => it === kept || !names.includes(it))),
    );
}

export const argumentsOf = new Map<string, fc.Arbitrary<object>>(
  tools
    .filter(({ name }) => name !== 'preview_call')
    .map((tool) => [tool.name, oneOf(tool, fitting(z.toJSONSchema(tool.inputSchema, { io: 'input' }), tool.name))]),
);
const previewed = fc
  .constantFrom(...argumentsOf.keys())
  .chain((tool) => (argumentsOf.get(tool) as fc.Arbitrary<object>).map((args) => ({ tool, arguments: args })));
argumentsOf.set('preview_call', previewed);

/** What the engine makes of arguments; those of a call that is previewed are read by that call's own tool. */
export function understood(name: string, args: unknown): unknown {
  const tool = tools.find((it) => it.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const { data, error } = readArguments(tool, args);
  if (data === undefined) throw error;
  return name === 'preview_call' ? { ...data, arguments: understood(String(data.tool), data.arguments) } : data;
}
