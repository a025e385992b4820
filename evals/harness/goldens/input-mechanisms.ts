import { z } from 'zod';
import { limits } from '../../../src/core/limits.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import { argumentFault, toldFor } from '../../../src/engine/argument-faults.ts';
import { readArguments } from '../../../src/engine/arguments.ts';
import { progressText } from '../../../src/engine/in-progress.ts';
import { screenInput } from '../../../src/engine/input-screening.ts';
import { withoutSecretArguments } from '../../../src/engine/secret-arguments.ts';
import { checkSize } from '../../../src/engine/size-limits.ts';
import type { Tool } from '../../../src/engine/tool.ts';
import { createMessageScanner } from '../../../src/mcp/message-scanner.ts';
import { everyTool, tools } from '../../../tools/index.ts';
import type { Mechanisms } from './lines.ts';
import { valueFor } from './schema-values.ts';

// What comes in before anything is known of it: how large it may be, and what is read of a message that is not parsed.

const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) });
const listOf = (members: number): readonly number[] => Array.from({ length: members }, () => 0);

const sizes: readonly (readonly [what: string, given: unknown])[] = [
  ['nothing', {}],
  ['as many levels as there may be', nested(limits.argumentLevels)],
  ['one level more', nested(limits.argumentLevels + 1)],
  ['as many properties as there may be', listOf(limits.argumentElements)],
  ['one property more', listOf(limits.argumentElements + 1)],
  ['one property more, over two levels', { a: listOf(limits.argumentElements) }],
  ['as many characters as there may be', { a: 'x'.repeat(limits.argumentCharacters) }],
  ['one character more', { a: 'x'.repeat(limits.argumentCharacters + 1) }],
  ['one character more, over two levels', { a: 'x', b: { c: 'x'.repeat(limits.argumentCharacters) } }],
  ['nothing within something', { a: null, b: [null] }],
];

/** Messages of JSON-RPC, with what a careless or hostile host may send in them. */
const messages: readonly (readonly [what: string, text: string])[] = [
  ['an id that is a number', '{"jsonrpc":"2.0","id":7,"method":"ping"}'],
  ['an id that comes last', '{"method":"ping","id":12}'],
  ['an id below zero', '{"id":-3}'],
  ['an id of fifteen digits', `{"id":${'9'.repeat(15)}}`],
  ['an id of sixteen digits', `{"id":${'9'.repeat(16)}}`],
  ['an id with decimals', '{"id":1.5}'],
  ['an id that is a text', '{"id":"a1"}'],
  ['an id with blanks around it', '{ "id" : 7 , "method" : "ping" }'],
  ['an id of 128 letters', `{"id":"${'a'.repeat(128)}"}`],
  ['an id of 129 letters', `{"id":"${'a'.repeat(129)}"}`],
  ['an id with an escaped quote', '{"id":"a\\"b"}'],
  ['an id that ends with a backslash', '{"id":"a\\\\","method":"ping"}'],
  ['an id that is no ASCII', '{"id":"é"}'],
  ['an id that is badly escaped', '{"id":"a\\qb"}'],
  ['an id of nothing', '{"id":null}'],
  ['an id that is an object', '{"id":{"id":8}}'],
  ['an id within parameters', '{"params":{"id":9},"method":"ping"}'],
  ['an id within a batch', '[{"id":9}]'],
  ['two ids', '{"id":1,"id":2}'],
  ['a text that says id', '{"method":"id","params":{}}'],
  ['a text with brackets', '{"method":"{[{[","id":3}'],
  ['three levels', '{"params":{"arguments":[]}}'],
  ['three levels, twice', '{"a":{"b":{}},"c":{"d":{}}}'],
  ['a text alone', '"id"'],
  ['nothing', ''],
  ['half a message', '{"id":4,"par'],
  ['half a text', '{"id":"4'],
];

/** What is read of a message that comes in chunks of so many bytes. */
function readOf(text: string, chunk: number): string {
  const scanner = createMessageScanner();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) scanner.read(bytes.subarray(at, at + chunk));
  const { id, levels } = scanner.scanned();
  return `${id === undefined ? 'no id' : `${typeof id} ${String(id).slice(0, 20)}`}, levels: ${levels}`;
}

/** What is parsed of a text, or what is said where it can't be. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // The words of a syntax error are those of the runtime.
    return error instanceof SyntaxError ? error.name : String(error);
  }
}

const toolOf = (name: string): Tool => {
  const tool = tools.find((it) => it.name === name);
  if (tool === undefined) throw new Error('There is no such tool.');
  return tool;
};

/** Arguments of a charge with one wrong name, and what is said of it. */
const misspelt: Mechanisms[string] = () => {
  const tool = toolOf('charge_device');
  const sum = { amount: '17.00', currency: 'GBP' };
  return [
    { device: 'x', reference: 'y', summ: sum },
    { device: 'x', reference: 'y', sum: { ...sum, amont: '17.00' } },
    { device: 'x', reference: 'y', sum: { ...sum, zzz: 1 } },
    { device: 'x', reference: 'y', sum: 7 },
    { devise: 'x', refrence: 'y', sum: { amount: '17', currncy: 'GBP' } },
    { device: 7, sum: { amount: '1234567890123', currency: 'gbp' } },
  ].map((given) => {
    const { error } = tool.inputSchema.safeParse(given);
    return [JSON.stringify(given), error === undefined ? 'taken' : argumentFault(error, tool, given)] as const;
  });
};

