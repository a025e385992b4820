import { beforeAll, describe, expect, it } from 'vitest';
import { lacksOf } from '../../evals/harness/coverage/clauses.ts';
import { coverageOf, restingOnOne } from '../../evals/harness/coverage/coverage.ts';
import { deviations, refusedPairs, rowsOf } from '../../evals/harness/coverage/tables.ts';
import { assertNoSecrets } from '../../evals/harness/redaction/clean.ts';
import { encodings } from '../../evals/harness/redaction/encodings.ts';
import { redactor } from '../../evals/harness/redaction/redact.ts';
import { evaluate, type Result } from '../../evals/harness/replay/evaluate.ts';
import { compareRuns } from '../../evals/harness/reports/compare.ts';
import { groupsOf, placeOf, stepOf } from '../../evals/harness/reports/failures.ts';
import { clausesGate, compared, tablesGate } from '../../evals/harness/reports/gates.ts';
import { junit } from '../../evals/harness/reports/junit.ts';
import { markdown } from '../../evals/harness/reports/markdown.ts';
import { type Report, reportOf, reportSchema, scenarioOf } from '../../evals/harness/reports/report.ts';
import type { Scenario } from '../../evals/harness/scenario/schema.ts';
import { disguises, spaced } from '../support/disguises.ts';
import { enrolled, stageOfFile, watch } from './support.ts';

const stage = stageOfFile();
let report: Report;
let results: readonly Result[];

const gate = { name: 'rules', met: false, says: 'Only 3 % of the rules.' };
beforeAll(async () => {
  const hostile = enrolled({
    id: 'test-002-hostile',
    title: 'A <b>title</b> & "more" | `code`',
    expect: { changed: [], tells: ['<script>alert(1)</script>'] },
  });
  const told = enrolled({
    id: 'test-003-told',
    steps: [{ user: 'My card is 4111 1111 1111 1111, code 123456, otp 99887.' }, { say: 'No.' }],
  });
  const loaded = [enrolled(), hostile, told].map((scenario) => ({ scenario, file: `${scenario.id}.yaml` }));
  results = await evaluate(loaded, stage(), { watch });
  report = reportOf({ by: 'purser 0', mode: 'replay', results, coverage: coverageOf(results), gates: [gate] });
});

describe('the report', () => {
  it('has one shape, and everything that happened in it', () => {
    expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(JSON.parse(JSON.stringify(report)));
    expect(report.summary).toMatchObject({ scenarios: 3, passed: 1, failed: 2, judgeErrors: 0, calls: 2 });
    expect(report.scenarios[0]).toMatchObject({
      verdict: 'pass',
      transcript: [
        { kind: 'call', tool: 'enroll_card', args: { card: 'card_ada' }, outcome: 'done' },
        { kind: 'say', text: 'Your card is set up.' },
      ],
      changes: [
        { path: 'cards.card_ada.status', before: 'none', after: 'ACTIVE' },
        { path: expect.stringMatching(/^operations\./), before: null, after: expect.anything() },
        { path: 'effects.enrollCard', before: null, after: 1 },
      ],
    });
  });

  it('holds no number of a card that somebody wrote', () => {
    const text = JSON.stringify(report);
    expect(text).not.toMatch(/4111/);
    expect(text).not.toMatch(/99887/);
    expect(text).toContain('My card is [hidden]');
  });
});

describe('a report of a story in which the agent writes a secret', () => {
  it('does not hold it, and is not made where something is left of it', async () => {
    const steps = [
      { user: 'It is 123456, behind the title.' },
      { call: 'create_plan', args: { name: 'Verification code 123456' } },
    ];
    const leaking = enrolled({ id: 'test-004-leaking', title: 'A code of 123456', steps });
    const [result] = await evaluate([{ scenario: leaking, file: 'code' }], stage(), { watch });
    const told = result && scenarioOf(result, 0);
    expect(JSON.stringify(told)).not.toContain('123456');
    expect(told).toMatchObject({
      title: 'A code of [hidden]',
      transcript: [{ text: 'It is [hidden], behind the title.' }, {}],
    });
    expect(() => assertNoSecrets({ transcript: [{ args: { 654321: 1 } }] }, result?.run.canaries ?? [])).toThrow(
      'A secret that the agent wrote (reversed) is left in a report.',
    );
  });
});

describe('coverage', () => {
  it('counts a rule of a guard as allowed only where the guard was asked, whatever a scenario says it is about', async () => {
    const loaded = [enrolled({ rules: ['AP-08', 'AP-12', 'EN-01'] })].map((scenario) => ({ scenario, file: 'one' }));
    const { rules } = coverageOf(await evaluate(loaded, stage(), { watch }));
    const allowed = ['AP-08', 'AP-12', 'EN-01'].map((id) => rules[id]?.allowed);
    expect(allowed).toEqual([['test-001-card-is-enrolled'], [], ['test-001-card-is-enrolled']]);
  });
});

