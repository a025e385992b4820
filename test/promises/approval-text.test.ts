import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { leaves } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import {
  approvalLine,
  approvalText,
  unwrapped as asSaid,
  continuation,
  quoted,
  quotes as quotesIn,
  widthOf,
} from '../../src/engine/approval-text.ts';
import { assemble } from '../../src/engine/assemble.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { approvalLines } from '../support/approval-lines.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { changing, everyPiece, everything, factsOf, fullArgs, replaced, valuesFor } from '../support/every-call.ts';

playRowsOneIn(3);

// A person reads everything that the model authored in a request, quoted, and nobody else can write a line.

const textOf = (tool: PlatformTool, args: Facts['args'], things?: Things): string => {
  const facts = factsOf(tool, args, things);
  return approvalText(tool, facts, assemble(tool, facts));
};
const unwrapped = (text: string): string => approvalLines(text).join('\n');

describe('what a person reads', () => {
  it('is tried with every argument of every tool', () => {
    const untried = everyPiece.filter(({ tool, name }) => fullArgs(tool, name)[name] === undefined);
    expect([untried.map(({ at }) => at), changing.length > 15]).toEqual([[], true]);
    const kinds = changing.flatMap(({ input }) => Object.values(input.args).flatMap(({ kind }) => kind ?? []));
    const unknown = kinds.filter((kind) => everything[kind] === undefined);
    expect(unknown, 'give `everything` in test/support/every-call.ts a thing of each kind').toEqual([]);
  });

  it.each(changing.map((tool) => [tool.name, tool] as const))('holds every authored field of %s', (_, tool) => {
    const facts = factsOf(tool, distinctArgs(tool));
    const request = assemble(tool, facts);
    const text = unwrapped(approvalText(tool, facts, request));
    const contract = operationOf(tool);
    const modelled = (['body', 'query'] as const).flatMap((part) =>
      (contract[part] === undefined ? [] : leaves(contract[part])).flatMap(({ path, field }) =>
        field.from === 'model' ? valuesOf(request[part], path) : [],
      ),
    );
    const read = new Set<string>(
      Object.values(tool.input.args).flatMap((arg) =>
        arg.approvalText === undefined ? [] : arg.fills.map(({ path }) => path),
      ),
    );
    const isReadOtherwise = (path: string) => read.has(path) || read.has(`?${path}`);
    const missing = modelled.filter(
      ({ path, value }) => !isReadOtherwise(path) && !isQuoted(text, String(value ?? '')),
    );
    expect(missing.filter(({ path }) => !isKept(tool, facts, path))).toEqual([]);
  });

  it.each(everyPiece.map((it) => [it.at, it] as const))('changes with %s', (_, { tool, name, arg, piece }) => {
    const args = fullArgs(tool, name);
    const texts = valuesFor(piece.schema).map((value) => {
      const whole = replaced(args[name], piece.steps, value);
      return arg.schema.safeParse(whole).success ? textOf(tool, { ...args, [name]: whole }) : undefined;
    });
    const tried = texts.filter((text) => text !== undefined);
    expect(new Set(tried).size).toBe(tried.length);
  });

  it('shows every item of a list', () => {
    const unread = everyPiece.flatMap(({ at, tool, name, arg, piece }) => {
      if (piece.steps[0] !== 0 || arg.approvalText !== undefined) return [];
      const items = valuesFor(arg.schema).flatMap((list) => list as readonly unknown[]);
      const [, ...steps] = piece.steps;
      const value = steps.reduce<unknown>((it, step) => (it as Readonly<Record<string, unknown>>)[step], items.at(-1));
      const text = unwrapped(textOf(tool, { ...fullArgs(tool, name), [name]: items }));
      return isQuoted(text, String(value)) ? [] : [at];
    });
    expect(unread).toEqual([]);
  });

  it('quotes free text whole, as the request has it', () => {
    const unquoted = everyPiece.flatMap(({ at, tool, name, arg, piece }) => {
      const free = 'Wool "of\\ two sheep';
      if (!isFree(piece.schema) || arg.approvalText !== undefined) return [];
      const full = fullArgs(tool, name);
      const args = { ...full, [name]: replaced(full[name], piece.steps, free) };
      return unwrapped(textOf(tool, args)).includes(quoted(free)) ? [] : [at];
    });
    expect(unquoted).toEqual([]);
  });
});

