import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { noting } from '../../evals/harness/mutation/deep/baseline.ts';
import { buildOf } from '../../evals/harness/mutation/deep/bundle.ts';
import { mutateDeep } from '../../evals/harness/mutation/deep/deep.ts';
import { absentFrom, equivalentsSchema, isListed } from '../../evals/harness/mutation/deep/equivalents.ts';
import { played } from '../../evals/harness/mutation/deep/lanes.ts';
import { differing, type OwnBug, sitesOfBugs, UnplantableBug } from '../../evals/harness/mutation/deep/own-bugs.ts';
import type { DeepResult } from '../../evals/harness/mutation/deep/result.ts';
import { sampleOf } from '../../evals/harness/mutation/deep/sample.ts';
import { isNoticed, scoresBy, unnoticed } from '../../evals/harness/mutation/deep/score.ts';
import { domainOf, layerOf, modulesIn, planted, sitesOf } from '../../evals/harness/mutation/deep/sites.ts';
import { once } from '../../src/core/once.ts';

/** The build without a bug: made once, since nobody here changes the source. */
const whole = once(() => buildOf(build));

/** A build with one module, and its sites. */
function sitesIn(source: string, file = 'tools/billing/plan.ts') {
  const text = `var before = 1;\n// ${file}\n${source}\n`;
  const sites = modulesIn(text).flatMap((module) => sitesOf(module, text, parseSync));
  return { text, sites };
}

/** The module as each bug of a kind leaves it. */
function bugs(operator: string, source: string, file?: string): readonly string[] {
  const { text, sites } = sitesIn(source, file);
  return sites
    .filter((site) => site.operator === operator)
    .map((site) => planted(text, site).split('\n').slice(2).join('\n').trim());
}

/** A template in the source under test. */
const template = (before: string, name: string, after: string): string => `\`${before}\${${name}}${after}\``;