describe('a rule in an operation', () => {
  const clausesIn = async (...scenarios: readonly Scenario[]) =>
    coverageOf(
      await evaluate(
        scenarios.map((scenario) => ({ scenario, file: 'one' })),
        stage(),
        { watch },
      ),
    );

  it('is allowed only where its guard was asked about that operation and held', async () => {
    const { clauses } = await clausesIn(enrolled({}));
    const seen = clauses.filter(({ allowed }) => allowed.length > 0).map(({ name }) => name);
    expect(seen).toContain('AP-08: enroll_card, card');
    expect(seen).not.toContain('AP-08: retrieve_credentials, card');
    expect(clauses.filter(({ refused }) => refused.length > 0)).toEqual([]);
  });

  it('is covered by nothing that fails', async () => {
    const { clauses } = await clausesIn(enrolled({ expect: { changed: [] } }));
    expect(clauses.filter(({ allowed }) => allowed.length > 0)).toEqual([]);
  });

  it('and a transition that rest on one scenario are listed with it', async () => {
    const coverage = await clausesIn(enrolled({}));
    expect(restingOnOne(coverage)).toContainEqual({
      name: 'AP-08: enroll_card, card, allowed',
      scenario: 'test-001-card-is-enrolled',
    });
    const twice = await clausesIn(enrolled({}), enrolled({ id: 'test-002-card-is-enrolled' }));
    expect(restingOnOne(twice)).toEqual([]);
  });

  it('fails a gate that names what was not seen', async () => {
    const coverage = await clausesIn(enrolled({}));
    expect(clausesGate(coverage, 0).met).toBe(true);
    expect(clausesGate(coverage, 100)).toMatchObject({
      met: false,
      says: expect.stringContaining('AP-08: enroll_card, card (never refused)'),
    });
  });
});

describe('what was seen in no direction', () => {
  it.each([
    [[], [], true, 'allowed or refused'],
    [['a'], [], true, 'refused'],
    [['a'], [], false, undefined],
    [[], ['a'], true, 'allowed'],
    [['a'], ['b'], true, undefined],
  ])('allowed in %j and refused in %j', (allowed, refused, canRefuse, lacks) => {
    expect(lacksOf({ allowed, refused }, canRefuse)).toBe(lacks);
  });
});

describe('the tables of the documents', () => {
  it('are what the machines do, and what there is to cover', () => {
    expect(deviations()).toEqual([]);
    expect(rowsOf()).toContainEqual({ machine: 'card', from: 'PENDING', trigger: 'verify', to: 'ACTIVE' });
    expect(refusedPairs()).toContainEqual({ machine: 'subscription', from: 'CANCELLED', trigger: 'cancel' });
  });

  it('fail a gate where a machine does something else', () => {
    expect(tablesGate([]).met).toBe(true);
    expect(tablesGate(['card: a move'])).toMatchObject({ met: false, says: 'card: a move.' });
  });

  it('lists twenty of them, and how many more there are', () => {
    const { says } = tablesGate(Array.from({ length: 23 }, (_, at) => `move ${at + 1}`));
    expect(says).toMatch(/^move 1; .*; move 20; and 3 more\.$/);
  });
});

describe('JUnit', () => {
  it('says which failed and why, with markup of nobody', () => {
    const xml = junit(report);
    expect(xml).toContain('<testsuite name="test" tests="3" failures="2" errors="0"');
    expect(xml).toContain('name="A &lt;b&gt;title&lt;/b&gt; &amp; &quot;more&quot; | `code`"');
    expect(xml).toContain('<failure message="Only 3 % of the rules."/>');
    expect(xml).not.toContain('<script>');
    expect(xml.match(/<testcase /g)).toHaveLength(4);
  });
});