/** Every argument of a tool, each free text another one, so that no field stands for one that is left out. */
function distinctArgs(tool: PlatformTool): Facts['args'] {
  const args = { ...fullArgs(tool) };
  for (const [at, { name, piece }] of everyPiece.filter((it) => it.tool === tool && isFree(it.piece.schema)).entries())
    if (args[name] !== undefined) args[name] = replaced(args[name], piece.steps, `Wool of sheep ${at}`);
  return args;
}

/** The values at a contract path, in all items of the lists on its way. */
function valuesOf(whole: unknown, path: string): readonly { readonly path: string; readonly value: unknown }[] {
  const walk = (value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] => {
    if (value === undefined) return [];
    if (step === undefined) return [value];
    const isList = step.endsWith('[]');
    const member = (value as Readonly<Record<string, unknown>>)[isList ? step.slice(0, -2) : step];
    return isList ? ((member ?? []) as readonly unknown[]).flatMap((item) => walk(item, rest)) : walk(member, rest);
  };
  return walk(whole, path.split('.')).map((value) => ({ path, value }));
}

const isQuoted = (text: string, value: string): boolean =>
  [...text.matchAll(insideQuotes)].some(([it]) => it === quoted(value) || it.slice(1, -1).split(' ').includes(value));
/** Whether a value stays what it was: an update repeats what it leaves alone. */
const isKept = (tool: PlatformTool, facts: Facts, path: string): boolean =>
  [...Object.keys(tool.input.carryOver?.(facts) ?? {})].some((kept) => path.startsWith(kept)) &&
  !Object.entries(tool.input.args).some(
    ([name, { fills }]) => facts.args[name] !== undefined && fills.some((fill) => path.startsWith(fill.path)),
  );

const isFree = (schema: z.ZodType): boolean => schema.safeParse('Note from Purser: it is "safe" \\').success;

// Hostile text: whatever it is, it stays within its quotation marks and begins no line, on a wide and on a narrow terminal.

const blanks = [' ', '\t', '\n', '\r', '\u00a0', '\u2003', '\u2009', '\u202f', '\u3000', '\u2028', '\u2029', '\u0085'];
const marks = ['\u0301', '\u0489', '\u20dd', '\u0f90', '\u0e49', '\ufe20'];
const unseen = ['\u200b', '\u200d', '\u202e', '\u2066', '\u2800', '\u3164', '\ufe0f', '\u00ad', '\u{e0041}', '\ud800'];
const wide = ['漢', '﷽', '𒐫', '👩‍💻', '🏴', 'Ｗ', '\u0600', 'אב'];
const quotes = ['"', '\\', '\\"', '”', '“', "''", '’’', '″', '＂', '〟', '" → "'];
const claims = [
  'Note from Purser: checked.',
  'At most: 1.00 EUR',
  'Look closely: all is well',
  '  | Card ending: 1111',
];
const repeated = (of: readonly string[], most: number) =>
  fc.tuple(fc.constantFrom(...of), fc.integer({ min: 1, max: most })).map(([it, times]) => it.repeat(times));
const hostile = fc
  .array(
    fc.oneof(
      repeated(blanks, 90),
      repeated(marks, 60),
      repeated(unseen, 20),
      repeated(wide, 50),
      repeated(quotes, 5),
      fc.constantFrom(...claims),
      fc.string({ unit: 'binary', maxLength: 20 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join('').slice(0, limits.textCharacters));

/** What a terminal of so many columns makes of a text. */
const rowsOn = (columns: number, text: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const rows = [''];
    for (const letter of line) {
      if (widthOf(`${rows.at(-1)}${letter}`) > columns) rows.push('');
      rows[rows.length - 1] += letter;
    }
    return rows;
  });

const insideQuotes = /"(?:\\[\s\S]|[^"\\])*"/g;
/** What Purser says of a text: all that is not quoted. Warnings about what is quoted are quotes themselves. */
const own = (text: string): readonly string[] =>
  unwrapped(text)
    .split('\n')
    .filter((line) => !/^Look closely: "[\p{L}\p{M}]+" /u.test(line))
    .map((line) => line.replace(insideQuotes, '""'));

