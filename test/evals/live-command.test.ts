import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { reportSchema } from '../../evals/harness/reports/report.ts';
import { defineScenario } from '../../evals/harness/scenario/schema.ts';
import { fileWith, folder, run } from '../faces/cli.ts';
import { programOf } from '../support/bundled.ts';
import { counterAt, token } from '../support/counter-http.ts';
import type { Line } from '../support/openai-server.ts';
import { key, scripted } from './live-support.ts';
import { enrolled, fixtureFolder, playOn, stageOfFile, wrong } from './support.ts';

// The command as people start it, and a model on loopback.

const stage = stageOfFile();
const root = fileURLToPath(new URL('../..', import.meta.url));
const purser = `"${process.execPath}" "${root}dist/purser.js"`;
const good: readonly Line[] = [
  { calls: [{ name: 'enroll_card', arguments: { card: 'card_ada' } }], usage: { input: 90, output: 9 } },
  { text: 'Done.', usage: { input: 95, output: 2 } },
];

/** A scenario in a file of its name, and the arguments that play it. */
function playing(more: object = {}): readonly string[] {
  const { user, ...scenario } = { ...enrolled(), user: { goal: 'Have my card set up' }, ...more };
  const file = fileWith(stringify({ ...scenario, user }), `${scenario.id}.yaml`);
  return ['eval', file, '--mode', 'live', '--model', 'scripted', '--policy', fileWith('Be good.'), '--out', folder()];
}

