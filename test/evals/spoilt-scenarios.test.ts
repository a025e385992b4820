import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { checkServer, mutateServer } from '../../evals/harness/external/check.ts';
import { catalogueOf, serverPlace } from '../../evals/harness/external/target.ts';
import { checked } from '../../evals/harness/goldens/goldens.ts';
import { grade } from '../../evals/harness/graders/grade.ts';
import { type Catalogue, purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { BadScenario } from '../../evals/harness/scenario/faults.ts';
import { loadScenarios } from '../../evals/harness/scenario/load.ts';
import { folder } from '../faces/cli.ts';
import { serverAt } from '../support/plain-server.ts';
import { playOn, root, stageOfFile, watch } from './support.ts';

// Whatever somebody writes into a scenario file, it is played, or it is refused with the line and a sentence.

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const purserFiles = [
  'billing/billing-340-a-price-above-the-limit.yaml',
  'billing/billing-353-a-dear-plan-behind-a-cheap-one.yaml',
  'billing/billing-322-closed-though-the-answer-was-lost.yaml',
  'conversion/conversion-534-chosen-on-the-customers-page.yaml',
  'purchase/purchase-110-exactly-the-limit.yaml',
].map((name) => `${root}evals/scenarios/${name}`);
const otherFiles = [
  'graph-001-a-customer-is-remembered',
  'graph-002-nothing-is-said-of-a-stranger',
  'graph-004-who-is-forgotten-leaves-no-relation',
].map((name) => `${root}evals/examples/memory-server/${name}.yaml`);

const isSome = (value: Json): value is readonly Json[] | { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null;

/** The paths to every part of a value. */
const pathsIn = (value: Json, before: readonly string[] = []): readonly (readonly string[])[] => [
  before,
  ...(isSome(value) ? Object.entries(value).flatMap(([name, it]) => pathsIn(it, [...before, name])) : []),
];

/** What takes the place of a part. Undefined takes it away. */
const others: readonly (Json | undefined)[] = [
  ...[undefined, undefined, undefined, null, true, 5, -1, 0.5, '', 'x', '$it.data', '$asked', '$', '$.x', 'P1D'],
  ...[
    [],
    {},
    [null],
    ['x', 'x'],
    { x: 1 },
    { constructor: 'x' },
    { call: 'x', say: 'x' },
    [[[['x']]]],
    'x'.repeat(3000),
  ],
];

function replaced(
  value: Json,
  [name, ...rest]: readonly string[],
  by: Json | undefined,
  as?: string,
): Json | undefined {
  if (name === undefined) return by;
  if (!isSome(value)) return value;
  const entries = Object.entries(value).flatMap(([own, it]): [string, Json][] => {
    if (own !== name) return [[own, it]];
    if (as !== undefined && rest.length === 0) return [[as, it]];
    const inside = replaced(it, rest, by, as);
    return inside === undefined ? [] : [[own, inside]];
  });
  return Array.isArray(value) ? entries.map(([, it]) => it) : Object.fromEntries(entries);
}

const spoilt = (file: string): fc.Arbitrary<Json> => {
  const given = parse(readFileSync(file, 'utf8')) as Json;
  const change = fc.record({
    at: fc.nat(),
    by: fc.constantFrom(...others),
    as: fc.option(fc.constantFrom('exepct', 'constructor', '__proto__', 'x', '5'), { nil: undefined, freq: 5 }),
  });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<Json>((value, { at, by, as }) => {
      const paths = pathsIn(value);
      return replaced(value, paths[at % paths.length] ?? [], by, as) ?? null;
    }, given),
  );
};

/** What only a program's own mistake says. */
const raw =
  /TypeError|RangeError|ReferenceError|Cannot (?:read|convert)|is not (?:a function|iterable)|\n\s+at |\[object|\bundefined\b/;

/** Loads a file with this content; what is wrong with it must be said with its line, in sentences. */
async function loaded(file: string, content: Json, catalogue: Catalogue): Promise<string | undefined> {
  const at = join(folder(), basename(file));
  writeFileSync(at, stringify(content));
  try {
    await loadScenarios([at], catalogue);
    return at;
  } catch (error) {
    if (!(error instanceof BadScenario)) throw error;
    expect(error.message).not.toMatch(raw);
    for (const { place, because } of error.faults) {
      expect(place?.line, error.message).toBeGreaterThan(0);
      expect(because, error.message).toMatch(/^\S.+[.?]$/s);
    }
    return undefined;
  }
}

const runs = { seed: 11, numRuns: process.env.SOAK === '1' ? 5_000 : 40 };

const stage = stageOfFile();

it.each(purserFiles)('%s, spoilt, is played or refused', async (file) => {
  await fc.assert(
    fc.asyncProperty(spoilt(file), async (content) => {
      const at = await loaded(file, content, purserCatalogue);
      if (at === undefined) return;
      const [one] = await loadScenarios([at], purserCatalogue);
      if (one === undefined) return;
      const run = await playOn(stage(), one.scenario);
      for (const { because } of grade(run)) expect(because).not.toMatch(raw);
    }),
    runs,
  );
});

const names = ['create_entities', 'create_relations', 'add_observations', 'delete_entities', 'delete_observations'];

it.each(otherFiles)('%s, spoilt, is played against another server or refused', async (file) => {
  const server = await serverAt({ tools: [...names, 'open_nodes', 'read_graph'] });
  const catalogue: Catalogue = await catalogueOf(server);
  await fc.assert(
    fc.asyncProperty(spoilt(file), async (content) => {
      const at = await loaded(file, content, catalogue);
      if (at === undefined) return;
      const options = { paths: [at], catalogue, place: serverPlace(server), by: 'purser 0', watch };
      const report = await checkServer({ ...options, badAgents: { seed: 1 }, minRules: 100, goldens: checked });
      for (const { failures } of report.scenarios) for (const { because } of failures) expect(because).not.toMatch(raw);
      await mutateServer({ ...options, goldens: checked });
    }),
    runs,
  );
});
