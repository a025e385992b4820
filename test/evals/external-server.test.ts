import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { checkServer, loadServerScenarios } from '../../evals/harness/external/check.ts';
import { mutateAnswers } from '../../evals/harness/external/mutants.ts';
import { type Server, wordsOf } from '../../evals/harness/external/server.ts';
import { catalogueOf, type Kept, serverPlace } from '../../evals/harness/external/target.ts';
import { goldenOf } from '../../evals/harness/goldens/golden.ts';
import { checked } from '../../evals/harness/goldens/goldens.ts';
import { grade } from '../../evals/harness/graders/grade.ts';
import type { Result } from '../../evals/harness/replay/evaluate.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import type { Failure } from '../../evals/harness/replay/run.ts';
import { htmlPage } from '../../evals/harness/reports/html/page.ts';
import { otel } from '../../evals/harness/reports/otel.ts';
import type { Catalogue } from '../../evals/harness/scenario/catalogue.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { defineScenario, type ScenarioInput } from '../../evals/harness/scenario/schema.ts';
import { ServerLost, type Tools } from '../../evals/harness/world/mcp.ts';
import { fileWith } from '../faces/cli.ts';
import { programOf } from '../support/bundled.ts';
import type { Line } from '../support/openai-server.ts';
import { liveOf, modelAt, playLive, scripted, shortly } from './live-support.ts';
import { checkScenarios, enrolled, watch } from './support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const started = (file: string): string => `"${process.execPath}" "${file}"`;
const program = await programOf(new URL('../support/counter-server.ts', import.meta.url));
const counter: Server = {
  at: started(program.file),
  environment: { COUNTER_FILE: '{folder}/count' },
  version: '0',
};
const memory: Server = {
  at: started(`${root}node_modules/@modelcontextprotocol/server-memory/dist/index.js`),
  environment: { MEMORY_FILE_PATH: '{folder}/memory.jsonl' },
  version: '0',
};
const files: Server = {
  at: `${started(`${root}node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`)} {folder}`,
  environment: {},
  version: '0',
};
const catalogue: Catalogue = {
  rules: 'declared',
  tools: new Set(['add', 'read', 'tell', 'kept', 'reset', 'process', 'die']),
  faults: new Set(),
};

const counting = (more: Partial<ScenarioInput> = {}) =>
  defineScenario({
    id: 'count-001-goes-up',
    title: 'The counter goes up',
    rules: ['CT-01'],
    declares: { 'CT-01': { says: 'The counter never goes down.', refusal: 'only goes up' } },
    observe: { counter: { call: 'read' } },
    user: { goal: 'Count two more' },
    steps: [
      { user: 'Two more.' },
      { call: 'add', args: { by: 2 }, as: 'added', expect: { error: false, data: { count: 2 } } },
    ],
    expect: { state: { 'counter.count': 2 }, changed: ['counter'] },
    ...more,
  });

/** One process for many scenarios, with its count at nothing before each. */
const emptied = serverPlace(counter, { reset: 'reset' });
afterAll(() => emptied.close());

/** What is wrong with a run of a scenario against the counter. */
const wrong = async (more: Partial<ScenarioInput> = {}, place = emptied): Promise<readonly string[]> => {
  const scenario = counting(more);
  const opened = await place.open(scenario);
  const run = await opened.complete(await replay(scenario, opened.context));
  await opened.close();
  return grade(run).map(({ grader, at, because }) => `${grader} | ${at} | ${because}`);
};

