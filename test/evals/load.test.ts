import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { filled, filledPath } from '../../evals/harness/scenario/captures.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { BadScenario } from '../../evals/harness/scenario/faults.ts';
import { loadFixture, loadScenarios } from '../../evals/harness/scenario/load.ts';
import { scenarioJsonSchema } from '../../evals/harness/scenario/schema.ts';
import { checkScenarios, enrolled, everyScenario, fixtureFolder, root } from './support.ts';

const plain = enrolled();

/** A folder with these files in it. */
function folderOf(files: Readonly<Record<string, string | object>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-eval-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : stringify(content));
  return folder;
}

async function refusal(content: string | object, name = `${plain.id}.yaml`): Promise<string> {
  const folder = folderOf({ [name]: content });
  try {
    await loadScenarios([folder], purserCatalogue);
    return 'taken';
  } catch (error) {
    if (!(error instanceof BadScenario)) throw error;
    // Where in the file each fault is, is a matter of its own.
    return error.message.replaceAll(`${folder}/`, '').replace(/(\.(?:yaml|json)):\d+:\d+:/g, '$1:');
  }
}

const file = `${plain.id}.yaml`;

describe('a file', () => {
  it('that is right is taken', async () => {
    expect(await refusal(plain)).toBe('taken');
  });

  it('of JSON is taken, and refused with its place', async () => {
    expect(await refusal(JSON.stringify(plain), `${plain.id}.json`)).toBe('taken');
    expect(await refusal(JSON.stringify({ ...plain, rules: ['AP-99'] }), `${plain.id}.json`)).toBe(
      `${plain.id}.json: rules[0]: there is no rule AP-99 (did you mean AP-09?).`,
    );
    expect(await refusal('{"id": 1, "id": 2}', `${plain.id}.json`)).toContain(
      `${plain.id}.json: Map keys must be unique`,
    );
    expect(await refusal('{}', 'package.json')).toContain('package.json: title: ');
  });

  // biome-ignore format: a table
  it.each<[string, string | object, string]>([
    ['an unknown key', { ...plain, rule: 'AP-04' }, `${file}: rule: unknown key (did you mean rules?).`],
    ['an unknown key deep inside', { ...plain, steps: [{ call: 'enroll_card', arg: {} }] },
      `${file}: steps[0].arg: unknown key (did you mean args?).`],
    ['a step of no kind', { ...plain, steps: [{ wait: 'PT1H' }] }, `${file}: steps[0]`],
    ['a rule that is none', { ...plain, rules: ['AP-99'] }, `${file}: rules[0]: there is no rule AP-99 (did you mean AP-09?).`],
    ['a refusal by no rule', { ...plain, steps: [{ call: 'enroll_card', expect: { refused: 'ZZ-01' } }] },
      `${file}: steps[0].expect.refused: there is no rule ZZ-01.`],
    ['another reading of a rule that has one',
      { ...plain, world: { fixture: 'plain', rules: { 'AP-04': 'published' } } },
      `${file}: world.rules: only PL-05 and SB-09 are published otherwise`],
    ['a share of trials that no trial passes', { ...plain, user: { goal: 'Buy', threshold: 0 } },
      `${file}: user.threshold`],
    ['a level of no rule', { ...plain, world: { fixture: 'plain', rules: { 'ZZ-01': 'off' } } },
      `${file}: world.rules.ZZ-01: there is no rule ZZ-01.`],
    ['a tool that is none', { ...plain, steps: [{ call: 'enrol_card' }] },
      `${file}: steps[0].call: there is no tool enrol_card (did you mean enroll_card?).`],
    ['a tool that is none, never to be called', { ...plain, expect: { never: ['pay'] } },
      `${file}: expect.never[0]: there is no tool pay.`],
    ['a fault that is none', { ...plain, steps: [{ fault: { on: '*', kind: 'rain' } }] },
      `${file}: steps[0].fault.kind: there is no fault rain.`],
    ['a refusal without its twin', { ...plain, steps: [{ call: 'enroll_card', expect: { refused: 'AP-03' } }] },
      `${file}: twin: it is refused by AP-03: name the scenario that is served.`],
    ['a twin that is not there', { ...plain, twin: 'test-009-nothing' },
      `${file}: twin: there is no scenario test-009-nothing`],
    ['itself as its twin', { ...plain, twin: plain.id }, `${file}: twin: there is no scenario ${plain.id}`],
    ['nothing that is expected', { ...plain, expect: {} },
      `${file}: expect: nothing is expected, so nothing could fail.`],
    ['a rubric alone', { ...plain, expect: { rubric: 'PASS if it is polite.' } },
      `${file}: expect: nothing is expected, so nothing could fail.`],
    ['a capture that nobody made', { ...plain, steps: [{ call: 'enroll_card', args: { card: '$asked.card' } }] },
      `${file}: steps[0].args: nothing was captured as asked before.`],
    ['a capture that is made later',
      { ...plain, steps: [{ call: 'enroll_card', args: { card: '$own.card' }, as: 'own' }] },
      `${file}: steps[0].args: nothing was captured as own before.`],
    ['a capture in a path', { ...plain, expect: { state: { 'cards.$it.card.status': 'ACTIVE' } } },
      `${file}: expect.state: nothing was captured as it before.`],
    ['a key that stands twice', 'id: a\nid: b\n', `${file}: Map keys must be unique`],
    ['no YAML', '{', `${file}: Flow map`],
    ['a duration in words', { ...plain, steps: [{ advance: 'two hours' }] },
      `${file}: steps[0].advance: must be an ISO 8601 duration such as PT2H`],
    ['an alias', 'id: &it test\ntitle: *it\n', `${file}: an alias (*it) is not allowed`],
    ...(
      [
        ['a call', { steps: [{ call: 'enroll_card', expect: { leads: [] } }] }, 'steps[0].expect.leads'],
        ['data', { steps: [{ call: 'enroll_card', expect: { data: {} } }] }, 'steps[0].expect.data'],
        ['texts', { steps: [{ call: 'enroll_card', expect: { omits: [] } }] }, 'steps[0].expect.omits'],
        ['tools', { expect: { never: [] } }, 'expect.never'],
        ['an order', { expect: { order: [] } }, 'expect.order'],
        ['a state', { expect: { state: {} } }, 'expect.state'],
        ['a reply of no fact', { expect: { tells: [] } }, 'expect.tells'],
        ['a customer without a trait', { user: {} }, 'user'],
        ['a budget', { expect: { changed: [], budget: {} } }, 'expect.budget'],
      ] as const
    ).map(([what, more, path]): [string, object, string] => [
      `${what} of which nothing is expected`,
      { ...plain, ...more },
      `${file}: ${path}: must expect something`,
    ]),
    ['a change of what does not exist', { ...plain, expect: { changed: ['cards', 'emials'] } },
      `${file}: expect.changed[1]: emials is not watched: say cards, instructions,`],
    ['a change of what nobody watches', { ...plain, expect: { changed: ['approvals'] } },
      `${file}: expect.changed[0]: approvals is not watched`],
    ['a state of what does not exist, also where nothing is expected there',
      { ...plain, expect: { state: { 'instrctions.x.status': null } } },
      `${file}: expect.state.instrctions.x.status: the state has only cards, instructions,`],
    ['an id that is not the name of the file', { ...plain, id: 'test' },
      `${file}: id: the file must be named after it: test.yaml.`],
    ['an id that is no name', { ...plain, id: 'A test' }, `${file}: id: must be words of small letters and digits`],
    ['no rule', { ...plain, rules: [] }, `${file}: rules: name the rules that it is about.`],
  ])('is refused with file and path: %s', async (_, content, because) => {
    expect(await refusal(content)).toContain(because.replace(': : ', ': '));
  });

  it.each([
    [
      'that throws a fault of its scenario',
      "export const none = [];\nthrow new Error('no file of mine');",
      'no file of mine',
    ],
    ['that is no module', 'export const it = {;', ''],
    [
      'that makes a scenario which is none',
      `import { defineScenario } from '${root}evals/harness/scenario/schema.ts';
export default defineScenario({ id: 'test', title: 'None', rules: ['AP-04'], steps: [{ say: 'Hello' }] });`,
      'id: must be <domain>-<nnn>-<behaviour>, in small letters',
    ],
  ])('of code is refused by its name: %s', async (_, content, because) => {
    expect(await refusal(content, 'mine.ts')).toContain(`mine.ts: ${because}`);
  });

  it.each([
    ['server.mjs', "globalThis.hasBegun = true; throw new Error('a server');"],
    ['server.js', 'globalThis.hasBegun = true; process.stdin.resume();'],
    ['server.ts', 'globalThis.hasBegun = true; await new Promise(() => undefined);'],
  ])('beside it that exports nothing is passed by, and never run: %s', async (name, text) => {
    const folder = folderOf({ [file]: plain, [name]: text });
    const loaded = await loadScenarios([folder], purserCatalogue);
    expect(loaded.map(({ scenario }) => scenario.id)).toEqual([plain.id]);
    expect('hasBegun' in globalThis).toBe(false);
    await expect(loadScenarios([folderOf({ [name]: text })], purserCatalogue)).rejects.toThrow('there is no scenario');
  });

  it('that is named by another ending says which ones hold data', async () => {
    const named = join(folderOf({ 'users.txt': 'root:x:0:0' }), 'users.txt');
    await expect(loadScenarios([named], purserCatalogue)).rejects.toThrow('.yaml, .yml or .json');
  });

  it('of code that is named and exports no scenario is told', async () => {
    const named = join(folderOf({ 'mine.mjs': 'const one = 1;' }), 'mine.mjs');
    await expect(loadScenarios([named], purserCatalogue)).rejects.toThrow('mine.mjs: it exports no scenario.');
    expect(await refusal('export const none = [];', 'mine.mjs')).toContain('mine.mjs: it exports no scenario.');
  });

  it('is named after its scenario', async () => {
    expect(await refusal(plain, 'other.yaml')).toBe(`other.yaml: id: the file must be named after it: ${file}.`);
  });
});