describe('purser eval --mode live', () => {
  it.each(['chat', 'responses', 'langchain'])(
    'plays scenarios with a model over %s, and tells what it cost',
    async (api) => {
      const server = await scripted([...good, ...good]);
      const args = [...playing(), '--base-url', server.url, '--api', api, '--trials', '2', '--jobs', '1'];
      const ended = await run(args, { env: { OPENAI_API_KEY: key } });
      expect(ended).toMatchObject({
        code: 0,
        err: expect.stringContaining('2/2  test-001-card-is-enrolled, trial 2: pass'),
        out: expect.stringContaining('2 of 2 trials passed, 34.2 % to 100.0 % at 95 %; 0 did harm.'),
      });
      expect(ended.out).toContain('pass^k: 1 100.0 %, 2 100.0 %.');
      expect(ended.out).toContain('agent: 370 tokens in (0 cached), 22 out.');
      expect(server.asked.every((asked) => asked.key === key)).toBe(true);
      expect(server.asked[0]?.body.stream ?? false).toBe(false);
    },
  );

  it('empties a server at a URL before each trial, with a tool that the model does not get', async () => {
    const { close, at: url } = await counterAt();
    onTestFinished(close);
    const add: readonly Line[] = [{ calls: [{ name: 'add', arguments: { by: 2 } }] }, { text: 'Two more.' }];
    const model = await scripted([...add, ...add]);
    const scenario = {
      title: 'The counter goes up',
      observe: { counter: { call: 'read' } },
      steps: [{ user: 'Two more.' }, { call: 'add', args: { by: 2 } }],
      expect: { state: { 'counter.count': 2 } },
    };
    const args = ['eval', fileWith(stringify(scenario), 'count-001-goes-up.yaml'), '--server', url];
    const live = ['--mode', 'live', '--model', 'scripted', '--base-url', model.url, '--trials', '2', '--out', folder()];
    const env = { OPENAI_API_KEY: key, EVAL_SERVER_TOKEN: token };
    const ended = await run([...args, ...live, '--reset-tool', 'reset'], { env });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 trials passed') });
    expect(JSON.stringify(model.asked[0]?.body.tools)).toMatch(/"add"(?!.*"reset")/);
    const together = await run([...args, ...live, '--reset-tool', 'reset', '--jobs', '2'], { env });
    expect(together).toMatchObject({ code: 4, err: expect.stringContaining('--jobs must be 1') });
    const fresh = ['eval', args[1] ?? '', '--server', 'node x', ...live, '--reset-tool', 'reset'];
    expect(await run(fresh, { env })).toMatchObject({ code: 4, err: expect.stringContaining('only with a URL') });
  });

  it('ends with 1 where a scenario failed, and with 4 where a trial was lost', async () => {
    const bad = await scripted([{ text: 'No.' }]);
    const at = (url: string) => ({ env: { OPENAI_API_KEY: key }, args: ['--base-url', url] });
    expect((await run([...playing(), ...at(bad.url).args], at(bad.url))).code).toBe(1);
    const gone = await scripted([{ status: 401 }]);
    const lost = await run([...playing(), ...at(gone.url).args], at(gone.url));
    expect(lost).toMatchObject({
      code: 4,
      out: expect.stringContaining("lost: test-001-card-is-enrolled, trial 1: The model's API answered 401."),
    });
  });

  it('ends with 4 where a verdict of the judge can not be read', async () => {
    const server = await scripted([...good, { text: 'It went well.' }]);
    const args = playing({ expect: { changed: ['cards'], rubric: 'PASS if polite' } });
    const ended = await run([...args, '--base-url', server.url, '--judge-model', 'judge'], {
      env: { OPENAI_API_KEY: key },
    });
    expect([ended.code, server.asked.map(({ body }) => body.model)]).toEqual([4, ['scripted', 'scripted', 'judge']]);
  });

  it('goes on where it was interrupted, with the key in a file', async () => {
    const first = await scripted([...good, { status: 403 }, ...good]);
    const args = [...playing(), '--trials', '2', '--jobs', '1', '--key-file', fileWith(`${key}\n`), '--report', 'md'];
    expect((await run([...args, '--base-url', first.url])).code).toBe(4);
    expect((await run([...args, '--base-url', `${first.url}/other`])).err).toContain('is the journal of another run');
    const ended = await run([...args, '--base-url', first.url]);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('1 of the trials came from the journal.') });
    const page = readFileSync(join(args[args.indexOf('--out') + 1] ?? '', 'summary.md'), 'utf8');
    expect([first.left(), page.includes('| Trials from the journal | 1 |')]).toEqual([0, true]);
  });

  it('plays again what another fixture was under', async () => {
    const fixtures = folder();
    const fixture = (about: string) => writeFileSync(join(fixtures, 'mine.yaml'), stringify({ about }));
    const server = await scripted([...good, { status: 403 }, ...good, ...good]);
    const args = [...playing({ world: { fixture: 'mine' } }), '--fixtures', fixtures, '--base-url', server.url];
    const again = () => run([...args, '--trials', '2', '--jobs', '1'], { env: { OPENAI_API_KEY: key } });
    fixture('Nobody new.');
    expect((await again()).code).toBe(4);
    fixture('Somebody new.');
    expect([(await again()).code, server.left()]).toEqual([0, 0]);
  });

  it('writes a report without the key', async () => {
    const server = await scripted([{ text: `Your key is ${key}.` }]);
    const args = [...playing(), '--base-url', server.url, '--report', 'json,junit,md'];
    await run(args, { env: { OPENAI_API_KEY: key } });
    const out = args[args.indexOf('--out') + 1] ?? '';
    const files = ['report.json', 'junit.xml', 'summary.md', 'live.jsonl'].map((name) =>
      readFileSync(join(out, name), 'utf8'),
    );
    expect(files.map((text) => text.includes(key))).toEqual([false, false, false, false]);
    expect(reportSchema.parse(JSON.parse(files[0] ?? '')).mode).toBe('live');
  });

  it('writes its figures into every report, compares with a baseline, and lets the bad agents play', async () => {
    const trials = [...good, { text: 'No.', usage: { input: 80, output: 1 } }];
    // The second run plays afresh: the first one came to its end.
    const server = await scripted([...trials, ...trials]);
    const args = [
      ...playing(),
      '--base-url',
      server.url,
      '--trials',
      '2',
      '--jobs',
      '1',
      '--report',
      'json,junit,md,html',
    ];
    const around = { env: { OPENAI_API_KEY: key } };
    expect((await run([...args, '--adversaries'], around)).out).toContain('adversarial runs, 0 unnoticed.');
    const out = args[args.indexOf('--out') + 1] ?? '';
    const [xml, page, html] = ['junit.xml', 'summary.md', 'report.html'].map((name) =>
      readFileSync(join(out, name), 'utf8'),
    );
    expect(page).toContain('| Trials passed | 1 of 2 |');
    expect(page).toContain(
      '| test-001-card-is-enrolled | 1 of 2 | 9.5 % to 90.5 % | 50.0, 0.0 % | 50.0, 100.0 % | 0 | 0 | 277 |',
    );
    expect(xml).toContain('<property name="pass^k" value="50.0, 0.0 %"/>');
    expect(html).toContain('<dt>Trials passed</dt><dd>1 of 2</dd>');
    const against = await run([...args, '--baseline', join(out, 'report.json')], around);
    expect(against).toMatchObject({ code: 0, out: expect.stringContaining('still failing: test-001') });
  });

  it.each([
    [
      'Live mode needs --model.',
      (args: readonly string[]) => args.filter((it) => it !== '--model' && it !== 'scripted'),
    ],
    ['The API key is missing: set OPENAI_API_KEY', (args: readonly string[]) => [...args, '--key-file', fileWith('')]],
    ['--trials must be a whole number', (args: readonly string[]) => [...args, '--trials', 'many']],
    ['--threshold must be above 0', (args: readonly string[]) => [...args, '--threshold', '0']],
    ['--min-rules applies only to replays', (args: readonly string[]) => [...args, '--min-rules', '100']],
    ['There is no policy', (args: readonly string[]) => [...args, '--policy', 'nowhere.md']],
  ])('could not start: %s', async (because, change) => {
    const ended = await run(change(playing()), { env: { OPENAI_API_KEY: key } });
    expect(ended).toMatchObject({ code: 4, out: '', err: expect.stringContaining(because) });
  });
});