describe('a bug of each kind', () => {
  it.each([
    ['comparison turned', 'f(a < b);', ['f(a >= b);']],
    ['bound by one', 'f(a < b);', ['f(a <= b);']],
    ['condition negated', 'if (a) b();', ['if (!(a)) b();']],
    ['and for or', 'f(a && b);', ['f(((a) || (b)));']],
    ['term lost', 'f(a && b);', ['f((a));', 'f((b));']],
    ['early end lost', 'function f() { if (a) return; b(); }', ['function f() { ; b(); }']],
    ['default lost', 'f(a ?? b);', ['f((a));', 'f((b));']],
    ['flag turned', 'f(true);', ['f(false);']],
    ['member lost', 'f({ a, b });', ['f({ b });', 'f({ a });']],
    ['rest lost', 'f({ ...a });', ['f({ ...{} });']],
    ['value of a neighbour', 'f({ a: x, b: y });', ['f({ a: y, b: x });']],
    ['argument of a neighbour', 'f(args.a, args.b);', ['f(args.b, args.b);', 'f(args.a, args.a);']],
    ['first values swapped', 'f(a, b);', ['f(b, a);']],
    ['another unit', 'f("month");', ['f("year");']],
    ['sum halved', 'f({ amount: a });', ['f({ amount: globalThis.purserHalf(a) });']],
    ['rounding turned', 'Math.floor(a);', ['Math.ceil(a);']],
    ['arithmetic turned', 'f(a + b);', ['f(a - b);']],
    ['figure in a text', 'f("Up to 10 letters.");', ['f("Up to 11 letters.");']],
    ['value in a text', `f(${template('Up to ', 'a', '.')});`, [`f(${template('Up to ', '""', '.')});`]],
    ['call lost', 'async function f() { await a.release(b); }', ['async function f() { ; }']],
    ['step of a value lost', 'f(a.filter(b));', ['f(a);']],
    ['another method', 'f(a.some(b));', ['f(a.every(b));']],
    ['another operation called', 'client.refundCapture(a);', ['client.getRefund(a);']],
    ['first for last', 'f(a.at(-1));', ['f(a.at(0));']],
  ])('%s', (operator, source, expected) => {
    expect(bugs(operator, source)).toEqual(expected);
  });

  it('leaves a guard out, for all operations or for one', () => {
    const source = "var guards = [guard('A', { on: ['x', 'y'] }), guard('B', { on: ['x'] })];";
    expect(bugs('guard lost', source, 'src/domains/billing/guards.ts')).toHaveLength(2);
    expect(bugs('operation of a guard lost', source, 'src/domains/billing/guards.ts')).toEqual([
      "var guards = [guard('A', { on: ['y'] }), guard('B', { on: ['x'] })];",
      "var guards = [guard('A', { on: ['x'] }), guard('B', { on: ['x'] })];",
      "var guards = [guard('A', { on: ['x', 'y'] }), guard('B', { on: [] })];",
    ]);
  });

  it('changes the columns of a table, row by row', () => {
    const rows = "var m = { rows: [['A', 'go', 'it rains', 'B', ''], ['B', 'go', '', 'C', '']] };";
    const first = (operator: string) => bugs(operator, rows)[0]?.match(/\[\['\w', 'go', .*?\]/)?.[0];
    expect(first('target of a row')).toBe(`[['A', 'go', 'it rains', "C", '']`);
    expect(bugs('condition of a row', rows)).toHaveLength(1);
    expect(bugs('row of a table lost', rows)).toHaveLength(2);
  });

  it('swaps and loses the lines of an approval', () => {
    const policy = 'var policy = { approval: { text: (facts) => [a(facts), b(facts)] } };';
    expect(bugs('approval line swapped', policy)).toEqual([
      'var policy = { approval: { text: (facts) => [b(facts), a(facts)] } };',
    ]);
    expect(bugs('approval line lost', policy)).toHaveLength(2);
  });

  it('adds a member to an answer, and none to anything else', () => {
    const source = 'var toOutput = () => ({ state: a }); var other = () => ({ state: a });';
    expect(bugs('member of an answer added', source)).toEqual([
      'var toOutput = () => ({ ownerId: "shopper_bo",  state: a }); var other = () => ({ state: a });',
    ]);
    const declared = 'var starting = () => ({ present: { messages, toOutput: () => ({ state: a }) } });';
    expect(bugs('member of an answer added', declared)).toEqual([
      'var starting = () => ({ present: { messages, toOutput: () => ({ ownerId: "shopper_bo",  state: a }) } });',
    ]);
  });

  it('swaps no elements of a list that is only asked what it has', () => {
    expect(bugs('element swapped', 'f([a, b].includes(c));')).toEqual([]);
    expect(bugs('element swapped', 'f([a, b].join(c));')).toHaveLength(1);
  });

  it('halves no answer to a question', () => {
    expect(bugs('sum halved', 'f({ refunded: !isZero(a), captured: b });')).toHaveLength(1);
  });

  it('is in no SQL', () => {
    expect(
      sitesIn(`const found = prepare("SELECT 1 FROM rows WHERE name = 'stand'");`).sites.map(
        ({ operator }) => operator,
      ),
    ).not.toContain('figure in a text');
  });

  it('is in no word for developers', () => {
    expect(sitesIn(`throw new RangeError(${template('Up to ', 'a', ' of 10.')});`).sites).toEqual([]);
  });
});

describe('the modules on trial', () => {
  it('are those that scenarios can come to, by layer and domain', () => {
    const files = [
      'tools/billing/plan.ts',
      'src/domains/billing/sandbox/mail.ts',
      'src/engine/call.ts',
      'src/cli/main.ts',
      'src/core/page-style.ts',
      'src/ledger/reseal.ts',
      'src/ledger/postgres-driver.ts',
      'src/mcp/lazy-stdio.ts',
    ];
    expect(files.slice(0, 3).map(layerOf)).toEqual(['tools', 'sandbox', 'engine']);
    expect(files.slice(3).map(layerOf)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(files.slice(0, 4).map(domainOf)).toEqual(['billing', 'billing', 'all', 'all']);
  });

  it('do not include packages or the harness, which judges', () => {
    const text = '// src/core/money.ts\na;\n// node_modules/x/index.js\nb;\n// evals/harness/check.ts\nc;\n';
    expect(modulesIn(text).map(({ file, start, end }) => [file, text.slice(start, end)])).toEqual([
      ['src/core/money.ts', '// src/core/money.ts\na;\n'],
    ]);
  });
});

describe('a sample', () => {
  const { sites } = sitesIn("f(a < b, c < d, e && g, true, false, 'Up to 10 letters');");
  const draw = (seed: number) => sampleOf(sites, 5, seed, () => true);

  it('is the same for a seed, and another for another', () => {
    expect(draw(1)).toEqual(draw(1));
    expect([2, 3, 4].map(draw)).not.toEqual([1, 1, 1].map(draw));
  });

  it('has each kind in its turn, and nothing twice', () => {
    const kinds = new Set(sites.map(({ operator }) => operator)).size;
    const drawn = sampleOf(sites, kinds, 1, () => true);
    expect(new Set(drawn.map(({ operator }) => operator)).size).toBe(kinds);
    expect(new Set(sampleOf(sites, 999, 1, () => true)).size).toBe(sites.length);
  });
});

it('notes what is reached without changing what a build does', () => {
  const { text, sites } = sitesIn('var f = (a, b) => a < b && { c: a ?? b };\nglobalThis.purserTold = f(1, 2);');
  const reached = new Set<number>();
  const run = new Function('globalThis', 'purserReached', noting(text, sites).replace('new Set()', 'purserReached'));
  const told: { purserTold?: unknown } = {};
  run(told, reached);
  expect(told.purserTold).toEqual({ c: 1 });
  expect(reached.size).toBeGreaterThan(0);
});

const result = (of: Partial<DeepResult>): DeepResult => ({
  ...{ file: 'src/core/money.ts', line: 1, layer: 'core', domain: 'all', operator: 'bound by one' },
  ...{ was: '  a < b', is: '  a <= b', fate: 'noticed', runs: 1 },
  ...of,
});

it('scores what was noticed, of what scenarios reach and of all; what does not load or changes nothing is no bug', () => {
  const fates = ['noticed', 'noticed', 'tabled', 'survived', 'unreached', 'broken', 'equivalent'] as const;
  const results = fates.map((fate) => result({ fate }));
  expect(scoresBy(results, 'layer')).toEqual([
    {
      ...{ name: 'core', planted: 5, noticed: 3, tabled: 1, survived: 1, unreached: 1 },
      ...{ ofReached: 75, ofReachedUntabled: 50, ofAll: 60 },
    },
  ]);
  expect(unnoticed(results).map(({ fate }) => fate)).toEqual(['tabled', 'survived', 'unreached']);
});

it('meets a gate only where something was reached, in every layer', () => {
  const [noticed, unreached] = [result({}), result({ layer: 'ledger', fate: 'unreached' })];
  expect(scoresBy([unreached], 'layer')).toMatchObject([{ name: 'ledger', ofReached: undefined, ofAll: 0 }]);
  expect(isNoticed([noticed], 95)).toBe(true);
  expect(isNoticed([noticed, unreached], 95)).toBe(false);
  expect(isNoticed([result({ fate: 'equivalent' })], 95)).toBe(false);
  expect(isNoticed([noticed, unreached], 0)).toBe(true);
});

it('knows an equivalent by its lines, whatever stands around them', () => {
  const listed = { file: 'src/core/money.ts', operator: 'bound by one', was: 'a < b', because: 'b is never a' };
  expect(isListed(listed, result({}))).toBe(true);
  expect(isListed(listed, result({ was: 'a < c' }))).toBe(false);
  expect(isListed(listed, result({ file: 'src/core/limits.ts' }))).toBe(false);
  expect(isListed({ ...listed, was: '({ a }) => a' }, result({ was: '({ a: a2 }) => a2' }))).toBe(true);
});

it('each change that nobody sees stands in the build', { timeout: 60_000 }, async () => {
  const listed = equivalentsSchema.parse(parse(readFileSync('evals/equivalents.yaml', 'utf8')));
  const { text } = await whole();
  expect(absentFrom(text, listed)).toEqual([]);
  const other = {
    file: 'src/core/money.ts',
    operator: 'bound by one',
    was: 'no such line',
    because: 'it is not there',
  };
  expect(absentFrom(text, [...listed, other])).toEqual([other]);
});

describe('bugs that somebody wrote', () => {
  const bug: OwnBug = {
    ...{ title: 'a setup fee may have any number of decimals', kind: 'money', file: 'src/core/money.ts' },
    ...{ find: 'return decimals > allowed ?', replace: 'return decimals < allowed ?' },
  };

  async function sitesOfBug(changed: Partial<OwnBug>) {
    const { text } = await whole();
    return {
      text,
      sites: await sitesOfBugs([{ ...bug, ...changed }], modulesIn(text), text, { build, parse: parseSync }),
    };
  }

  it('are changes of the build, with what runs beside them', { timeout: 60_000 }, async () => {
    const { text, sites } = await sitesOfBug({});
    expect(sites).toMatchObject([{ operator: 'money', title: bug.title, layer: 'core', text: '<' }]);
    const { start, end, reach } = sites[0] ?? {};
    expect(text.slice(start, end)).toBe('>');
    expect(text.slice(reach?.start, reach?.end)).toMatch(/^decimals\d* > allowed\d*$/);
  });

  it.each<[string, Partial<OwnBug>]>([
    ['it does not stand there', { find: 'no such text' }],
    ['it stands there twice', { find: 'decimals' }],
    ['no scenario can come to the file', { file: 'src/cli/table.ts' }],
    ['the build does not differ', { replace: 'return decimals > allowed ? ' }],
  ])('are refused where %s', { timeout: 60_000 }, async (_, changed) => {
    await expect(sitesOfBug(changed)).rejects.toThrow(UnplantableBug);
  });

  it.each([
    ['abcd', 'abXd', { start: 2, end: 3, text: 'X' }],
    ['aa', 'aaa', { start: 2, end: 2, text: 'a' }],
    ['aaa', 'aa', { start: 2, end: 3, text: '' }],
    ['same', 'same', undefined],
  ])('%s and %s differ in one place', (one, other, place) => {
    expect(differing(one, other)).toEqual(place);
  });
});

describe('bugs that are planted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-deep-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['everything is played', "say('loaded'); say('finished');", { kind: 'ended' }],
    ['nothing that it waits for can happen', "say('loaded');", { kind: 'hung' }],
    ['it fails', "say('loaded'); throw new Error('no such plan');", { kind: 'crashed', because: 'no such plan' }],
    ['it does not load', "throw new Error('no such module');", { kind: 'broken', because: 'no such module' }],
    ['it says nothing', '', { kind: 'broken', because: 'it ends at once' }],
  ])('end a thread in which %s', async (title, does, ending) => {
    const build = `import { parentPort } from 'node:worker_threads';
      const say = (kind) => parentPort.postMessage({ kind });
      ${does}`;
    const file = join(folder, `${title.replaceAll(' ', '-')}.mjs`);
    const task = { scenarios: [], fixtures: {}, records: [], untilFailure: true };
    const wait = () => Promise.withResolvers<void>().promise;
    expect(await played({ build, file, task, wait }, () => undefined)).toEqual(ending);
  });

  it('are noticed where a scenario comes by, and not where none does', { timeout: 300_000 }, async () => {
    const results = await mutateDeep(
      {
        paths: ['evals/scenarios/billing/billing-301-a-code-of-ten-characters.yaml'],
        ...{ fixtures: 'evals/fixtures', sample: 5, seed: 1, lanes: 2, most: 60, folder, equivalents: [] },
        // The scenario comes by the one. What the sandbox does with amendments it doesn't ask for.
        only: ['tools/billing/create-plan.ts', 'src/domains/billing/sandbox/amendments.ts'],
        onBaseline: ({ failed }) => expect(failed).toEqual([]),
      },
      { build, parse: parseSync, wait: () => Promise.withResolvers<void>().promise },
    );
    expect(results).toHaveLength(5);
    expect(results.filter(({ fate }) => fate === 'noticed').length).toBeGreaterThan(0);
    expect(results.filter(({ fate }) => fate === 'unreached').length).toBeGreaterThan(0);
    // A schema is made when it is first asked for, and the tables ask for all.
    expect(results.some(({ fate }) => fate === 'tabled')).toBe(true);
    for (const { file, line, was, is } of results) {
      expect(file).toMatch(/\/billing\//);
      expect(line).toBeGreaterThan(0);
      expect(was).not.toBe(is);
    }
  });
});