describe('Markdown', () => {
  it('tells first what failed', () => {
    const page = markdown(report);
    expect(page.split('\n')[0]).toBe('# 2 of 3 scenarios failed, 1 gate not met');
    expect(page).toContain('A \\<b\\>title\\</b\\> & "more" \\| \\`code\\`');
    expect(page).toContain('- **rules**: Only 3 % of the rules.');
  });

  it('of a run that passed says so', () => {
    const passed = reportOf({ by: 'purser 0', mode: 'replay', results: results.slice(0, 1), gates: [] });
    expect(markdown(passed).split('\n')[0]).toBe('# 1 scenario passed');
  });

  it('has calls and tokens of what failed, and what was expected beside what was found', () => {
    const differs = { grader: 'golden' as const, at: '2. list_plans, data', because: 'it differs.' };
    const sides = { expected: 'amount: "9.99"', found: '' };
    const page = markdown({
      ...report,
      scenarios: [failing('a', { ...differs, sides }, { ...differs, because: 'so.' })],
    });
    expect(page.split('\n')).toEqual(
      expect.arrayContaining([
        '- **a**: a (`a.yaml`), 1 call, about 100 tokens, 1 ms',
        '    - expected: amount: "9.99"',
        '    - got: nothing',
        '  - golden, step 2 list\\_plans, data: so.',
      ]),
    );
  });

  it('tells three alike at length, and names the others', () => {
    const alike = ['a', 'b', 'c', 'd'].map((id) => failing(id, { grader: 'calls', at: 'calls', because: 'none.' }));
    const page = markdown({ ...report, scenarios: alike });
    expect(page.match(/ {2}- calls, calls: none\./g)).toHaveLength(3);
    expect(page).toContain('- **d**: d (`d.yaml`)\n');
  });
});

const failing = (id: string, ...failures: Report['scenarios'][number]['failures']): Report['scenarios'][number] => ({
  ...{ id, title: id, file: `${id}.yaml`, rules: [], verdict: 'fail' as const, failures, began: 0, milliseconds: 1 },
  ...{ calls: 1, bytes: 400, transcript: [], changes: [] },
});

describe('what failed', () => {
  const golden = (figure: string, step: number) => ({
    ...{ grader: 'golden' as const, at: `${step}. list_plans, data`, because: `amount was "9.99", is "${figure}".` },
    sides: { expected: 'amount: "9.99"', found: `amount: "${figure}"` },
  });
  const scenarios = [
    failing('a', golden('9.98', 2)),
    failing('b', golden('1.00', 7)),
    failing('c', golden('9.98', 2), { grader: 'invariant', at: 'run', because: 'money moved.' }),
  ];

  it('is named once, without the values of one scenario', () => {
    const because =
      'cards.card_aaaaaaaaaaaa was null and is {"status":"ACTIVE","limits":[{"a":1}]}; it must not change.';
    const [group] = groupsOf([failing('a', { grader: 'state', at: 'cards.card_aaaaaaaaaaaa', because })]);
    expect(group?.about).toBe('cards.… was null and is {…}; it must not change.');
  });

  it('comes by its gravest failure, and what is alike stands together', () => {
    expect(groupsOf(scenarios).map((it) => [it.grader, it.scenarios.map(({ id }) => id)])).toEqual([
      ['invariant', ['c']],
      ['golden', ['a', 'b']],
    ]);
    expect(groupsOf([{ ...failing('d'), verdict: 'pass' }])).toEqual([]);
  });

  it('names steps as people count them', () => {
    expect(['steps[0] enroll_card', '3. list_cards, next', 'cards.card_ada'].map(placeOf)).toEqual([
      'step 1 enroll_card',
      'step 3 list_cards, next',
      'cards.card_ada',
    ]);
    expect(stepOf({ at: 'steps[4] say' })).toBe(5);
  });

  it('has what was expected beside what was found, where a grader knows both', () => {
    const sides = results.flatMap(({ failures }) => failures).filter((it) => it.sides !== undefined);
    expect(reportSchema.parse(report).scenarios.flatMap((it) => it.failures)).toEqual(
      report.scenarios.flatMap((it) => it.failures),
    );
    expect(sides.every((it) => it.sides?.expected !== it.sides?.found)).toBe(true);
  });
});

describe('two runs beside each other', () => {
  const of = (...scenarios: readonly Report['scenarios'][number][]): Report => ({
    ...report,
    summary: {
      ...report.summary,
      scenarios: scenarios.length,
      failed: scenarios.filter((it) => it.verdict === 'fail').length,
    },
    scenarios: [...scenarios],
  });
  const passing = (id: string, bytes = 400) => ({ ...failing(id), verdict: 'pass' as const, bytes });

  it('say what fails anew, what is mended, and what came and went', () => {
    const found = compareRuns(
      of(passing('a'), failing('b'), passing('gone')),
      of(failing('a'), passing('b'), passing('new')),
    );
    expect(found).toMatchObject({ broken: ['a'], mended: ['b'], added: ['new'], gone: ['gone'] });
    expect([found.before.failed, found.after.failed]).toEqual([1, 1]);
  });

  it('say what takes noticeably more to read, the largest difference first', () => {
    const found = compareRuns(
      of(passing('a'), passing('b'), passing('c')),
      of(passing('a', 404), passing('b', 800), passing('c', 4_000)),
    );
    expect(found.changed.map(({ id, tokens }) => [id, tokens])).toEqual([
      ['c', [100, 1_000]],
      ['b', [100, 200]],
    ]);
  });

  it('say what only one of them exercised', () => {
    const before = of(passing('a'));
    const { coverage } = before;
    if (coverage === undefined) throw new Error('The report has coverage.');
    const without = { ...before, coverage: { ...coverage, tools: coverage.tools.map((it) => ({ ...it, by: [] })) } };
    expect(compareRuns(before, without)).toMatchObject({ lost: ['tool enroll_card'], gained: [] });
    expect(compareRuns(without, before)).toMatchObject({ lost: [], gained: ['tool enroll_card'] });
  });
});

