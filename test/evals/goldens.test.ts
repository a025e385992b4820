import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { turnsBetween } from '../../evals/harness/goldens/compare.ts';
import { type Accepted, accepting, checkGolden, goldenFile, orphansIn } from '../../evals/harness/goldens/files.ts';
import { goldenOf } from '../../evals/harness/goldens/golden.ts';
import { checked } from '../../evals/harness/goldens/goldens.ts';
import { recordFiles, recordsBy, recordsOf, recordTurns } from '../../evals/harness/goldens/records.ts';
import { tablesText } from '../../evals/harness/goldens/tables.ts';
import { evaluate, type Result } from '../../evals/harness/replay/evaluate.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import { allowedBy, spoiledOf, variationsOf } from '../../evals/harness/replay/variations.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { type Loaded, loadScenarios } from '../../evals/harness/scenario/load.ts';
import { defineScenario, isCall, type Scenario } from '../../evals/harness/scenario/schema.ts';
import { listingOf } from '../../evals/harness/world/mcp.ts';
import { agentCaller } from '../../evals/harness/world/settings.ts';
import type { Alter } from '../../evals/harness/world/world.ts';
import { folder } from '../faces/cli.ts';
import { bought, enrolled, everyScenario, order, playOn, stageOfFile, watch } from './support.ts';

const stage = stageOfFile();

const buying = (now?: string): Scenario =>
  defineScenario({
    id: 'test-003-a-purchase',
    title: 'A purchase is approved',
    rules: ['AP-05'],
    ...(now === undefined ? {} : { world: { fixture: 'plain', now } }),
    user: { knows: { order: order() } },
    steps: [...bought, { say: 'It is registered.' }],
    expect: { changed: ['cards', 'instructions'] },
  });

/** A folder with this scenario, as it is loaded. */
async function placed(scenario: Scenario): Promise<readonly [place: string, loaded: readonly Loaded[]]> {
  const place = folder();
  writeFileSync(join(place, `${scenario.id}.yaml`), stringify(scenario));
  return [place, await loadScenarios([place], purserCatalogue)];
}

/** Plays, holds against the golden and says what is wrong. */
const held = async (loaded: readonly Loaded[], alter?: Alter): Promise<readonly string[]> =>
  complaints(await evaluate(loaded, stage(), { watch, golden: checkGolden, ...(alter && { alter: () => alter }) }));
const complaints = (results: readonly Result[]): readonly string[] =>
  results.flatMap(({ failures }) => failures.map(({ grader, at, because }) => `${grader} | ${at} | ${because}`));

async function accept(loaded: readonly Loaded[], alter?: Alter): Promise<readonly Accepted[]> {
  const all: Accepted[] = [];
  const golden = accepting((it) => void all.push(it));
  await evaluate(loaded, stage(), { watch, golden, ...(alter && { alter: () => alter }) });
  return all;
}

/** Purser with another name of the merchant: something that nobody's expectation mentions. */
const renamed: Alter = (parts) => ({
  ...parts,
  settings: { ...parts.settings, merchant: { ...parts.settings.merchant, name: 'Another Shop' } },
});

