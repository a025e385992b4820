import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandLine } from '../../src/cli/command-line.ts';
import { fileWith, folder, run } from './cli.ts';

const example = fileURLToPath(new URL('../../evals/examples/tab-server', import.meta.url));
const scenarios = `${example}/evals`;
const server = [
  ...['--server', `"${process.execPath}" "${example}/server.mjs"`],
  ...['--server-env', 'TAB_FILE={folder}/tabs.json'],
];
const plain = (text = ''): string =>
  fileWith(
    `title: Nobody has a tab\nsteps:\n  - call: list_tabs\n    expect: { data: { tabs: [] } }\n${text}`,
    'a.yaml',
  );

describe('purser eval --server', () => {
  it('plays the example with bad agents, its rule and changed answers', async () => {
    const played = await run(['eval', ...server, scenarios, '--adversaries', '--min-rules', '100']);
    expect(played).toMatchObject({ code: 0, err: '' });
    const mutated = await run(['eval', 'mutate', ...server, scenarios, '--min-noticed', '95']);
    expect(mutated).toMatchObject({ code: 0, err: '' });
  });

  it('plays the scenarios of a folder that has the server and what it needs, too', async () => {
    expect(await run(['eval', ...server, example])).toMatchObject({ code: 0, err: '' });
    const packages = join(folder(), 'node_modules');
    mkdirSync(packages);
    writeFileSync(join(packages, 'a.yaml'), 'title: Of somebody else\n');
    cpSync(scenarios, join(packages, '..', 'evals'), { recursive: true });
    expect(await run(['eval', ...server, join(packages, '..')])).toMatchObject({ code: 0, err: '' });
  });

  it('does not meet a gate for rules where there is none to measure', async () => {
    const ended = await run(['eval', ...server, plain(), '--accept', '--min-rules', '0']);
    expect(ended).toMatchObject({ code: 2, out: expect.stringContaining('"rules"') });
  });

  it('changes no answers of a scenario that fails as it is, and says so', async () => {
    const failing = plain('expect: { calls: [open_tab] }\n');
    const { code, err } = await run(['eval', 'mutate', ...server, failing]);
    expect([code, err]).toEqual([1, expect.stringContaining('a fails as it is')]);
  });

  it('says of a golden that it has the date of the day, which may be another one tomorrow', async () => {
    const name = new Date().toISOString().slice(0, 10);
    const tab = (expected: string) =>
      fileWith(
        `title: A tab of the day\nsteps:\n  - call: open_tab\n    args: { name: "${name}", limit: 1 }\n    expect: { ${expected} }\n`,
        'a.yaml',
      );
    const dated = await run(['eval', ...server, tab('error: false'), '--accept']);
    expect(dated).toMatchObject({ code: 0, out: expect.stringContaining(`${name}: `) });
    const varying = await run(['eval', ...server, tab('varies: [name]'), '--accept']);
    expect(varying).toMatchObject({ code: 0, out: expect.not.stringContaining(name) });
  });

  it('asks for a refusal of a rule that has one', async () => {
    const declares = 'rules: [TB-01]\ndeclares: { TB-01: { says: A limit., refusal: over the limit } }\n';
    const ended = await run(['eval', ...server, plain(declares), '--accept', '--min-rules', '100']);
    expect(ended).toMatchObject({ code: 2, out: expect.stringContaining('TB-01 (never refused)') });
  });

  it('ends with 4 for a server that does not start, and shows its command, its exit code and its stderr', async () => {
    const { code, out, err } = await run(['eval', ...server.slice(0, 2), scenarios]);
    expect([code, out]).toEqual([4, '']);
    for (const part of ['server.mjs', 'code 1', '\n    Error: TAB_FILE must name']) expect(err).toContain(part);
  });

  it.each([
    [['--reset-tool', 'list_tab'], '(did you mean list_tabs?)'],
    [['--server-timeout', '0'], '--server-timeout'],
    [['--server-timeout', 'soon'], '--server-timeout'],
    [['--model', 'x'], '--model applies only to'],
    [['--timeout', '5'], '--timeout applies only to'],
    [['--lanes', '2'], '--lanes applies only to'],
    [['--report', 'htm'], '(did you mean html?)'],
  ])('does not start with %j', async (options, why) => {
    expect(await run(['eval', ...server, scenarios, ...options])).toMatchObject({
      ...{ code: 4, out: '', err: expect.stringContaining(why) },
    });
  });

  it('names the folder that has no scenario, and the path that is not there', async () => {
    const empty = folder();
    expect(await run(['eval', ...server, empty])).toMatchObject({ code: 3, err: expect.stringContaining(empty) });
    expect(await run(['eval', ...server, 'nowhere'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('nowhere'),
    });
  });

  it('keeps the lines of several faults', async () => {
    const { code, err } = await run(['eval', ...server, plain('exepct: {}\nrulse: []\n')]);
    expect(code).toBe(3);
    expect(err.match(/^ {2}\S+a\.yaml:[56]:1: /gm)).toHaveLength(2);
  });
});

describe('purser eval', () => {
  it.each([
    ['--server-env', 'A=b'],
    ['--server-timeout', '5'],
    ['--reset-tool', 'x'],
    ['--keep-server'],
    ['--trials', '3'],
  ])('does not take an option that means nothing for it: %s', async (...options) => {
    const { code, err } = await run(['eval', 'nowhere', ...options]);
    expect([code, err.includes(`${options[0]} applies only to`)]).toEqual([4, true]);
  });

  it('says of every option what it is for, in a sentence of its own', () => {
    const command = commandLine(() => undefined).commands.find((it) => it.name() === 'eval');
    const all = [command, ...(command?.commands ?? [])].flatMap((it) => it?.options ?? []);
    expect(
      all.filter(({ description }) => /^(?:the same|of it|it)\b|\bof it\b/.test(description)).map(({ long }) => long),
    ).toEqual([]);
  });
});
