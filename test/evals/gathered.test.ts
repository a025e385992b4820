import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { accepting, checkGolden } from '../../evals/harness/goldens/files.ts';
import { accepted, checked } from '../../evals/harness/goldens/goldens.ts';
import { platformAnswers } from '../../evals/harness/goldens/platform-answers.ts';
import { sentences } from '../../evals/harness/goldens/sentences.ts';
import { evaluate } from '../../evals/harness/replay/evaluate.ts';
import type { Run } from '../../evals/harness/replay/run.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { loadScenarios } from '../../evals/harness/scenario/load.ts';
import { defineScenario } from '../../evals/harness/scenario/schema.ts';
import { kindsOf } from '../../evals/harness/world/kinds.ts';
import { folder } from '../faces/cli.ts';
import { stageOfFile, watch } from './support.ts';

const stage = stageOfFile();

/** A story in a folder, with these goldens beside its folder. */
async function placed(...texts: readonly string[]) {
  const place = folder();
  const scenarios = join(place, 'scenarios');
  mkdirSync(scenarios);
  const plans = defineScenario({
    ...{ id: 'test-005-the-plans', title: 'Plans are listed', rules: ['PL-11'], world: { fixture: 'billing' } },
    steps: [{ user: 'Which plans are there?' }, { call: 'list_plans' }, { say: 'There they are.' }],
    expect: { changed: [] },
  });
  writeFileSync(join(scenarios, `${plans.id}.yaml`), stringify(plans));
  const files = [platformAnswers, sentences].map(({ file }) => join(place, file));
  for (const [index, file] of files.entries()) writeFileSync(file, texts[index] ?? '');
  return { loaded: await loadScenarios([scenarios], purserCatalogue), files };
}

describe('goldens that are gathered from all stories', () => {
  const runOf = (requests: readonly object[], entries: readonly object[] = []): Run =>
    ({ requests: [requests], entries }) as unknown as Run;
  const sent = (answer: object, status = 200): object => ({
    ...{ method: 'GET', path: '/rbs/v1/plans/17?x=1', body: '', status },
    kinds: kindsOf(answer),
  });

  it('have the fields of each answer of the platform, and their kinds', () => {
    const text = platformAnswers.textOf([
      runOf([sent({ id: 'a', items: [{ sum: '1.00', at: '2026-01-02' }, { sum: '2.00' }] })]),
      runOf([sent({ id: 'b', note: 'Two words', items: [] }), sent({ status: 'NONE' }, 404)]),
    ]);
    expect(text).toBe(
      [
        ...['GET /rbs/v1/plans/{id} 200', '  id: a, b', '  items: empty list, list', '  items[]: object'],
        ...['  items[].at?: 9999-99-99', '  items[].sum: 2 decimals', '  note?: text', ''],
        ...['GET /rbs/v1/plans/{id} 404', '  status: NONE', ''],
      ].join('\n'),
    );
  });

  it.each([
    ['another kind', { id: 'a', sum: 1 }, 'sum', 'was 2 decimals, is whole'],
    ['a field that no answer has', { id: 'a', sum: '1.00', note: 'a' }, 'note', 'is in no answer'],
    ['no field that all have', { id: 'a' }, '', 'has no sum'],
  ])('find %s', (_, answer, path, says) => {
    const golden = platformAnswers.textOf([runOf([sent({ id: 'a', sum: '1.00' })])]);
    const at = path === '' ? 'GET /rbs/v1/plans/{id} 200' : `GET /rbs/v1/plans/{id} 200, ${path}`;
    expect(platformAnswers.strangeIn(golden, runOf([sent(answer)]))).toEqual([{ at, says }]);
    expect(platformAnswers.strangeIn(golden, runOf([sent({ id: 'a', sum: '2.00' })]))).toEqual([]);
  });

  it('find an answer with a status that no story has', () => {
    const golden = platformAnswers.textOf([runOf([sent({ id: 'a' })])]);
    expect(platformAnswers.strangeIn(golden, runOf([sent({ id: 'a' }, 201)]))).toMatchObject([
      { at: 'GET /rbs/v1/plans/{id} 201' },
    ]);
  });

  it('have no value of an answer but words', () => {
    const secret = { number: '4111111111111111', payload: 'eyJhbGciOiJIUzI1NiJ9.eyJudW1iZXIiOiI0In0.c2ln', at: 'a b' };
    expect(Object.values(kindsOf(secret) as object)).toEqual(['16 digits', 'text', 'text']);
  });

  const saying = (said: string, code = 'RULE', rule = 'PL-02'): Run =>
    runOf([], [{ kind: 'event', answer: { outcome: 'refused', said, error: { code, rule } } }]);

  it('have each sentence once, by how the call ended', () => {
    const runs = [
      saying('Not plan_aaaaaaaaaaaa.'),
      saying('Not plan_bbbbbbbbbbbb.'),
      saying('Never.', 'CONFLICT', 'EN-03'),
    ];
    const golden = sentences.textOf(runs);
    expect(golden).toBe('refused CONFLICT EN-03\n  Never.\n\nrefused RULE PL-02\n  Not $plan.\n');
    expect(sentences.strangeIn(golden, saying('Never.'))).toMatchObject([{ at: 'refused RULE PL-02' }]);
    expect(sentences.strangeIn(golden, saying('Not plan_cccccccccccc.'))).toEqual([]);
  });

  it.each([platformAnswers, sentences])('of some stories are added to those of all: $name', (gathered) => {
    const [one, other] = [
      [runOf([sent({ id: 'a', note: 'x y', items: [{ sum: '1.00' }] })]), saying('One.')],
      [runOf([sent({ id: 'b', items: [] })]), saying('Two.')],
    ];
    expect(gathered.together(gathered.textOf(one), gathered.textOf(other))).toBe(gathered.textOf([...one, ...other]));
  });

  it('are written for all stories, added to for some, and hold each', async () => {
    const { loaded, files } = await placed('\n', '\n');
    const runs = (await evaluate(loaded, stage(), { watch })).map(({ run }) => run);

    expect(checked.gathered({ loaded, runs, isWhole: true })).toMatchObject([{ met: false }, { met: false }]);
    expect(checked.gathered({ loaded, runs, isWhole: false })).toEqual([]);
    const told: string[] = [];
    const writing = accepted(({ id }) => void told.push(id));
    expect(writing.gathered({ loaded, runs, isWhole: false })).toEqual([]);
    expect(told).toHaveLength(files.length);
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(
      [platformAnswers, sentences].map((one) => one.textOf(runs)),
    );
  });

  it('let a story fail that has something else', async () => {
    const { loaded } = await placed('GET /rbs/v1/plans 200\n  plans: empty list\n', 'done\n  Something else.\n');
    await evaluate(loaded, stage(), { watch, golden: accepting(() => undefined) });
    const [result] = await evaluate(loaded, stage(), { watch, golden: checkGolden });
    expect(result?.failures.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['done', 'GET /rbs/v1/plans 200, plans', 'GET /rbs/v1/plans 200, plans[].id']),
    );
  });
});
