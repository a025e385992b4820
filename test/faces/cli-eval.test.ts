import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../evals/harness/reports/report.ts';
import { scenarioJsonSchema } from '../../evals/harness/scenario/schema.ts';
import { fileWith, folder, run, runJson } from './cli.ts';

const evals = fileURLToPath(new URL('../../evals', import.meta.url));
const fixtures = ['--fixtures', `${evals}/fixtures`];
const one = `${evals}/scenarios/purchase/purchase-110-exactly-the-limit.yaml`;

const failing = `id: test-001-nobody-is-told
title: The customer is told nothing
rules: [AP-03]
steps:
  - call: enroll_card
    args: { card: card_ada }
expect:
  tells: [hello]
`;

/** A folder with one scenario of this text. */
function suite(text: string): string {
  const made = folder();
  writeFileSync(join(made, 'test-001-nobody-is-told.yaml'), text);
  return made;
}

describe('purser eval', () => {
  it('ends with 0 where every scenario passes, and writes the reports that were asked for', async () => {
    const out = folder();
    const ended = await run(['eval', one, ...fixtures, '--report', 'json,junit,md', '--out', out]);
    expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^1 scenario passed: /) });
    expect(readdirSync(out).toSorted()).toEqual(['junit.xml', 'report.json', 'summary.md']);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ version: 1, mode: 'replay', summary: { scenarios: 1, passed: 1, failed: 0 } });
  });

  it('says in one line that rules were left out, and lists them with --coverage', async () => {
    const { out } = await run(['eval', one, ...fixtures]);
    expect(out.split('\n').filter((line) => line.includes('AP-') || line.includes('--coverage'))).toEqual([
      expect.stringMatching(/^\d+ of \d+ rules not exercised both ways; --coverage lists them\.$/),
    ]);
    const listed = await run(['eval', one, ...fixtures, '--coverage']);
    const [, missing] = /^(\d+) of \d+ rules/m.exec(out) ?? [];
    expect(listed.out.match(/^[A-Z]{2}-\d\d .*(allowed|refused)$/gm)).toHaveLength(Number(missing));
    expect(listed.code).toBe(0);
  });

  it('plays the scenarios of the package where the working directory has none', async () => {
    const cwd = folder();
    const ended = await run(['eval', '--shard', '2/600'], { cwd });
    expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^\d+ scenarios passed: /) });
    expect(await run(['eval', 'evals/scenarios/webhooks', '--shard', '1/24'], { cwd })).toMatchObject({ code: 0 });
    expect(await run(['eval', 'scenarios'], { cwd })).toMatchObject({ code: 3 });
  });

  it('plays those of the working directory where it has some', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, 'evals', 'scenarios'), { recursive: true });
    writeFileSync(join(cwd, 'evals', 'scenarios', 'test-001-nobody-is-told.yaml'), failing);
    expect(await run(['eval'], { cwd })).toMatchObject({ code: 1, err: 'purser: fail: test-001-nobody-is-told\n' });
  });

  it('ends with 1 where one fails, and says which and why', async () => {
    const ended = await run(['eval', suite(failing), ...fixtures]);
    expect(ended).toMatchObject({ code: 1, err: 'purser: fail: test-001-nobody-is-told\n' });
    expect(ended.out).toContain('reply, tells: the customer was not told: hello.');
  });

  it('ends with 2 where a gate is not met, and with 1 where a scenario fails, too', async () => {
    const gated = await run(['eval', one, ...fixtures, '--min-rules', '100']);
    expect(gated).toMatchObject({ code: 2, out: expect.stringContaining('The gate "rules" was not met.') });
    expect(await run(['eval', suite(failing), ...fixtures, '--min-rules', '100'])).toMatchObject({ code: 1 });
  });

  it('ends with 2 where an agent that does nothing passes a scenario', async () => {
    const idle = failing.replace('tells: [hello]', 'never: [cancel_purchase]');
    const place = suite(idle);
    expect(await run(['eval', place, ...fixtures, '--accept'])).toMatchObject({ code: 0 });
    const ended = await run(['eval', place, ...fixtures, '--adversaries']);
    expect(ended).toMatchObject({
      code: 2,
      out: expect.stringContaining('The do-nothing agent passes test-001-nobody-is-told.'),
    });
  });

  it('ends with 1 without a golden, writes it with --accept, and ends with 2 where one is left over', async () => {
    const place = suite(failing.replace('tells: [hello]', 'never: [cancel_purchase]'));
    const without = await run(['eval', place, ...fixtures]);
    expect(without).toMatchObject({
      code: 1,
      out: expect.stringContaining('there is no golden; --accept records it.'),
    });
    const accepted = await run(['eval', place, ...fixtures, '--accept']);
    expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('new golden: test-001-nobody-is-told') });
    expect(await run(['eval', place, ...fixtures])).toMatchObject({ code: 0 });
    writeFileSync(join(place, 'test-002-nobody.golden'), '\n');
    expect(await run(['eval', place, ...fixtures])).toMatchObject({
      code: 2,
      out: expect.stringContaining('test-002-nobody.golden; --accept deletes them.'),
    });
    expect(await run(['eval', place, ...fixtures, '--accept'])).toMatchObject({ code: 0 });
    expect(readdirSync(place).toSorted()).toEqual(['test-001-nobody-is-told.golden', 'test-001-nobody-is-told.yaml']);
  });

  it('ends with 3 for a scenario that is wrong, and says where', async () => {
    const ended = await run(['eval', suite(failing.replace('AP-03', 'AP-99')), ...fixtures]);
    expect(ended).toMatchObject({ code: 3, out: '' });
    expect(ended.err).toMatch(/test-001-nobody-is-told\.yaml:3:9: rules\[0\]: there is no rule AP-99\b/);
  });

  it.each(['/dev/null/results', '/proc/results'])(
    'ends with 4 before it plays where no report can be written: %s',
    async (out) => {
      const ended = await run(['eval', suite(failing), ...fixtures, '--report', 'json', '--out', out]);
      expect(ended).toEqual({
        code: 4,
        out: '',
        err: expect.stringMatching(/^purser: [^\n]* another folder with --out[^\n]*\n$/),
      });
    },
  );

  it('counts only what fails since the baseline', async () => {
    const [out, paths] = [folder(), suite(failing)];
    const before = ['--report', 'json', '--out', out];
    expect(await run(['eval', paths, ...fixtures, ...before])).toMatchObject({ code: 1 });
    const against = ['--baseline', join(out, 'report.json')];
    expect(await run(['eval', paths, ...fixtures, ...against])).toMatchObject({
      code: 0,
      out: expect.stringContaining('still failing: test-001-nobody-is-told'),
    });
    const other = suite(failing.replace('test-001-nobody', 'test-002-nobody'));
    writeFileSync(join(other, 'test-002-nobody-is-told.yaml'), failing.replace('test-001', 'test-002'));
    writeFileSync(join(other, 'test-001-nobody-is-told.yaml'), failing);
    expect(await run(['eval', other, ...fixtures, ...against])).toMatchObject({
      code: 1,
      out: expect.stringContaining('newly failing: test-002-nobody-is-told'),
    });
  });

  it('runs one part of the scenarios', async () => {
    const { code, value } = await runJson(['eval', `${evals}/scenarios/webhooks`, ...fixtures, '--shard', '2/12']);
    const all = readdirSync(`${evals}/scenarios/webhooks`)
      .filter((file) => file.endsWith('.yaml'))
      .toSorted();
    const part = all.filter((_, place) => place % 12 === 1).map((file) => file.replace('.yaml', ''));
    expect([code, value.scenarios.map(({ id }: { id: string }) => id)]).toEqual([0, part]);
  });

  it.each([
    [['--shard', '5/4'], '--shard'],
    [['--report', 'pdf'], 'there is no format pdf'],
    [['--report', 'jsn'], '(did you mean json?)'],
    [['--min-rules', '101'], '--min-rules must be a number from 0 to 100.'],
    [['--shard', '1/2', '--min-rules', '100'], '--min-rules'],
    [['--baseline', 'none.json'], 'There is no report none.json'],
    [['--mode', 'dream'], 'Allowed choices are replay, live.'],
    [['--what'], "unknown option '--what'"],
  ])('does not start with %j', async (options, why) => {
    const ended = await run(['eval', one, ...fixtures, ...options]);
    expect(ended).toMatchObject({ code: 4, out: '', err: expect.stringContaining(why) });
  });
});