/** The arguments that are left to be screened, of tools that take a secret. */
const screened: Mechanisms[string] = () =>
  everyTool.flatMap((tool) => {
    const names = Object.keys(tool.kind === 'platform' ? tool.input.args : {});
    const given = Object.fromEntries(names.map((name) => [name, 'x']));
    const kept = Object.keys(withoutSecretArguments(tool, given) as object); // as it is given
    if (kept.length === names.length) return [];
    const others = [undefined, null, 'x', 7, ['x']].map((it) => withoutSecretArguments(tool, it) ?? `${it}`);
    return [[tool.name, kept] as const, [`${tool.name}, where nothing is named`, others] as const];
  });

/** Times as somebody writes them, and as a request has them. */
const batchTimes: Mechanisms[string] = () => {
  const tool = toolOf('get_payment_batch_summaries');
  const [fill] = tool.kind === 'platform' ? (tool.input.args.from?.fills ?? []) : [];
  return [
    ...['2026-01-15T09:00Z', '2026-01-15T09:00:01Z', '2026-01-15T09:00:01.5Z', '2026-01-15T09:00:01.123456Z'],
    ...['2026-01-15T09:00+01:00', '2026-01-15T09:00:01.25-05:30'],
  ].map((time) => [time, fill?.value(time) ?? 'nothing'] as const);
};

/** What is read of arguments in which something is null, or not of its kind. */
const nulls: Mechanisms[string] = () => {
  const price = z.strictObject({ amount: z.string().optional(), currency: z.string().nullable() });
  const inputSchema = z.strictObject({
    name: z.string().optional(),
    count: z.int().default(3),
    kept: z.string().nullable().optional(),
    needed: z.string(),
    price: price.optional(),
    lines: z.array(price).optional(),
  });
  const given: readonly unknown[] = [
    ...[undefined, null, 'x', 7, [], {}, [{ needed: 'x' }]],
    ...[{ needed: null }, { needed: 'x' }, { needed: 'x', name: null, count: null, kept: null, other: null }],
    { needed: 'x', name: null, count: null, kept: null, price: null, lines: null },
    ...[null, 'x', [], [null], { amount: null, currency: null }, { amount: null, other: null }].flatMap((it) => [
      { needed: 'x', price: it },
      { needed: 'x', lines: it },
      { needed: 'x', lines: [it] },
    ]),
    {
      needed: 'x',
      lines: [
        { amount: null, currency: 'GBP' },
        { amount: '1', currency: null },
      ],
    },
  ];
  return given.map((raw) => {
    const read = readArguments({ inputSchema }, raw);
    return [
      JSON.stringify(raw) ?? 'nothing',
      read.success ? read.data : read.error.issues.map(({ code, path }) => `${code} at ${path.join('.') || 'the top'}`),
    ] as const;
  });
};

/** The lengths that lists among the arguments may have. */
const lengths: Mechanisms[string] = () =>
  everyTool.flatMap((tool) =>
    Object.entries(tool.inputSchema.shape).flatMap(([name, schema]) => {
      const list = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
      if (!(list instanceof z.ZodArray)) return [];
      const element = valueFor(list.element as z.ZodType, 'all', name);
      const isTaken = (length: number): boolean => list.safeParse(Array.from({ length }, () => element)).success;
      const shortest = [0, 1, 2].find(isTaken);
      if (shortest === undefined) return [[`${tool.name}, ${name}`, 'no two alike']];
      let [longest, tooLong] = [shortest, longestTried];
      while (tooLong - longest > 1) {
        const between = Math.floor((longest + tooLong) / 2);
        if (isTaken(between)) longest = between;
        else tooLong = between;
      }
      return [[`${tool.name}, ${name}`, `${shortest} to ${longest}`]];
    }),
  );
const longestTried = 1_200;

export const inputMechanisms: Mechanisms = {
  'what is read of arguments that say null': nulls,
  'how long a list among the arguments may be': lengths,
  'whether arguments are too large': () =>
    sizes.map(([what, given]) => {
      const refused = checkSize(given);
      return [what, refused ?? 'taken'];
    }),
  'texts that are too long to be screened': () =>
    [-1, 0, 1].map((more) => [
      `${more} more than are screened`,
      screenInput({ note: 'x'.repeat(limits.blobCharacters + more) }) ?? 'taken',
    ]),
  'a wrong name among arguments': misspelt,
  'a field that is named before the arguments are read': () => {
    const tool = toolOf('create_invoice');
    return [undefined, '', 'total', 'totl', 'lines', 'lines.0', 'lines.0.name', 'lines.0.nme', 'arguments'].map(
      (field) => [
        `${field}`,
        toldFor(
          {
            code: 'INVALID_ARGUMENT',
            rule: 'EN-01',
            because: 'It is wrong.',
            instead: [],
            ...(field === undefined ? {} : { field }),
          },
          tool,
        ).field ?? 'none',
      ],
    );
  },
  'arguments that are screened beside a secret': screened,
  'times of batches': batchTimes,
  'what is told of progress': () =>
    [undefined, 0, 0.005, 0.333, 0.5, 0.999, 1].map((fraction) => [
      `${fraction}`,
      ['WAITING_FOR_CARD', 'waiting', 'X'].map((step) => progressText({ step, fraction })),
    ]),
  'what is read of a message': () =>
    messages.map(([what, text]) => {
      const whole = readOf(text, Number.MAX_SAFE_INTEGER);
      const inBytes = readOf(text, 1);
      return [what, whole === inBytes ? whole : `${whole}; byte by byte: ${inBytes}`];
    }),
  'half a character': () =>
    ['"\\ud83d"', '"\\ud83d\\ude00"', '{"\\ud83d":["x\\udc00y"]}', '[1]', '{'].map((it) => [it, parsed(it)] as const),
};
