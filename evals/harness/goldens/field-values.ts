import type { z } from 'zod';
import { leaves } from '../../../src/core/fields.ts';
import { once } from '../../../src/core/once.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { contract } from '../../../src/domains/index.ts';
import { sourceOf } from '../../../src/engine/shown.ts';
import { everyTool } from '../../../tools/index.ts';
import { flowing } from './values.ts';

// Which values each field and each argument takes, and what is said of those that it doesn't take. JSON Schema, which the tables and the list
// of tools have, tells neither a date that no calendar has from one that exists, nor what a refusal says.

const long = (length: number): string => 'x'.repeat(length);

/** Values by families. Own choice: at and beyond the bounds of what the documents' fields may hold. */
const families: Readonly<Record<string, readonly unknown[]>> = {
  texts: [
    '',
    ' ',
    'x',
    'Word',
    'Two words',
    ' led',
    'trailed ',
    'a/b',
    'a?b',
    '..',
    '-',
    '_',
    'naïve',
    '😀',
    'zero\u200bwidth',
    'two\nlines',
    '\u0000',
    '<b>',
  ],
  'lengths of': [2, 9, 37, 65, 101, 256, 1001, 2049].map(long),
  digits: [
    '0',
    '1',
    '7',
    '8',
    '12',
    '13',
    '31',
    '32',
    '123',
    '1234',
    '12345',
    '012',
    '411111',
    '41111111',
    '4111111111111111',
    '4111111111111112',
    '١٢',
  ],
  amounts: [
    '0.00',
    '0.01',
    '1.5',
    '1.50',
    '10.005',
    '-1.00',
    '1,50',
    '01.00',
    '1e3',
    '1.',
    '.5',
    '999999999999.99',
    '9999999999999999.99',
  ],
  days: [
    '2026-01-31',
    '2026-02-30',
    '2026-13-01',
    '26-01-31',
    '31-01-2026',
    '30-02-2026',
    '2026-01-31T09:00:00Z',
    '2026-01-31T09:00:00.000Z',
    '2026-01-31T09:00:00+01:00',
    '2026-01-31T09:00:00',
    '2026-01-31T25:00:00Z',
    '2026-01-31Tx',
    '01/2027',
    '13/2027',
    '2027-01',
    '0900',
    '2500',
    '09:00',
    'P1D',
    'PT1H30M',
    'PT2H',
  ],
  codes: [
    'GBP',
    'gbp',
    'JPY',
    'XXX',
    'GB',
    'gb',
    'ZZ',
    'US',
    '840',
    'en',
    'en-GB',
    'MASTERCARD',
    'ACTIVE',
    'DRAFT',
    'D',
    'M',
    'Y',
    'N',
    'true',
    'application/xml',
    'Europe/London',
    'Mars/Base',
    '#a1b2c3',
  ],
  addresses: [
    'ada@example.com',
    'Ada <ada@example.com>',
    'ada@',
    '@example.com',
    'https://a.example',
    'https://a.example/b?c=d',
    'http://a.example',
    'http://127.0.0.1',
    'https://',
    'a.example',
    'javascript:alert(1)',
    '+441234567890',
    '01234 567890',
    '192.0.2.1',
    '2001:db8::1',
  ],
  ids: [
    '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    '6F9619FF-8B86-4D01-B42D-00CF4FC964FF',
    '6f9619ff8b864d01b42d00cf4fc964ff',
    'aGVsbG8=',
    'aGVsbG8',
    'ca_abcdefghijkl',
    'op_0123456789abcdef0123456789abcdef',
  ],
  others: [
    0,
    1,
    2,
    3,
    7,
    8,
    12,
    13,
    31,
    32,
    50,
    51,
    100,
    101,
    366,
    1000,
    1001,
    10_000,
    1e9,
    -1,
    1.5,
    true,
    false,
    null,
    [],
    ['x'],
    {},
  ],
};
const spelled = (value: unknown): string =>
  typeof value === 'string' && /^x{2,}$/.test(value)
    ? String(value.length)
    : typeof value === 'string' && /^[\w.:+@#-]*[A-Za-z0-9][\w.:/+@#=-]*$/.test(value)
      ? value
      : JSON.stringify(value).replace(/[\u200b]/g, '\\u200b');

/** What a schema does with each of the values, on as few lines as there are answers. */
function linesOf(schema: z.ZodType): readonly string[] {
  const ends = Object.entries(families).flatMap(([family, values]) =>
    values.map((value) => ({ family, value: spelled(value), end: endOf(schema, value) })),
  );
  return [...Map.groupBy(ends, ({ end }) => end)].map(([end, its]) => {
    const by = Map.groupBy(its, ({ family }) => family);
    const all = [...by].map(([family, given]) => {
      const [whole = [], values] = [families[family], given.map(({ value }) => value)];
      if (values.length === whole.length) return `all ${family}`;
      const rest = whole.map(spelled).filter((it) => !values.includes(it));
      return rest.length < values.length / 3 ? `${family} but ${rest.join(' ')}` : `${family} ${values.join(' ')}`;
    });
    return `  ${end}: ${all.join('; ')}`;
  });
}

function endOf(schema: z.ZodType, value: unknown): string {
  const { success, error, data } = schema.safeParse(value);
  if (!success) return [...new Set(error.issues.map(saying))].join(', ');
  return JSON.stringify(data) === JSON.stringify(value) ? 'taken' : 'taken as something else';
}

/** What a refusal says; of another type it says which. */
const saying = ({ code, path, message }: z.core.$ZodIssue): string =>
  code === 'invalid_type' ? 'another type' : [...path.map(String), message].join(': ');

/** Who may have written a field of an answer, or which form keeps it from being words. */
function linesOfShown(schema: z.ZodType): string {
  const source = sourceOf(schema);
  if (source === undefined) return '  anything: an agent reads it as text from outside';
  if ('form' in source) return `  of this form, or text from outside: ${source.form.source}`;
  return 'by' in source ? '  written by Purser or its operator' : `  the ${source.of} of another tool`;
}

/** Fields and arguments that take the same, by what they take, and fields of answers by who may have written them. */
export const fieldValuesText: () => string = once(() => {
  const known = new Map<unknown, string>();
  const by = new Map<string, Map<string, Set<string>>>();
  const note = (of: string, name: string, lines: string): void => {
    const its = by.get(lines) ?? new Map<string, Set<string>>();
    by.set(lines, its.set(of, (its.get(of) ?? new Set()).add(name)));
  };
  const taken = (schema: z.ZodType): string => {
    // Fields that are marked differently share what they are made of.
    const lines = known.get(schema.def) ?? linesOf(schema).join('\n');
    known.set(schema.def, lines);
    return lines;
  };
  const operations: readonly (readonly [string, Operation])[] = Object.entries(contract);
  for (const [name, { body, query, output }] of operations)
    for (const schema of [body, query, ...Object.values<z.ZodType>(output)])
      for (const { path, schema: leaf } of schema === undefined ? [] : leaves(schema)) note(name, path, taken(leaf));
  for (const tool of everyTool) {
    for (const { path, schema } of leaves(tool.inputSchema)) note(tool.name, path, taken(schema));
    for (const { path, schema } of leaves(tool.outputSchema)) note(`${tool.name} shows`, path, linesOfShown(schema));
  }
  const parts = [...by].map(([lines, its]) => [
    ...[...its].flatMap(([of, names]) => flowing(`${of}:`, [...names], '')),
    lines,
  ]);
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`;
});