describe('purser eval --server', () => {
  let onTrial: readonly string[] = [];
  beforeAll(async () => {
    const { file } = await programOf(new URL('../support/counter-server.ts', import.meta.url));
    onTrial = ['--server', `"${process.execPath}" "${file}"`, '--server-env', 'COUNTER_FILE={folder}/count'];
  });
  const counting = (by: number) => ({
    id: 'count-001-goes-up',
    title: 'The counter goes up',
    rules: ['CT-01'],
    declares: { 'CT-01': { says: 'The counter never goes down.' } },
    observe: { counter: { call: 'read' } },
    steps: [{ call: 'add', args: { by }, expect: { error: false } }],
    expect: { state: { 'counter.count': 2 } },
  });
  const evaluated = (scenario: object) =>
    run(['eval', fileWith(stringify(scenario), 'count-001-goes-up.yaml'), ...onTrial]);

  it('puts another server on trial, against the golden of an earlier run', async () => {
    const file = fileWith(stringify(counting(2)), 'count-001-goes-up.yaml');
    expect(await run(['eval', file, ...onTrial])).toMatchObject({
      code: 1,
      out: expect.stringContaining('there is no golden'),
    });
    expect((await run(['eval', file, ...onTrial, '--accept'])).code).toBe(0);
    expect(await run(['eval', file, ...onTrial])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 scenario passed'),
    });
    expect(await evaluated(counting(3))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/state, counter\.count:\n +expected +2\n +got +3\n/),
    });
    expect(await evaluated({ ...counting(2), rules: ['CT-02'] })).toMatchObject({ code: 3 });
  });
});