describe('the redactor', () => {
  const secret = 'YmFzZTY0IHNlY3JldA/x+1=';
  it.each(Object.keys(encodings))('hides a known secret: %s', (form) => {
    const text = `before ${encodings[form]?.(secret)} after`;
    const shown = redactor([{ what: 'key', value: secret }])({ deep: [{ [text]: text }] });
    expect(JSON.stringify(shown)).not.toContain(encodings[form]?.(secret));
    expect(JSON.stringify(shown)).toMatch(/before .*\[hidden\].* after/);
  });

  it.each([
    ['a card number', 'Pay with 4000-0000-0000-0002 now', 'Pay with [hidden] now'],
    ['a bearer token', 'Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [hidden]'],
    ['an API key', 'key sk-abcdefghij0123456789', 'key [hidden]'],
    ['a one-time code', 'Your verification code: 482913.', 'Your verification code: [hidden].'],
    ['a signed token', 'x eyJhbGciOiJIUzI1NiJ9.eyJhIjoxMjM0NTY3fQ.c2ln y', 'x [hidden] y'],
    ['an order number, which is none', 'order 1234567890123456', 'order 1234567890123456'],
    ['a moment, which is none', '1768467600000', '1768467600000'],
  ])('%s', (_, text, shown) => {
    expect(redactor()(text)).toBe(shown);
  });

  it.each<readonly [string, string]>([
    ...disguises,
    ['between dashes of print', spaced('\u2013')],
    ['in a list', spaced(', ')],
  ])('hides a card number, and nothing of it is left: %s', (_, text) => {
    const shown = redactor()({ [text]: [`Take\nit: ${text}.`, text] });
    expect(JSON.stringify(shown)).toContain('[hidden]');
    expect(JSON.stringify(shown)).not.toMatch(/[^\P{N}1]{2}/u);
  });

  it.each([
    ['a cryptogram', 'take AAECAwQFBgcICQoLDA0ODxAREhM= now', 'take [hidden] now'],
    ['a code in the digits of print', 'the otp is \uff11\uff12\uff13\uff14', '[hidden]'],
    ['a code that nobody sees named', 'o\u200btp 482913', '[hidden]'],
    ['a code in two parts', 'otp 4829 1356', '[hidden]'],
    ['members in a text', '{"cvv":"123","security_code":987}', '{"cvv":"[hidden]","security_code":[hidden]}'],
    ['members in a text in a text', '{\\"one_time_code\\":\\"48a913\\"}', '{\\"one_time_code\\":\\"[hidden]\\"}'],
    ['words that are no members', 'the pan: hot; a japan=1; otp codes', 'the pan: hot; a japan=1; otp codes'],
    ['lines, where there is no secret', 'one\ntwo\t3', 'one\ntwo\t3'],
  ])('%s', (_, text, shown) => {
    expect(redactor()(text)).toBe(shown);
  });

  it('hides what stands under the name of a secret, whatever it is', () => {
    expect(redactor()({ cvv: '123', otp: 482913, deep: [{ securityCode: ['9', '8'], cvvNote: 'none' }] })).toEqual({
      ...{ cvv: '[hidden]', otp: '[hidden]' },
      deep: [{ securityCode: '[hidden]', cvvNote: 'none' }],
    });
  });
});

describe('a baseline', () => {
  it('compares what fails by name', () => {
    const ended = (verdicts: Readonly<Record<string, 'pass' | 'fail' | 'judge error'>>) =>
      Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict }));
    const before = ended({ a: 'fail', b: 'fail', c: 'pass', unplayed: 'fail', unjudged: 'fail' });
    const now = ended({ a: 'pass', b: 'fail', c: 'fail', unjudged: 'judge error' });
    expect(compared(before, now)).toEqual({
      ...{ broken: ['c'], mended: ['a'], still: ['b'], unjudged: ['unjudged'] },
    });
  });
});