describe('an external server', () => {
  it('is judged by the rules and the state of the scenario file alone', async () => {
    expect(await wrong()).toEqual([]);
  });

  it('has a folder that scenarios call {folder}, in arguments and in answers', async () => {
    const steps = [
      { call: 'tell', args: { name: 'COUNTER_FILE' }, as: 'file', expect: { data: { told: '{folder}/count' } } },
      { call: 'kept', args: { path: '$file.told' }, expect: { data: { path: '{folder}/count', isFile: false } } },
      { call: 'add', args: { by: 1 } },
      { call: 'kept', args: { path: '{folder}/count' }, expect: { data: { path: '{folder}/count', isFile: true } } },
    ];
    expect(await wrong({ steps, expect: {} }, serverPlace(counter))).toEqual([]);
  });

  it('needs no rules, and a file no id: its name is one', async () => {
    const { id: _, rules: __, declares: ___, ...more } = counting();
    const file = fileWith(stringify(more), 'the-counter-goes-up.yaml');
    const [loaded] = await loadServerScenarios([file], catalogue);
    expect(loaded?.scenario).toMatchObject({ id: 'the-counter-goes-up', rules: [] });
  });

  it('starts afresh for each scenario, and leaves nothing behind', async () => {
    const place = serverPlace(counter);
    expect([await wrong({}, place), await wrong({}, place)]).toEqual([[], []]);
  });

  it('is noticed where its state is off by one path', async () => {
    expect(await wrong({ expect: { state: { 'counter.count': 3 } } })).toEqual([
      'state | counter.count | counter.count is 2, and should be 3.',
    ]);
  });

  it('is noticed where it changes what must not change, and where it does not what must', async () => {
    expect(await wrong({ expect: { changed: [] } })).toEqual([
      'state | counter.count | counter.count was 0 and is 2; it must not change.',
    ]);
    expect(
      await wrong({ steps: [{ call: 'read', expect: { error: false } }], expect: { changed: ['counter'] } }),
    ).toEqual(['state | counter | counter should differ, and nothing of it does.']);
  });

  it('refuses by a rule if its error has the words of the rule', async () => {
    const down = (by: number) => ({
      steps: [{ call: 'add', args: { by }, expect: { refused: 'CT-01' } }],
      expect: { changed: [] },
    });
    expect(await wrong(down(-1))).toEqual([]);
    expect(await wrong({ ...down(1), expect: {} })).toEqual([
      'refused | steps[0] add | CT-01 should refuse it; it was answered.',
    ]);
  });

  it('is no refusal where it is called wrongly', async () => {
    const steps = [{ call: 'add', args: { by: 'two' }, expect: { refused: 'CT-01', error: true } }];
    expect(await wrong({ steps, expect: {} })).toEqual([
      expect.stringMatching(/^refused \| steps\[0\] add \| CT-01 should refuse it; it was an error: ".*by:/),
    ]);
  });

  it('is told with the member that is wrong, and with what there is where one is missing', async () => {
    const steps = [{ call: 'add', args: { by: 2 }, expect: { data: { count: 3, counted: 2 } } }];
    expect(await wrong({ steps, expect: { state: { counter: { count: 3 } } } })).toEqual([
      'state | steps[0] add, count | count is 2, and should be 3.',
      'state | steps[0] add, counted | counted is null, and should be 2. The answer has no counted; it has count.',
      'state | counter.count | counter.count is 2, and should be 3.',
    ]);
  });

  it('has no outcome as Purser has: what can be expected instead is told', async () => {
    const steps = [
      { call: 'add', args: { by: -1 }, expect: { outcome: 'refused' as const, code: 'NOT_FOUND' as const } },
    ];
    const told = await wrong({ steps, expect: {} });
    expect(told).toHaveLength(2);
    for (const it of told) expect(it).toMatch(/^calls \| steps\[0\] add \| .*`refused`/);
  });

  it('can be played by a model', async () => {
    const script: Line[] = [{ calls: [{ name: 'add', arguments: { by: 2 } }] }, { text: 'Two more.' }];
    const server = await scripted([
      ...script,
      { calls: [{ name: 'add', arguments: { by: 3 } }] },
      { text: 'Three more.' },
    ]);
    const report = await playLive(undefined as never, [counting()], await modelAt(server), {
      places: [serverPlace(counter)],
      trials: 2,
    });
    expect(shortly(report)).toEqual(['user: Two more.', 'add answered', 'say: Three more.']);
    expect(liveOf(report)).toMatchObject({ counted: 2, passed: 1 });
  });

  it('repeats nothing of its environment in a report, and is not judged by what it repeats', async () => {
    const server = {
      ...counter,
      environment: { ...counter.environment, API_SECRET: 'hush-hush-0001', LEVEL: 'debug' },
    };
    const ask = (name: string) => ({ call: 'tell', args: { name }, expect: { error: false } });
    const script: Line[] = [
      { calls: [{ name: 'tell', arguments: { name: 'API_SECRET' } }] },
      { text: 'hush-hush-0001' },
    ];
    const scenario = counting({ steps: [ask('API_SECRET'), ask('LEVEL')], expect: { changed: [] } });
    const file = fileWith(JSON.stringify(scenario), `${scenario.id}.yaml`);
    const replayed = await checkServer({
      ...{ paths: [file], catalogue, place: serverPlace(server), by: 'purser 0', watch },
    });
    const asked = counting({ expect: { changed: [] } });
    const played = await playLive(undefined as never, [asked], await modelAt(await scripted(script)), {
      places: [serverPlace(server)],
    });
    for (const report of [replayed, played]) {
      expect(report.summary.passed).toBe(1);
      expect([report, htmlPage(report), otel(report)].map((it) => JSON.stringify(it).includes('hush'))).toEqual([
        ...[false, false, false],
      ]);
      expect(JSON.stringify(report)).toContain('[hidden]');
    }
    expect(JSON.stringify(replayed)).toContain('debug');
  });

  it('whose state can not be read says so without its environment', async () => {
    const server = { ...counter, environment: { ...counter.environment, API_SECRET: 'hush-hush-0001' } };
    const scenario = counting({ observe: { counter: { call: 'read' }, mails: { call: 'hush-hush-0001' } } });
    const opened = await serverPlace(server).open(scenario);
    const { failures } = await opened.complete(await replay(scenario, opened.context));
    await opened.close();
    expect(failures).toMatchObject([
      {
        ...{ grader: 'state', at: 'observe.mails' },
        because: expect.stringMatching(/^hush-hush-0001 answers with an error: (?!.*hush).*\[hidden\]/),
      },
    ]);
  });

  it('sets the stage before its state is read, by what happens before anybody speaks', async () => {
    const steps = [
      { meanwhile: 'add', args: { by: 5 } },
      { user: 'Two more.' },
      { call: 'read', expect: { data: { count: 5 } } },
    ];
    expect(await wrong({ steps, expect: { changed: [] } })).toEqual([]);
    expect(await wrong({ steps: steps.slice(0, 1), expect: { changed: [] } })).toEqual([]);
    expect(await wrong({ steps: steps.toReversed(), expect: { changed: ['counter'] } })).toEqual([
      'state | steps[0] read, count | count is 0, and should be 5.',
    ]);
  });

  it('has what happens beside the agent, where it has a tool for that', async () => {
    const steps = [
      { call: 'add', args: { by: 2 }, as: 'added' },
      { meanwhile: 'add', args: { by: '$added.count' } },
      { call: 'read', expect: { data: { count: 4 } } },
    ];
    expect(await wrong({ steps, expect: { calls: ['add', 'read'], state: { 'counter.count': 4 } } })).toEqual([]);
    const failing = await wrong({ steps: [{ meanwhile: 'add', args: { by: -1 } }], expect: { changed: [] } });
    expect(failing).toEqual([expect.stringMatching(/^script \| steps\[0\] \| /)]);
  });

  it('does not offer a model what happens beside the agent', async () => {
    const server = await scripted([{ calls: [{ name: 'reset', arguments: {} }] }, { text: 'Done.' }]);
    const steps = [{ user: 'Two more.' }, { meanwhile: 'reset' }];
    const report = await playLive(undefined as never, [counting({ steps })], await modelAt(server), {
      places: [serverPlace(counter)],
    });
    expect(shortly(report).filter((it) => it.startsWith('reset'))).toEqual([]);
  });

  describe('that is kept', () => {
    /** The counts and the processes that scenarios see one after the other. */
    const seen = async (kept?: Kept) => {
      const place = serverPlace(counter, kept);
      const found: unknown[] = [];
      for (const _ of [1, 2]) {
        const scenario = counting({ steps: [{ call: 'process' }, { call: 'add', args: { by: 1 } }] });
        const opened = await place.open(scenario);
        const run = await opened.complete(await replay(scenario, opened.context));
        await opened.close();
        found.push(...run.entries.flatMap((entry) => (entry.kind === 'call' ? [entry.answer] : [])));
      }
      await place.close();
      const [one, first, other, second] = found;
      return { same: JSON.stringify(one) === JSON.stringify(other), counts: [first, second] };
    };

    it('is one process for all scenarios, each of which begins with what the last one left', async () => {
      expect(await seen({})).toEqual({ same: true, counts: [{ count: 1 }, { count: 2 }] });
      expect(await seen()).toEqual({ same: false, counts: [{ count: 1 }, { count: 1 }] });
    });

    it('begins anew where a tool of it empties its state', async () => {
      expect(await seen({ reset: 'reset' })).toEqual({ same: true, counts: [{ count: 1 }, { count: 1 }] });
      for (const reset of ['die', 'kept']) {
        const place = serverPlace(counter, { reset });
        await expect(place.open(counting())).rejects.toThrow(ServerLost);
        await place.close();
      }
    });
  });

  it('that does not answer is told by name', async () => {
    const nobody: Server = { ...counter, at: `"${process.execPath}" -e 0` };
    await expect(catalogueOf(nobody)).rejects.toThrow(`No MCP server answers at "${process.execPath}" -e 0`);
  });
});

describe('what differs from run to run', () => {
  /** The golden of a run in which every call comes back with this. */
  const goldenWith = async (answer: unknown, expected: object, more: Partial<ScenarioInput> = {}) => {
    const scenario = counting({ observe: undefined, steps: [{ call: 'read', expect: expected }], expect: {}, ...more });
    const tools: Tools = {
      listTools: async () => [],
      callTool: async () => ({ answer, text: JSON.stringify(answer), isError: false }),
      close: async () => undefined,
    };
    const run = await replay(scenario, { tools });
    return { golden: goldenOf(run), failures: grade(run).map(({ because }) => because) };
  };

  it('has a mark in the golden where the scenario says so, and must be there', async () => {
    const answer = {
      key: 'Y~e=[kZ',
      rows: [
        { at: 1, of: 'a' },
        { at: 2, of: 'b' },
      ],
    };
    const varies = ['key', 'rows.*.at'];
    expect(await goldenWith(answer, { varies })).toEqual({
      golden: '1. read: answered\n  answer: key: $varies, rows: [{at: $varies, of: a}, {at: $varies, of: b}]\n',
      failures: [],
    });
    expect((await goldenWith({ rows: [] }, { varies })).failures).toEqual([
      'key should be there. The answer has no key; it has rows.',
    ]);
    expect((await goldenWith('Y~e=[kZ', { varies: [''] })).golden).toBe('1. read: answered\n  answer: $varies\n');
  });

  it('is known as an id or a time by its form, unless the script says it', async () => {
    const times = [
      ...['2026-11-28T12:36:43Z', '2026-11-28 12:36:43', '2026-11-28 12:36:43.5 UTC', 'Sat, 28 Nov 2026 12:36:43 GMT'],
      'Sat Nov 28 2026 12:36:43 GMT+0000 (Coordinated Universal Time)',
    ];
    const { golden } = await goldenWith(
      { times, id: '01M8H317079WGQPY88W0GQSHX1', due: '2026-11-28' },
      { error: false },
    );
    expect(golden).toContain('times: [$time1, $time2, $time3, $time4, $time5], id: $id1, due: "2026-11-28"');
    const said = await goldenWith({ at: times[0] }, { data: { at: times[0] ?? '' } });
    expect(said.golden).toContain('at: "2026-11-28T12:36:43Z"');
  });

  it('is no picture: another one is another line of the golden', async () => {
    const drawn = async (by: number): Promise<string | undefined> => {
      const scenario = counting({ steps: [{ meanwhile: 'add', args: { by } }, { call: 'draw' }] });
      const opened = await serverPlace(counter).open(scenario);
      const golden = goldenOf(await replay(scenario, opened.context));
      await opened.close();
      return /parts: .*/.exec(golden)?.[0];
    };
    const [one, same, other] = [await drawn(1), await drawn(1), await drawn(2)];
    expect([one === same, one === other, one]).toEqual([true, false, expect.stringContaining('mimeType: image/png')]);
  });

  it('is found by a name that has dots itself, as files have', async () => {
    const answer = { 'a.txt': { size: 1 }, a: { b: 2 }, 'c.d.e': 3 };
    const data = { 'a.txt.size': 1, 'a.b': 2, 'c.d.e': 3, 'a.txt.none': null };
    expect((await goldenWith(answer, { data })).failures).toEqual([]);
    expect((await goldenWith(answer, { data: { 'a.txt.size': 2 } })).failures).toHaveLength(1);
  });

  it('may vary in the state, too', async () => {
    const scenario = counting({ observe: { counter: { call: 'process', varies: ['pid'] } } });
    const opened = await serverPlace(counter).open(scenario);
    const { observed } = await opened.complete(await replay(scenario, opened.context));
    await opened.close();
    expect(observed).toEqual({ before: { counter: { pid: '$varies' } }, after: { counter: { pid: '$varies' } } });
  });
});

describe('a scenario of another server', () => {
  const check = (more: Partial<ScenarioInput>) => () => checkScenarios([counting(more)], catalogue);

  it.each([
    ['rules[0]: there is no rule CT-02', { rules: ['CT-02'] }],
    ['there is no tool subtract', { steps: [{ call: 'subtract', expect: { error: false } }] }],
    ['observe.counter.call: there is no tool look', { observe: { counter: { call: 'look' } } }],
    ['world: ', { world: { fixture: 'merchant' } }],
    ['steps[0]: ', { steps: [{ advance: 'PT1H' }] }],
    ['steps[0].meanwhile: there is no tool', { steps: [{ meanwhile: 'wait' }] }],
    ['expect.state: state needs', { observe: undefined }],
    ['name the scenario that is served', { steps: [{ call: 'add', expect: { refused: 'CT-01' } }] }],
  ] as const)('is refused: %s', (because, more) => {
    expect(check(more as Partial<ScenarioInput>)).toThrow(because);
  });

  it('is no scenario of Purser, which has rules and a state', () => {
    const declares = { 'CT-01': { says: 'It goes up.' } };
    expect(() => checkScenarios([enrolled({ declares })], purserCatalogue)).toThrow('declares: ');
    const steps = [{ meanwhile: 'enroll_card', args: { card: 'card_ada' } }];
    expect(() => checkScenarios([enrolled({ steps })], purserCatalogue)).toThrow('steps[0]: ');
    const varying = [{ call: 'enroll_card', args: { card: 'card_ada' }, expect: { varies: ['data'] } }];
    expect(() => checkScenarios([enrolled({ steps: varying })], purserCatalogue)).toThrow('steps[0].expect.varies: ');
  });
});

it('has the moment at which it was played in its report, so that traces are of their day', async () => {
  const file = fileWith(JSON.stringify(counting()), 'count-001-goes-up.json');
  const timed = { now: () => 500, timeOrigin: Date.UTC(2026, 2, 3) };
  const place = serverPlace(counter);
  const report = await checkServer({ ...{ paths: [file], catalogue, place, by: 'purser 0' }, watch: timed });
  expect(report.began).toBe('2026-03-03T00:00:00.500Z');
  expect(otel(report)).toContain(`"startTimeUnixNano":"${Date.UTC(2026, 2, 3) + 500}000000"`);
});

it('splits a command line as people quote it, and no shell reads it', () => {
  expect(wordsOf(`node "a file.js" --name='b c' $HOME;ls ""`)).toEqual([
    'node',
    'a file.js',
    '--name=b c',
    '$HOME;ls',
    '',
  ]);
});

it('lets bad agents play without a server of their own, and notices them', async () => {
  const told = counting({ steps: [{ call: 'add', args: { by: 2 } }, { say: 'It is 2 now, for 4.50 GBP.' }] });
  const place = serverPlace(counter);
  const badAgents = { seed: 1 };
  const checkOf = async (more: Partial<ScenarioInput>) => {
    const file = fileWith(JSON.stringify({ ...told, ...more }), `${told.id}.json`);
    return checkServer({ paths: [file], catalogue, place, by: 'purser 0', watch, badAgents });
  };
  const fooled = await checkOf({});
  expect(fooled.badAgents?.agents).toContainEqual({ agent: 'wrong-figure', played: 1, passed: [told.id] });
  expect(fooled.badAgents?.agents.filter(({ passed }) => passed.length === 0)).toHaveLength(5);
  expect(fooled.gates).toMatchObject([
    { name: 'do-nothing', met: true },
    { name: 'bad agents', met: false },
  ]);
  const wary = await checkOf({ expect: { ...told.expect, tells: ['4.50 GBP'] } });
  expect(wary.gates).toMatchObject([{ met: true }, { met: true }]);
  const idle = await checkOf({ steps: [{ call: 'read', args: {} }], expect: { never: ['die'] } });
  expect(idle.gates).toMatchObject([{ name: 'do-nothing', met: false }, { met: true }]);
});

describe('changed answers', () => {
  /** Who notices each change of the answers of a scenario, where its golden notices everything, or nothing. */
  const fates = async (more: Partial<ScenarioInput>, isRecorded = false) => {
    const scenario = counting({ observe: undefined, expect: {}, ...more });
    const opened = await emptied.open(scenario);
    const run = await opened.complete(await replay(scenario, opened.context));
    await opened.close();
    const file = 'count-001-goes-up.yaml';
    const result: Result = { id: scenario.id, file, verdict: 'pass', failures: [], run, began: 0, milliseconds: 0 };
    const differs: Failure = { grader: 'golden', at: 'answer', because: 'it differs.' };
    const all = mutateAnswers([{ scenario, file }], [result], () => (isRecorded ? [differs] : []));
    return all.map(({ at, how, noticedBy }) => `${at}: ${how}: ${noticedBy}`);
  };
  const added = (expect?: object) => [{ call: 'add', args: { by: 2 }, ...(expect && { expect }) }];

  it('are noticed by what is expected, by the golden, or by nothing', async () => {
    expect(await fates({ steps: added({ error: false }) })).toEqual([
      '1. add: an answer becomes an error: expectation',
      '1. add: count: missing: undefined',
      '1. add: count: one more: undefined',
    ]);
    expect(await fates({ steps: added({ data: { count: 2 } }) }, true)).toEqual([
      '1. add: an answer becomes an error: golden',
      '1. add: count: missing: expectation',
      '1. add: count: one more: expectation',
    ]);
  });

  it('are none where an answer varies, but for one that is missing', async () => {
    expect(await fates({ steps: added({ error: false, varies: ['count'] }) })).toEqual([
      '1. add: an answer becomes an error: expectation',
      '1. add: count: missing: expectation',
    ]);
  });

  it('are also those of the state, and an error that is none', async () => {
    const observe = { counter: { call: 'read' } };
    const expected = { observe, expect: { state: { 'counter.count': 2 } } };
    expect(await fates({ steps: added(), ...expected })).toEqual([
      ...['1. add: an answer becomes an error', '1. add: count: missing', '1. add: count: one more'].map(
        (it) => `${it}: undefined`,
      ),
      'state counter.count: missing: expectation',
      'state counter.count: one more: expectation',
    ]);
    const refused = [{ call: 'add', args: { by: -1 }, expect: { refused: 'CT-01', includes: ['only goes up'] } }];
    expect(await fates({ steps: refused, observe, expect: { changed: [] } })).toEqual(
      expect.arrayContaining(['1. add: an error becomes an answer: expectation', '1. add: lost: expectation']),
    );
  });
});

describe.each([
  {
    folder: 'memory-server',
    server: memory,
    rule: 'KG-01',
    allowed: 'graph-001-a-customer-is-remembered',
    refused: 'graph-002-nothing-is-said-of-a-stranger',
  },
  {
    folder: 'filesystem-server',
    server: files,
    rule: 'FS-01',
    allowed: 'files-001-a-note-is-written',
    refused: 'files-002-outside-the-folder',
  },
])('the suite of the $folder', ({ folder, server, rule, allowed, refused }) => {
  const paths = [`${root}evals/examples/${folder}`];

  it('passes, each scenario from nothing', async () => {
    const known = await catalogueOf(server);
    const place = serverPlace(server);
    const report = await checkServer({ paths, catalogue: known, place, by: 'purser 0', watch, goldens: checked });
    expect(report.scenarios.map(({ id, verdict, failures }) => ({ id, verdict, failures }))).toEqual(
      (await loadServerScenarios(paths, known)).map(({ scenario: { id } }) => ({ id, verdict: 'pass', failures: [] })),
    );
    expect(report.coverage?.rules[rule]).toEqual({ allowed: [allowed], refused: [refused], refuses: true });
  });
});