describe('purser eval record', () => {
  it('stands between a host and Purser, and writes a draft that replays green', async () => {
    const to = join(folder(), 'recorded-001-a-card.yaml');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [`${root}dist/purser.js`, 'eval', 'record', '--from', `${purser} mcp --data ${folder()}`, '--to', to],
      stderr: 'pipe',
    });
    const heard: string[] = [];
    const ended = new Promise<void>((resolve) => {
      transport.stderr?.on('data', (piece) => heard.push(String(piece)));
      transport.stderr?.on('end', resolve);
    });
    const host = new Client({ name: 'host', version: '0' });
    await host.connect(transport);
    onTestFinished(() => host.close());
    expect((await host.listTools()).tools.length).toBeGreaterThan(5);
    await host.callTool({ name: 'find_shopper', arguments: { name: 'Ada' } });
    const { structuredContent } = await host.callTool({ name: 'enroll_card', arguments: { card: 'card_ada' } });
    expect(structuredContent).toMatchObject({ outcome: 'done' });
    await host.close();
    await ended;
    expect(heard.join('')).toContain('holds a draft of the session');
    const scenario = defineScenario(parse(readFileSync(to, 'utf8')));
    expect(wrong(await playOn(stage(), scenario))).toEqual([]);
    expect(scenario.expect.changed).toEqual(['cards']);
  });

  it('writes the draft where its host ends it without a word', async () => {
    const to = join(folder(), 'recorded-001-a-shopper.yaml');
    const args = ['eval', 'record', '--from', `${purser} mcp --data ${folder()}`, '--to', to];
    const transport = new StdioClientTransport({ command: process.execPath, args: [`${root}dist/purser.js`, ...args] });
    const host = new Client({ name: 'host', version: '0' });
    await host.connect(transport);
    onTestFinished(() => host.close());
    await host.callTool({ name: 'find_shopper', arguments: { name: 'Ada' } });
    const ended = new Promise<void>((resolve) => {
      host.onclose = resolve;
    });
    process.kill(transport.pid ?? 0, 'SIGTERM');
    await ended;
    expect(defineScenario(parse(readFileSync(to, 'utf8'))).steps.length).toBeGreaterThan(0);
  });

  it('hides what the server was given: its environment, and its token', async () => {
    const given = { API_SECRET: 'hush-hush-0001', EVAL_SERVER_TOKEN: 'token-of-the-server-0001' };
    const said = Object.values(given).join(' and ');
    const from = fileWith(JSON.stringify([{ role: 'user', content: said }]));
    const to = join(folder(), 'recorded-001-a-secret.yaml');
    const args = ['eval', 'record', '--foreign', '--from', from, '--to', to];
    const more = ['--server-env', `API_SECRET=${given.API_SECRET}`];
    expect((await run([...args, ...more], { env: { EVAL_SERVER_TOKEN: given.EVAL_SERVER_TOKEN } })).code).toBe(0);
    expect(readFileSync(to, 'utf8')).toContain('[hidden] and [hidden]');
  });

  it('reads messages, and refuses what is no recording', async () => {
    const messages = fileWith(
      JSON.stringify([
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello?' },
      ]),
    );
    const to = join(folder(), 'recorded-001-a-greeting.yaml');
    const args = (from: string) => ['eval', 'record', '--from', from, '--to', to, '--fixtures', fixtureFolder];
    expect(await run(args(fileWith('nothing')))).toMatchObject({
      code: 3,
      err: expect.stringContaining('neither JSON'),
    });
    expect(await run(args('/nowhere/server'))).toMatchObject({
      code: 4,
      err: expect.stringContaining('there is no command /nowhere/server'),
    });
    expect(existsSync(to)).toBe(false);
    expect((await run(args(messages))).code).toBe(0);
    writeFileSync(to, 'mine');
    expect(await run(args(messages))).toMatchObject({ code: 4, err: expect.stringContaining('already exists') });
    expect(readFileSync(to, 'utf8')).toBe('mine');
  });
});