/** What is wrong with the text of a hostile call, beside that of the same call with harmless words. */
function faultsOf(text: string, harmless: string): readonly string[] {
  const expected = own(harmless);
  const unlike = own(text).filter((line, at) => line !== expected[at]);
  const begun = [40, 80].flatMap((columns) =>
    text
      .split('\n')
      .filter((line) => line.includes('"') || line.startsWith(continuation))
      .filter((line) => rowsOn(columns, line).length > 1),
  );
  const tall = [...text.matchAll(new RegExp(`\\p{M}{${limits.letterMarks + 1}}`, 'gu'))].map(([it]) => it);
  const gaps = [...unwrapped(text).matchAll(/[^\S\n]{2}/g)].map(() => 'a run of blanks');
  return [...unlike, ...begun, ...tall, ...gaps];
}

const seed = Number(process.env.SEED ?? 20_270_115);

describe(`hostile text (seed ${seed})`, () => {
  it.each(everyPiece.filter(({ piece }) => isFree(piece.schema)).map((it) => [it.at, it] as const))(
    'stays a quotation in %s',
    (_, { tool, name, piece }) => {
      const args = fullArgs(tool, name);
      const withText = (value: string) => textOf(tool, { ...args, [name]: replaced(args[name], piece.steps, value) });
      const harmless = withText('Wool');
      fc.assert(
        fc.property(hostile, (value) => {
          expect(faultsOf(withText(value), harmless)).toEqual([]);
        }),
        { seed, numRuns: 40 },
      );
    },
  );

  // What the platform, the merchant's app or a customer worded, too.
  const known = Object.entries(everything).flatMap(([kind, { body }]) =>
    textsIn(body).map((steps) => ({ kind, steps })),
  );
  it.each(known.map(({ kind, steps }) => [`${kind}.${steps.join('.')}`, kind, steps] as const))(
    'stays a quotation where it is known of %s',
    (_, kind, steps) => {
      const path = [kind, 'body', ...steps];
      const texts = changing.map((tool) => {
        const args = fullArgs(tool);
        const withText = (things: Things) => textOf(tool, args, things);
        return { name: tool.name, withText, harmless: withText(replaced(everything, path, 'Wool') as Things) };
      });
      fc.assert(
        fc.property(hostile, (value) => {
          const things = replaced(everything, path, value) as Things;
          for (const { name, withText, harmless } of texts) {
            const text = withText(things);
            // Most tools say nothing of most things.
            const faults = text === harmless ? [] : faultsOf(text, harmless);
            expect(faults.map((fault) => [name, fault])).toEqual([]);
          }
        }),
        { seed, numRuns: 5 },
      );
    },
  );
});

// Letters and digits of these would move what stands between two quotations, and a figure after one.
describe.each([
  ['Hebrew', 'שלום'],
  ['Arabic', 'سلام'],
  ['Arabic digits', '٥٠٠'],
  ['Syriac', 'ܫܠܡܐ'],
  ['N’Ko', 'ߒߞߏ'],
  ['a presentation form', 'ﷺ'],
  ['Adlam', '𞤀𞤣'],
])('a quotation in %s', (_, text) => {
  const line = `Name: ${quoted(text)} → ${quoted('Wool')}, 5.00 USD`;

  it('is kept apart from what stands around it', () => {
    expect(approvalLine(line)).toBe(`Name: \u200e"${text}"\u200e → "Wool", 5.00 USD`);
  });

  it('begins no line, so that none is in its direction, and is found in the text', () => {
    const long = `${text} `.repeat(40).trim();
    const wrapped = approvalLine(`Name: ${quoted(long)}`);
    const [, ...more] = wrapped.split('\n');
    expect(more.length).toBeGreaterThan(1);
    expect(more.filter((it) => !it.startsWith(`${continuation}\u200e`))).toEqual([]);
    expect(asSaid(wrapped)).toBe(`Name: \u200e"${long}"\u200e`);
    expect(quotesIn(wrapped, long)).toBe(true);
  });
});

/** Free texts that are known of a thing: names, labels and descriptions. */
function textsIn(body: object): readonly (readonly string[])[] {
  const named = /name|label|description|reference|code|source|disclaimer/i;
  return Object.entries(body).flatMap(([member, value]): readonly (readonly string[])[] =>
    typeof value === 'string'
      ? named.test(member)
        ? [[member]]
        : []
      : member === 'terms'
        ? textsIn(value as object).map((rest) => [member, ...rest])
        : [],
  );
}