describe('purser eval schema', () => {
  it('prints the schema that editors need', async () => {
    const { code, out } = await run(['eval', 'schema']);
    expect([code, JSON.parse(out)]).toEqual([0, scenarioJsonSchema()]);
  });
});

describe('purser eval mutate', () => {
  it('breaks one rule, and says who noticed', async () => {
    const about = ['127-receipt-over-another-sum', '128-receipt-in-another-currency'];
    const some = about.map((name) => `${evals}/scenarios/purchase/purchase-${name}.yaml`);
    const ended = await run(['eval', 'mutate', one, ...some, ...fixtures, '--rule', 'AP-12']);
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/^(\d+) of \1 mutants were killed/) });
  });

  it.each([
    ['AP-99', 'AP-'],
    ['XX-00', 'docs/rules.md'],
  ])('plays nothing for a rule that there is not: %s', async (rule, hint) => {
    const ended = await run(['eval', 'mutate', one, ...fixtures, '--rule', rule]);
    expect(ended).toMatchObject({ code: 4, out: '', err: expect.stringContaining(hint) });
  });

  it('tries those that a seed draws, and says so', async () => {
    const ended = await run(['eval', 'mutate', one, ...fixtures, '--rule', 'AP-12', '--one-in', '2', '--seed', '7']);
    expect(ended.out).toMatch(/\nSeed 7, one in 2: \d+ of \d+ mutants were killed/);
  });

  it('has no verdict where there is no mutant', async () => {
    const ended = await run(['eval', 'mutate', one, ...fixtures, '--rule', 'AP-12/guard 9999', '--json']);
    expect(ended).toMatchObject({ code: 4, out: '[]\n' });
  });

  it('ends with 2 where a critical one survives', async () => {
    const ended = await run(['eval', 'mutate', one, ...fixtures, '--rule', 'AP-12']);
    expect(ended).toMatchObject({ code: 2, out: expect.stringContaining('survives: AP-12/') });
  });

  it('writes the reports that were asked for, survivors by their names', async () => {
    const out = folder();
    const asked = ['--rule', 'AP-12', '--report', 'json,md', '--out', out];
    expect((await run(['eval', 'mutate', one, ...fixtures, ...asked])).code).toBe(2);
    const { mutation } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(mutation).toContainEqual(expect.objectContaining({ rule: 'AP-12', how: 'drop', runs: 0 }));
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toContain('## Mutants that survive\n\n- AP-12/guard');
  });
});