describe('the faults of files', () => {
  const faultsOf = async (files: Readonly<Record<string, string | object>>, catalogue = purserCatalogue) => {
    const folder = folderOf(files);
    const error = await loadScenarios([folder], catalogue).catch((it: unknown) => it);
    if (!(error instanceof BadScenario)) throw error;
    return error.faults.map(({ file: name, path, place }) => `${basename(name)}:${place?.line} ${path.join('.')}`);
  };
  const bad = `titel: It
rules: [AP-08]
steps:
  - call: enroll_card
    arg: { card: card_ada }
    expect: { eror: false, includes: [] }
  - cal: enroll_card
  - say: 5
  - actor: approver
    approve: $a.b
`;

  it('are all told, in the order of their lines', async () => {
    expect(await faultsOf({ [file]: bad })).toEqual([
      ...[`${file}:1 title`, `${file}:1 titel`, `${file}:5 steps.0.arg`, `${file}:6 steps.0.expect.eror`],
      ...[`${file}:6 steps.0.expect.includes`, `${file}:7 steps.1`, `${file}:8 steps.2.say`],
      ...[`${file}:9 steps.3.approves`, `${file}:10 steps.3.approve`],
    ]);
  });

  it('are those of every file, and names are judged where the shape is right', async () => {
    const named = { ...plain, id: 'test-002-named', rules: ['AP-98', 'AP-99'], steps: [{ call: 'enrol_card' }] };
    expect(await faultsOf({ 'a.yaml': 'title: [\n', 'b.yaml': bad, 'test-002-named.yaml': named })).toEqual([
      'a.yaml:2 ',
      ...Array.from({ length: 9 }, () => expect.stringMatching(/^b\.yaml:\d+ /)),
      'test-002-named.yaml:4 rules.0',
      'test-002-named.yaml:5 rules.1',
      expect.stringMatching(/^test-002-named\.yaml:\d+ steps\.0\.call$/),
    ]);
  });

  it('name what is close: a key, a kind of step, an actor, a tool, a rule', async () => {
    const said = await refusal(bad.replace('titel', 'title').replace('approver', 'aprover'));
    for (const name of ['args', 'error', 'call', 'approver']) expect(said).toContain(`(did you mean ${name}?)`);
    expect(await refusal({ ...plain, steps: [{ call: 'enrol_card' }] })).toContain('(did you mean enroll_card?)');
  });

  it('are listed up to a bound', async () => {
    const steps = Array.from({ length: 40 }, () => ({ say: 5, sya: 6 }));
    const told = await refusal({ ...plain, steps });
    expect(told.split('\n').length).toBeLessThan(45);
    expect(told).toContain('and 40 more');
  });

  it('are of a file without anything in it, too', async () => {
    for (const text of ['', '# nothing yet\n', '[]', '5', 'null', '{}'])
      expect(await refusal(text)).toContain(`${file}: `);
  });
});

