import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lined, paint, type Rich, say } from '../../src/cli/output.ts';
import { table } from '../../src/cli/table.ts';
import { folder, order, proposed, run, within } from './cli.ts';

const esc = '\u001b';
/** What colours and nothing else: select graphic rendition with numbers. */
const colours = new RegExp(`${esc}\\[[\\d;]+m`, 'g');

function written(text: Rich, env: NodeJS.ProcessEnv = { NO_COLOR: '1' }): string {
  for (const name of ['FORCE_COLOR', 'NO_COLOR']) vi.stubEnv(name, env[name]);
  const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    spy.mockRestore();
    vi.unstubAllEnvs();
  });
  say(text);
  const said = spy.mock.calls.map(([it]) => String(it)).join('');
  spy.mockRestore();
  vi.unstubAllEnvs();
  return said;
}

const hostile = [
  `${esc}[2J${esc}[31mred`,
  `${esc}]8;;https://evil.example.com${esc}\\link${esc}]8;;${esc}\\`,
  `${esc}]0;title\u0007`,
  '\u009b31mC1',
  'a\rb\bc\td',
  'line\nok  ledger  all is well',
  'paragraph\u2029separator\u2028line',
  '\u202egnp.exe\u200b',
];

describe('colour', () => {
  it('is there where it is wanted, and nowhere else', () => {
    expect(written(paint('good', 'fine'), { FORCE_COLOR: '1' })).toBe(`${esc}[32mfine${esc}[39m\n`);
    expect(written(paint('good', 'fine'), { NO_COLOR: '1' })).toBe('fine\n');
  });

  it.each([
    ['doctor', ['doctor']],
    ['approvals', ['approvals', 'list']],
    ['operations', ['operations', 'list']],
    ['eval', ['eval', 'evals/scenarios/purchase/purchase-110-exactly-the-limit.yaml', '--coverage']],
  ])('of %s is in no pipe, is forced by FORCE_COLOR, and says nothing by itself', async (_, args) => {
    const data = folder();
    await proposed(data);
    const given = args[0] === 'eval' ? args : [...args, '--data', data];
    const said = async (env: NodeJS.ProcessEnv) =>
      (await run(given, { env })).out.replace(/\d+ ms|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some time');
    const [plain, coloured] = [await said({}), await said({ FORCE_COLOR: '1' })];
    expect(plain).not.toContain(esc);
    expect(coloured).toMatch(colours);
    expect(coloured.replace(colours, '')).toBe(plain);
    expect(await said({ NO_COLOR: '1' })).toBe(plain);
  });
});

describe('a table', () => {
  it.each(hostile)('keeps %j within its cell', (text) => {
    for (const cell of [text, paint('bad', text)]) {
      const said = written(
        table(
          [
            [cell, 'x', cell],
            ['b', 'y', 'c'],
          ],
          ['ONE', 'TWO', 'THREE'],
        ),
        { FORCE_COLOR: '1' },
      );
      const lines = said.split('\n');
      expect(lines).toHaveLength(4);
      expect(said.replace(colours, '')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(said.match(colours)?.every((it) => /\[(?:1|4|22|24|31|39)m$/.test(it))).toBe(true);
    }
  });

  it('is aligned whatever is in it, and wraps its last column between words', () => {
    const rows = [
      ['日本', 'ok', 'one two three four five six seven'],
      ['abc', 'fail', ''],
    ];
    expect(written(table(rows, ['A', 'B', 'C'], 38))).toBe(
      ['A     B     C', '日本  ok    one two three four five', '            six seven', 'abc   fail', ''].join('\n'),
    );
  });
});

describe('lines', () => {
  it.each(hostile)('of a report stay one line each: %j', (text) => {
    const said = written(lined(['before', text, paint('good', 'after')]));
    expect(said.split('\n')).toHaveLength(4);
    expect(said).not.toContain(esc);
  });
});

describe('what an agent wrote', () => {
  it('adds no line to the list of operations', async () => {
    const data = folder();
    await within(data, async ({ engine }) => {
      const caller = { tenant: 'default', principal: 'agent' } as const;
      await engine.call('enroll_card', { card: order.card }, caller);
      await engine.call('initiate_purchase', { ...order, reference: `o-1${esc}[2J\nopr_fake` }, caller);
    });
    const { out } = await run(['operations', 'list', '--data', data], { env: { FORCE_COLOR: '1' } });
    expect(out.replace(colours, '')).not.toContain(esc);
    expect(out.split('\n').filter((line) => line.startsWith('opr_fake'))).toEqual([]);
  });
});