describe('a golden', () => {
  it('has the answers, what a person was asked, what was sent, and what differs at the platform and in the ledger', async () => {
    const text = goldenOf(await playOn(stage(), buying()));
    const lines = text.split('\n').map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining([
        '2. initiate_purchase: needs_approval APPROVAL_REQUIRED EN-04 retry same_call',
        '| At most: "40.00 GBP"',
        '| Until: "2026-01-15T12:00:00.000Z"',
        'next: [retrieve_credentials, update_purchase, cancel_purchase]',
        '> POST /acp/v1/instructions 200',
        '+ instruction $instruction1.instructionId:',
        'took effect: [enrollCard 200, initiatePurchase 200]',
        'audit: proposed > approved pat cli > sent > answered done',
      ]),
    );
  });

  it('has the page on which a customer chooses, and differs where a price is missing on it', async () => {
    const loaded = await loadScenarios(
      ['evals/scenarios/conversion/conversion-534-chosen-on-the-customers-page.yaml'],
      purserCatalogue,
    );
    const [result] = await evaluate(loaded, stage(), { watch });
    if (result === undefined) throw new Error('The scenario was played.');
    const read = [
      "In the shop's currency: 240.00 USD",
      "In your card's currency: 376.81 AUD",
      'Markup in this rate: 3.00 %',
    ];
    const lines = goldenOf(result.run).split('\n');
    expect(lines).toEqual(expect.arrayContaining(read.map((line) => `    | ${line}`)));
    const blank: Alter = (parts) => ({
      ...parts,
      tools: parts.tools.map((tool) => {
        if (tool.kind !== 'platform' || tool.page?.table === undefined) return tool;
        return { ...tool, page: { ...tool.page, table: () => [] } };
      }),
    });
    expect((await held(loaded, blank)).join('\n')).toContain('golden | 6. The customer chooses AUD');
  });

  it('names ids in the order in which they appear, and holds none', async () => {
    const text = goldenOf(await playOn(stage(), buying()));
    expect(text).toContain('$instruction1');
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|\b(?:op|apr|instruction)_[a-z]|FACE0/);
  });

  it('has no sentence, but for its figures, names and addresses', async () => {
    const run = await playOn(stage(), enrolled({ world: { fixture: 'plain' } }));
    expect(goldenOf(run)).not.toContain('The card is active');
  });

  it('is the same in another world that begins at another time', async () => {
    const scenario = enrolled();
    const later = enrolled({ world: { fixture: 'plain', now: '2026-03-31T23:59:59Z' } });
    expect(goldenOf(await playOn(stage(), later))).toBe(goldenOf(await playOn(stage(), scenario)));
  });
});

describe('a run', () => {
  it('fails without a golden, and passes with the one that it made', async () => {
    const [place, loaded] = await placed(buying());
    const [file = ''] = loaded.map(goldenFile);
    expect(await held(loaded)).toEqual([`golden | ${file} | there is no golden; --accept records it.`]);
    expect(await accept(loaded)).toMatchObject([{ id: 'test-003-a-purchase', isNew: true, turns: [] }]);
    expect([existsSync(file), file.startsWith(place), await held(loaded)]).toEqual([true, true, []]);
  });

  it('fails where anything differs, in words and by its step', async () => {
    const [, loaded] = await placed(buying());
    await accept(loaded);
    const found = await held(loaded, renamed);
    expect(found).toContain(
      'golden | 2. initiate_purchase, asks $apr1 | | Merchant was "Harbour Audio", is "Another Shop".',
    );
    expect(found.every((it) => it.startsWith('golden | '))).toBe(true);
  });

  it('is accepted with what differs in words', async () => {
    const [, loaded] = await placed(buying());
    await accept(loaded);
    const [first] = await accept(loaded, renamed);
    expect(first?.isNew).toBe(false);
    expect(first?.turns.map(({ says }) => says)).toContain('preferredMerchantName was Harbour Audio, is Another Shop');
    expect(await held(loaded, renamed)).toEqual([]);
  });

  it('that fails in another way is not accepted', async () => {
    const [, loaded] = await placed(enrolled({ expect: { changed: [] } }));
    expect([await accept(loaded), loaded.map(goldenFile).some(existsSync)]).toEqual([[], false]);
  });
});

describe('a golden without a scenario', () => {
  it('is found, however deep it lies', async () => {
    const [place, loaded] = await placed(buying());
    await accept(loaded);
    const orphan = join(place, 'test-004-nobody.golden');
    writeFileSync(orphan, readFileSync(loaded.map(goldenFile)[0] ?? ''));
    expect(orphansIn([place], loaded)).toEqual([orphan]);
    expect(
      orphansIn(
        loaded.map(({ file }) => file),
        loaded,
      ),
    ).toEqual([]);
  });
});