describe('several files', () => {
  const other = enrolled({ id: 'test-002-other' });

  it('may not hold one id twice', () => {
    expect(() => checkScenarios([plain, plain], purserCatalogue)).toThrow(`${plain.id} is also in code.`);
  });

  it('may not be twins about different rules, or refused by the same', () => {
    const steps = [{ call: 'enroll_card', args: { card: 'card_bo' }, expect: { refused: 'AP-03' } }];
    const refused = enrolled({ steps, twin: other.id });
    expect(() => checkScenarios([refused, other], purserCatalogue)).not.toThrow();
    expect(() => checkScenarios([refused, enrolled({ id: other.id, rules: ['EN-01'] })], purserCatalogue)).toThrow(
      'about none of its rules',
    );
    expect(() => checkScenarios([refused, enrolled({ id: other.id, steps, twin: plain.id })], purserCatalogue)).toThrow(
      'is refused by AP-03, too',
    );
  });

  it('find a twin that was not asked to run in their folder', async () => {
    const folder = folderOf({ [file]: { ...plain, twin: other.id }, [`${other.id}.yaml`]: other });
    const [only, ...rest] = await loadScenarios([join(folder, file)], purserCatalogue);
    expect([only?.scenario.id, rest]).toEqual([plain.id, []]);
  });

  it('that are not there are told', async () => {
    await expect(loadScenarios(['nowhere'], purserCatalogue)).rejects.toThrow(
      'nowhere: there is no such file or folder.',
    );
    await expect(loadScenarios([folderOf({})], purserCatalogue)).rejects.toThrow('there is no scenario here.');
    expect(() => loadFixture(fixtureFolder, 'nothing')).toThrow('there is no such fixture.');
  });

  it('of ours are all taken', async () => {
    expect((await everyScenario()).length).toBeGreaterThanOrEqual(40);
  });
});

describe('a reference', () => {
  const captures = new Map<string, unknown>([
    ['it', { operation: 'op_a', data: { card: 'card_ada', sums: { of: 12 } } }],
  ]);

  it('is what it names, of whatever type, and only where it is the whole text', () => {
    expect(filled({ card: '$it.card', sums: ['$it.sums'], words: 'It costs $it.card' }, captures)).toEqual({
      card: 'card_ada',
      sums: [{ of: 12 }],
      words: 'It costs $it.card',
    });
  });

  it('in a path ends where its value is a text, and finds members beside the data, too', () => {
    expect(filledPath('cards.$it.card.status', captures)).toBe('cards.card_ada.status');
    expect(filledPath('operations.$it.operation.state', captures)).toBe('operations.op_a.state');
  });

  it('that names nothing throws', () => {
    expect(() => filled('$it.nothing', captures)).toThrow('names nothing');
    expect(() => filledPath('cards.$other.card', captures)).toThrow('names nothing');
  });
});

describe('the JSON Schema', () => {
  it('is one that editors read', () => {
    expect(scenarioJsonSchema()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['title', 'steps'],
    });
  });
});