describe('purser eval mutate, of one kind or the other', () => {
  it.each([
    [['--deep', '--lanes', '0'], '--lanes must be at least 1.'],
    [['--deep', '--sample', '0'], '--sample must be at least 1.'],
    [['--deep', '--most', '0'], '--most must be at least 1.'],
    [['--deep', '--min-noticed', '101'], '--min-noticed must be a number from 0 to 100.'],
    [['--deep', '--only', 'tools/billing', '--only', 'nonsense'], '--only: No file on trial has nonsense in its path'],
    [['--deep', '--rule', 'AP-12'], '--rule does not apply to --deep'],
    [['--deep', '--report', 'json'], '--report does not apply to --deep'],
    [['--deep', '--out', 'here'], '--out does not apply to --deep'],
    [['--sample', '5'], '--sample applies only to --deep.'],
    [['--seed', '5'], '--seed applies only to --deep and --one-in.'],
    [['--one-in', '0'], '--one-in must be at least 1.'],
    [['--deep', '--one-in', '3'], '--one-in does not apply to --deep'],
    [['--server', 'node none.js', '--one-in', '3'], '--one-in does not apply to --server'],
    [['--min-noticed', '95'], '--min-noticed applies only to --deep.'],
    [['--server', 'node none.js', '--deep'], '--deep applies only to the source of Purser.'],
    [['--server', 'node none.js', '--rule', 'AP-12'], '--rule does not apply to --server'],
  ])('does not start with %j', async (options, why) => {
    const ended = await run(['eval', 'mutate', one, ...fixtures, ...options]);
    expect(ended).toMatchObject({ code: 4, out: '', err: expect.stringContaining(why) });
  });

  it('of every kind in the source: says how many of how many, and what share was noticed', async () => {
    const few = ['--deep', '--only', 'src/engine/cancellation.ts', '--sample', '2', '--seed', '1', '--lanes', '1'];
    const ended = await run(['eval', 'mutate', one, ...fixtures, ...few, '--min-noticed', '95']);
    expect(ended).toMatchObject({
      code: 2, // nothing is cancelled, so nothing was shown
      out: expect.stringMatching(/\nSeed 1, 2 of \d+ possible bugs\. Scenarios reach none of them\.\n$/),
    });
  }, 240_000); // it takes 20 s by itself, and three times as long beside other tests
});