describe('requests with a field missing or wrong', () => {
  const varying = (vary?: true): Scenario =>
    defineScenario({
      ...buying(),
      steps: buying().steps.map((step) =>
        'call' in step && step.call === 'enroll_card' ? { ...step, ...(vary && { vary }) } : step,
      ),
    });
  const played = async (scenario: Scenario, varies: boolean) => {
    const world = await stage().open(scenario.world);
    return replay(scenario, { tools: world.tools, world, varies });
  };

  it('are answered in the golden, by answer, and change nothing in the story', async () => {
    const [plain, varied] = [await played(varying(), true), await played(varying(true), true)];
    const lines = goldenOf(varied).split('\n');
    const own = goldenOf(plain).split('\n');
    const added = lines.filter((line) => !own.includes(line));
    expect(added.filter((line) => /^ {2}were it/.test(line))).toEqual([
      '  were it called, done but',
      expect.stringMatching(/^ {2}were it POST /),
    ]);
    expect(added.join('\n')).toMatch(/ {4}refused NOT_FOUND EN-02 field it .*: \[.*card another/);
    expect(added.join('\n')).toMatch(/ {4}400 .*\bit\b.*:\s+\[?"?without /);
    expect(own.filter((line) => !lines.includes(line))).toEqual([]);
    expect(varied.after?.platform).toEqual(plain.after?.platform);
    expect(varied.after?.state).toEqual(plain.after?.state);
  });

  it('are not sent where no golden asks', async () => {
    expect(goldenOf(await played(varying(true), false))).not.toContain('were it');
  });

  it('are one for each field that is left out, and for each wrong value', () => {
    const of = (body: unknown) => variationsOf(body).map(({ what, body: other }) => [what, other]);
    expect(of({ sum: { amount: '40.00' }, on: true })).toEqual([
      ['without sum', { on: true }],
      ['without sum.amount', { sum: {}, on: true }],
      ['sum.amount 0', { sum: { amount: '0' }, on: true }],
      ['sum.amount huge', { sum: { amount: '940.00' }, on: true }],
      ['without on', { sum: { amount: '40.00' } }],
      ['on turned', { sum: { amount: '40.00' }, on: false }],
    ]);
    expect(of({ currency: 'GBP' })).toEqual([
      ['without currency', {}],
      ['currency empty', { currency: '' }],
      ['currency another', { currency: 'GBP?' }],
      ['currency in yen', { currency: 'JPY' }],
    ]);
    expect(of([{ day: '2026-03-01' }])).toEqual([
      [' empty', []],
      [' twice', [{ day: '2026-03-01' }, { day: '2026-03-01' }]],
      ['without [].day', [{}]],
      ['[].day in 2001', [{ day: '2001-03-01' }]],
      ['[].day in 2099', [{ day: '2099-03-01' }]],
    ]);
    const dates = { day: '2026-03-01', at: '2026-03-01T00:00:00Z', '?at': '2026-03-01T00:00:00.000Z' };
    const now = variationsOf(dates, Date.parse('2026-01-15T09:00:00Z')).filter(({ what }) => what.endsWith(' now'));
    expect(now.map(({ body }) => body)).toEqual([
      { ...dates, day: '2026-01-15' },
      { ...dates, at: '2026-01-15T09:00:00Z' },
      { ...dates, '?at': '2026-01-15T09:00:00.000Z' },
    ]);
  });

  it('of a registration are spoiled as well', () => {
    const card = '4111 1111 1111 1111';
    expect(spoiledOf({ cards: [{ label: 'x' }] }).map(({ what, body }) => [what, body])).toEqual([
      [' too much', { cards: [{ label: 'x' }], surplus: 'Word' }],
      [' named like a card', { cards: [{ label: 'x' }], [card]: 'Word' }],
      ['cards null', { cards: null }],
      ['cards[] too much', { cards: [{ label: 'x', surplus: 'Word' }] }],
      ['cards[] named like a card', { cards: [{ label: 'x', [card]: 'Word' }] }],
      ['cards[].label null', { cards: [{ label: null }] }],
      ['cards[].label like a card', { cards: [{ label: card }] }],
      ['cards[].label invisible', { cards: [{ label: 'x\u200b' }] }],
    ]);
  });
});

describe('calls with an argument missing or another one', () => {
  it('are tried with each value that a schema allows, and with what is not given', () => {
    const unit = { enum: ['week', 'month'] };
    const properties = {
      unit,
      on: { type: 'boolean' },
      sum: { properties: { unit } },
      day: { type: 'string', format: 'date' },
    };
    const of = (value: object) => allowedBy({ properties }, { ...value }).map(({ what, body }) => [what, body]);
    expect(of({ unit: 'week', on: true, sum: { unit: 'month' }, day: '2026-03-01' })).toEqual([
      ['unit month', { unit: 'month', on: true, sum: { unit: 'month' }, day: '2026-03-01' }],
      ['sum.unit week', { unit: 'week', on: true, sum: { unit: 'week' }, day: '2026-03-01' }],
    ]);
    expect(of({ unit: 'week' })).toEqual([
      ['unit month', { unit: 'month' }],
      ['on true', { unit: 'week', on: true }],
      ['on false', { unit: 'week', on: false }],
      ['day 2026-02-01', { unit: 'week', day: '2026-02-01' }],
    ]);
  });

  it('are recorded for every tool that an agent calls in a story', async () => {
    const calls = (await everyScenario()).flatMap(({ scenario }) => scenario.steps.filter(isCall));
    const varied = new Set(calls.filter(({ vary }) => vary === true).map(({ call }) => call));
    const called = new Set(calls.map(({ call }) => call));
    expect([...called].filter((name) => !varied.has(name))).toEqual(['preview_call']);
  });
});

describe('answers of the platform with a field missing or another one', () => {
  const reading = (vary: boolean): Scenario =>
    defineScenario({
      ...{ id: 'test-004-a-plan', title: 'A plan is looked at', rules: ['PL-11'], world: { fixture: 'billing' } },
      steps: [
        { user: 'What is the first plan?' },
        { call: 'list_plans', as: 'plans' },
        { call: 'get_plan', args: { plan: '$plans.items.0.plan' }, ...(vary && { vary }) },
        { say: 'It is there.' },
      ],
      expect: { changed: [] },
    });
  const played = async (vary: boolean) => {
    const world = await stage().open(reading(vary).world);
    return replay(reading(vary), { tools: world.tools, world, varies: true });
  };

  it('are tried for each request of a call, and change nothing in the story', async () => {
    const [plain, varied] = [await played(false), await played(true)];
    const text = goldenOf(varied);
    expect(text).toMatch(/^ {2}were GET \/rbs\/v1\/plans\/\S+ answered, done but$/m);
    expect(text).toMatch(/^ {4}refused UNREACHABLE EN-08 .*: \[without id\]$/m);
    expect(text).toMatch(/^ {4}status DRAFT: state: DRAFT; next: activate_plan/m);
    expect(text).toMatch(/^ {4}without name: no name$/m);
    expect(varied.after).toEqual(plain.after);
    expect(varied.entries.map((it) => it.kind === 'call' && it.answer)).toEqual(
      plain.entries.map((it) => it.kind === 'call' && it.answer),
    );
  });
});

describe('a difference', () => {
  it('is told by member, under the heading of its step', () => {
    const before = '1. buy: done\n  data: amount: "1.00", currency: GBP\n  next: [look]\n';
    const after = '1. buy: declined\n  data: amount: "2.00", currency: GBP, tip: 1\n';
    expect(turnsBetween(before, after)).toMatchObject([
      { at: '1. buy', says: 'outcome was done, is declined' },
      { at: '1. buy, data', says: 'amount was "1.00", is "2.00"' },
      { at: '1. buy, data', says: 'new: tip: 1' },
      { at: '1. buy', says: 'gone: next: [look]' },
    ]);
  });

  it('is told of long lists as of short ones', () => {
    const rows = (price: number) =>
      Array.from({ length: 4000 }, (_, at) => `  ${at + 1}: {of: ${at}, price: ${price}}\n`);
    const turns = turnsBetween(`1. list: answered\n${rows(1).join('')}`, `1. list: answered\n${rows(2).join('')}`);
    expect(turns).toHaveLength(4000);
    expect(turns.at(-1)).toMatchObject({ at: '1. list, 4000', says: 'price was 1, is 2' });
  });

  it('is told by member on a line of many, and the line that it fits on is no difference', () => {
    const before = '1. look: answered\n  answer:\n    id: ord_1, buyer: Ada\n    due: "2026-04-11"\n';
    const after = '1. look: answered\n  answer: id: ord_1, buyer: Bo\n';
    expect(turnsBetween(before, after)).toMatchObject([
      { at: '1. look, answer', says: 'buyer was Ada, is Bo' },
      { at: '1. look, answer', says: 'gone: due: "2026-04-11"' },
    ]);
    const list = '~ mails:\n  mails:\n    1: {to: Ada, about: Tea}\n    2:\n      to: Bo\n      about: Rugs\n';
    expect(turnsBetween('~ mails: mails: [{to: Ada, about: Tea}]\n', list)).toMatchObject([
      { at: '~ mails, mails, 2', says: 'new: to: Bo' },
      { at: '~ mails, mails, 2', says: 'new: about: Rugs' },
    ]);
    expect(turnsBetween('look: {to:Ada,about:Tea}\n', 'look: {to:Ada,about:Rugs}\n')).toMatchObject([
      { at: 'look', says: 'new: about:Rugs' },
      { at: 'look', says: 'gone: about:Tea' },
    ]);
  });
});

describe('the list of tools and the tables behind them', () => {
  const listing = async () =>
    listingOf({ engine: (await stage().open(undefined)).engine, caller: agentCaller, version: '0' });

  const firstOf = async (it: Awaited<ReturnType<typeof listing>>) => {
    for await (const record of recordsOf(it)) return record;
    throw new Error('Nothing is recorded.');
  };

  it('are as their goldens say, word by word: a gate names what differs, and that alone', async () => {
    const listed = await listing();
    const [first, ...rest] = listed.tools as readonly object[];
    const other = async () => ({ ...listed, tools: [{ ...first, description: 'Anything' }, ...rest] });
    expect(
      await checked.list(recordsBy(recordFiles, other)),
      'where more than the description differs, `purser eval --accept` writes the goldens',
    ).toEqual([
      { name: 'catalogue', met: false, says: expect.stringMatching(/^the run: description was .*, is Anything\.$/) },
    ]);
  });

  it('differ where a description, a hint or a schema does', async () => {
    const { tools, ...others } = await listing();
    const [first, ...rest] = tools as readonly { readonly description: string; readonly annotations: object }[];
    const before = await firstOf({ ...others, tools });
    const turnsOf = async (change: object): Promise<readonly string[]> => {
      const after = await firstOf({ ...others, tools: [{ ...first, ...change }, ...rest] });
      return recordTurns(before.text, after);
    };
    expect(await turnsOf({ description: 'Anything.' })).toEqual([expect.stringContaining('is Anything.')]);
    expect(await turnsOf({ annotations: { ...first?.annotations, destructiveHint: true } })).toEqual([
      expect.stringContaining('destructiveHint was false, is true'),
    ]);
    expect(recordTurns(undefined, { file: 'none.golden', text: '' })).toHaveLength(1);
  });

  it('differ in one line where one cell of a table does', async () => {
    const text = tablesText();
    const changed = (from: string, to: string) => recordTurns(text, { file: '', text: text.replace(from, to) });
    expect(changed('approvalMinutes: 10', 'approvalMinutes: 11')).toEqual(['limits: approvalMinutes was 10, is 11']);
    expect(changed('recovery: never', 'recovery: repeat')).toEqual([
      expect.stringMatching(/^operation \w+: recovery was never, is repeat$/),
    ]);
  });
});
