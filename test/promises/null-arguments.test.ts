import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/engine/answer.ts';
import { listedInput } from '../../src/engine/schema.ts';
import { tools } from '../../tools/index.ts';
import { type World, world } from '../engine/support.ts';
import { type Call, faces } from '../faces/adapters.ts';
import { argumentsOf } from '../faces/fitting.ts';
import { strictly } from '../faces/strictly.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

// Models write null for an argument that they leave out. It means the same through every face, for every tool and at any depth.

interface Schema {
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly required?: readonly string[];
}

/** The paths of the arguments that may be left out: `lines[].tax`. */
const optionalIn = ({ properties = {}, items, required = [] }: Schema, path = ''): readonly string[] => [
  ...(items === undefined ? [] : optionalIn(items, `${path}[]`)),
  ...Object.entries(properties).flatMap(([name, child]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [...(required.includes(name) ? [] : [at]), ...optionalIn(child, at)];
  }),
];

/** The paths at which arguments hold null. */
function nullsIn(given: unknown, path = ''): readonly string[] {
  if (given === null) return [path];
  if (Array.isArray(given)) return given.flatMap((item) => nullsIn(item, `${path}[]`));
  if (typeof given !== 'object') return [];
  return Object.entries(given).flatMap(([name, value]) => nullsIn(value, path === '' ? name : `${path}.${name}`));
}

const seed = 13;
/** Enough for every optional argument of every tool to be null in one of them. */
const samples = 100;
const isPreview = (name: string): boolean => name === 'preview_call';

/** Valid calls of a tool, where every argument that is left out is null: as many as it takes for each to be null once. */
function withNulls(name: string): readonly object[] {
  const valid = argumentsOf.get(name);
  if (valid === undefined) throw new Error(`There are no arguments for ${name}.`);
  const seen = new Set<string>();
  return fc.sample(valid, { seed, numRuns: samples }).flatMap((args) => {
    const written = strictly(name, args) as { readonly arguments?: unknown };
    const nulls = nullsIn(written).filter((path) => !seen.has(path));
    for (const path of nulls) seen.add(path);
    if (nulls.length === 0 && !isPreview(name)) return [];
    return isPreview(name) ? { ...written, arguments: JSON.parse(String(written.arguments)) } : written;
  });
}

const ofEvery = tools.map(({ name, inputSchema }) => ({
  name,
  schema: listedInput(inputSchema) as Schema,
  calls: withNulls(name),
}));

it.each(ofEvery)('the calls of $name hold null for each of its optional arguments', ({ schema, calls }) => {
  const nulls = new Set(calls.flatMap((args) => nullsIn(args)));
  expect(optionalIn(schema).filter((path) => !nulls.has(path))).toEqual([]);
});

/** Whether an answer finds fault with the form of an argument that is null; a rule may want it given all the same. */
const isFault = ({ error }: Partial<Answer>, args: unknown): boolean =>
  error?.code === 'INVALID_ARGUMENT' && nullsIn(args).includes(String(error?.field).replace(/\[\d+\]/g, '[]'));

describe.each(faces)('through $name', ({ name: face, open }) => {
  const opened = async (): Promise<{ readonly it: World; readonly call: Call }> => {
    const it = await world();
    return { it, call: await open(it.running.engine) };
  };

  it('null for any optional argument of any tool is no fault', async () => {
    const { call } = await opened();
    const faults = [];
    for (const { name, calls } of ofEvery)
      for (const args of calls) {
        const answer = await call(name, args);
        const verdict = (answer.data?.verdict ?? {}) as Partial<Answer>;
        const inner = (args as { readonly arguments?: unknown }).arguments;
        if (isFault(answer, args) || isFault(verdict, inner)) faults.push([name, args, answer]);
      }
    expect(faults).toEqual([]);
  });

  it('null for a required argument is refused by its name, and nothing is sent', async () => {
    const { it, call } = await opened();
    for (const { name, schema } of ofEvery)
      for (const path of schema.required ?? []) {
        if (isPreview(name) && path === 'arguments' && face.includes('strict')) continue; // its JSON text is never null
        const [args] = fc.sample(argumentsOf.get(name) ?? fc.constant({}), { seed, numRuns: 1 });
        const answer = await call(name, { ...args, [path]: null });
        expect([name, answer.outcome, answer.error?.code, answer.error?.field]).toEqual([
          ...[name, 'refused', 'INVALID_ARGUMENT', path],
        ]);
      }
    expect(await it.effects()).toEqual([]);
  });
});