describe('purser eval compare', () => {
  /** A report.json, changed. */
  const reportOf = async (change: (report: Report) => object = () => ({})): Promise<string> => {
    const out = folder();
    await run(['eval', one, ...fixtures, '--report', 'json', '--out', out]);
    const report: Report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    return fileWith(JSON.stringify({ ...report, ...change(report) }), 'report.json');
  };
  const ending = (verdict: Report['scenarios'][number]['verdict']) =>
    reportOf(({ scenarios }) => ({ scenarios: scenarios.map((it) => ({ ...it, verdict })) }));

  it('says what was before and what is after, whoever ran it', async () => {
    const file = await reportOf();
    const ended = await run(['eval', 'compare', file, file]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toMatch(/^ +BEFORE +AFTER +DIFFERENCE\nby +purser .* +purser .*\nfailed +0 +0 +0\n/);
  });

  it.each([
    ['fail', 1, 'newly failing: purchase-110-exactly-the-limit\n'],
    ['judge error', 4, 'not judged: purchase-110-exactly-the-limit\n'],
    ['pass', 0, 'BEFORE'],
  ] as const)('where a scenario ends with %s, ends with %d', async (verdict, code, says) => {
    const ended = await run(['eval', 'compare', await ending('pass'), await ending(verdict)]);
    expect(ended).toMatchObject({ code, out: expect.stringContaining(says) });
  });

  it('compares no script with a model, and nothing with what is no report', async () => {
    const [script, model] = [await reportOf(), await reportOf(() => ({ mode: 'live' }))];
    for (const [one, other, why] of [
      [script, model, 'live mode'],
      [script, 'none.json', 'There is no report none.json'],
    ] as const)
      expect(await run(['eval', 'compare', one, other])).toMatchObject({
        ...{ code: 4, out: '', err: expect.stringContaining(why) },
      });
  });
});

describe('purser eval coverage', () => {
  it('says what is exercised, and what never', async () => {
    const ended = await run(['eval', 'coverage', one, ...fixtures]);
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^RULE +ALLOWED +REFUSED +NEVER\n/);
    expect(ended.out).toContain('never: tools: cancel_purchase\n');
  });
});

describe('purser eval fuzz', () => {
  it('walks from a seed, and says how far', async () => {
    const ended = await run(['eval', 'fuzz', ...fixtures, '--seed', '3', '--runs', '2']);
    expect(ended).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^2 runs from seed 3, \d+ calls; 0 broken invariants\.\n$/),
    });
  });

  it('ends with 4 before it begins where no find can be written', async () => {
    const ended = await run(['eval', 'fuzz', ...fixtures, '--runs', '100000', '--out', '/proc/results']);
    expect(ended).toMatchObject({ code: 4, out: '', err: expect.stringContaining('--out') });
  });

  it.each([
    ['--seed', 'x', 'must be a whole number of at most nine digits'],
    ['--runs', '0', 'must be at least 1'],
  ])('does not start with %s %s', async (option, value, why) => {
    const ended = await run(['eval', 'fuzz', ...fixtures, option, value]);
    expect(ended).toMatchObject({ code: 4, err: `purser: ${option} ${why}.\n` });
  });
});
