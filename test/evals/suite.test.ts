import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { runAdversaries } from '../../evals/harness/adversaries/adversaries.ts';
import { badWords } from '../../evals/harness/adversaries/bad-words.ts';
import {
  type Coverage,
  coverageOf,
  halfCovered,
  missingIn,
  rulesPercent,
  tally,
} from '../../evals/harness/coverage/coverage.ts';
import { unreachable } from '../../evals/harness/coverage/transitions.ts';
import { goldenFile, orphansIn } from '../../evals/harness/goldens/files.ts';
import { goldenOf } from '../../evals/harness/goldens/golden.ts';
import { gradeReply } from '../../evals/harness/graders/reply.ts';
import { gradeManners, gradeSpeech } from '../../evals/harness/graders/speech.ts';
import { evaluate, type Result, shardOf } from '../../evals/harness/replay/evaluate.ts';
import type { Run } from '../../evals/harness/replay/run.ts';
import { rulesGate } from '../../evals/harness/reports/gates.ts';
import { reportOf } from '../../evals/harness/reports/report.ts';
import type { Loaded } from '../../evals/harness/scenario/load.ts';
import { isActor, isCall, isPoison } from '../../evals/harness/scenario/schema.ts';
import { type CollectionName, collections, fieldsOf, namesIn } from '../../evals/harness/world/collections.ts';
import { formatsOf, write } from '../../src/cli/evals/writers.ts';
import { reveal } from '../../src/core/secret.ts';
import { secretsIn } from '../../src/core/secret-leaves.ts';
import { retries } from '../../src/engine/answer.ts';
import { search } from '../promises/encodings.ts';
import { bytesIn } from '../promises/entries.ts';
import { formsIn } from '../promises/forms.ts';
import { isOfToday } from '../support/drawn.ts';
import { folder } from '../support/folder.ts';
import { isConsistent, refusalsIn } from './advice.ts';
import { paraphrases } from './paraphrases.ts';
import { everyScenario, scenarioFolder, stageOfFile, watch } from './support.ts';

const seen = vi.hoisted(() => ({ entered: new Set<string>(), released: new Set<string>() }));

/** The only place where the secrets of a request are open. */
vi.mock('../../src/client/request-secrets.ts', async (original) => {
  const real = await original<typeof import('../../src/client/request-secrets.ts')>();
  const sendOpened: typeof real.sendOpened = (operation, body, send) =>
    real.sendOpened(operation, body, (opened) => {
      for (const secret of secretsIn(operation.body, opened)) seen.entered.add(secret);
      return send(opened);
    });
  return { ...real, sendOpened };
});

/** The only place where the secrets of an answer are. */
vi.mock('../../src/engine/seal-answer.ts', async (original) => {
  const real = await original<typeof import('../../src/engine/seal-answer.ts')>();
  const sealAnswer: typeof real.sealAnswer = (vault, ...rest) => {
    const put: typeof vault.put = (rows, secret, keeping) => {
      for (const text of textsIn(reveal(secret))) if (guarded.test(text)) seen.released.add(text);
      return vault.put(rows, secret, keeping);
    };
    return real.sealAnswer({ put }, ...rest);
  };
  return { ...real, sealAnswer };
});

/** Of what the platform releases: a card number, a cryptogram, a signed whole. */
const guarded = /^\d{16}$|^[\w+/]{20,}=+$|^eyJ/;

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const stage = stageOfFile();
let loaded: readonly Loaded[] = [];
let results: readonly Result[] = [];
let coverage: Coverage;

beforeAll(async () => {
  loaded = await everyScenario();
  results = await evaluate(loaded, stage(), { watch }); // `npm run eval` holds their goldens
  coverage = coverageOf(results);
}, 600_000);

describe('the scenarios', () => {
  it('all pass, and no secret is seen in any of them', () => {
    const failed = results.filter(({ verdict }) => verdict !== 'pass').map(({ id, failures }) => ({ id, failures }));
    expect(failed).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(40);
  });

  it('have each a golden, and no golden is left over', () => {
    expect(loaded.map(goldenFile).filter((file) => !existsSync(file))).toEqual([]);
    expect(orphansIn([scenarioFolder], loaded)).toEqual([]);
  });

  it('have goldens of a size that a review can read', () => {
    const sizes = loaded.map((one) => readFileSync(goldenFile(one)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(4_500);
  });

  it('exercise every rule of every domain that is there, allowed and refused', () => {
    expect(halfCovered(coverage)).toEqual([]);
  });

  it('exercise every transition, tool, outcome, code, fault and forbidden transition', () => {
    const { rules: _, clauses: __, ...lists } = coverage;
    expect(Object.values(lists).flatMap((list) => missingIn(list).map(({ name }) => name))).toEqual([]);
  });

  it('take no transition that is said to be beyond them, and each that is said so is there', () => {
    const { transitions } = coverage;
    const beyond = transitions.filter((it) => it.beyond !== undefined);
    expect(beyond.map(({ by }) => by)).toEqual(unreachable.map(() => []));
    expect(tally(transitions)).toEqual({
      covered: transitions.length - beyond.length,
      of: transitions.length - beyond.length,
    });
  });

  it('end in states that hold the collections and fields that the page names', () => {
    const members = (name: CollectionName) => results.flatMap(({ run }) => Object.values(run.after?.state[name] ?? {}));
    const found = collections.map((name) => {
      const seen = members(name).map((it) => (isRecord(it) ? Object.keys(it) : []));
      return [name, fieldsOf(name) === undefined ? [] : [...new Set(seen.flat())].toSorted()];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(collections.map((name) => [name, (fieldsOf(name) ?? []).toSorted()])),
    );
    const names = new Set(results.flatMap(({ run }) => Object.keys(run.after?.state.effects ?? {})));
    expect([...names].filter((name) => namesIn('effects')?.includes(name) !== true)).toEqual([]);
    for (const { run } of results)
      expect(Object.keys(run.after?.state ?? {}).toSorted()).toEqual(collections.toSorted());
  });

  it('say of every call what is expected of it, which a live model is held to', () => {
    const silent = loaded.filter(({ scenario }) => scenario.steps.some((it) => isCall(it) && it.expect === undefined));
    expect(silent.map(({ scenario }) => scenario.id)).toEqual([]);
  });

  it('have time, faults, hostile text and other actors in them', () => {
    const having = (is: (step: Loaded['scenario']['steps'][number]) => boolean) =>
      loaded.filter(({ scenario }) => scenario.steps.some(is)).length;
    expect(having((step) => 'advance' in step)).toBeGreaterThanOrEqual(8);
    expect(having((step) => 'fault' in step)).toBeGreaterThanOrEqual(8);
    expect(having(isPoison)).toBeGreaterThanOrEqual(5);
    expect(having(isActor)).toBeGreaterThanOrEqual(5);
  });

  it('end the same way however often and in whatever order they are run', async () => {
    const some = loaded.filter((_, place) => place % 9 === 0);
    const again = await evaluate(some.toReversed(), stage(), { watch });
    const first = new Map(results.map(({ id, run }) => [id, run]));
    for (const { id, run } of again) {
      const before = first.get(id);
      expect(run).toEqual(before);
      expect(goldenOf(run)).toBe(before && goldenOf(before));
    }
  }, 240_000);
});

describe('an agent that does nothing', () => {
  it('passes nothing', async () => {
    const played = results.map(({ run }) => run);
    const runs = await runAdversaries(loaded, stage(), ['noop'], played);
    expect(runs.filter(({ by }) => by.length === 0)).toEqual([]);
    expect(runs).toHaveLength(loaded.length);
  }, 600_000);
});

describe('every answer of the scenarios', () => {
  it.each([
    ['billing', ['amount', 'count', 'moment', 'month', 'unit']],
    ['engine', ['amount', 'count', 'moment', 'month']],
    ['invoicing', ['amount', 'count', 'day', 'moment']],
    ['purchase', ['amount', 'count', 'moment', 'month']],
  ] as const)(
    'of %s has amounts in the decimals of their currency, counts as numbers, units as words and dates in ISO',
    (domain, expected) => {
      const { seen, wrong } = formsIn(results.filter(({ id }) => id.startsWith(`${domain}-`)));
      expect(wrong).toEqual([]);
      expect([...seen]).toEqual(expect.arrayContaining([...expected]));
    },
  );

  it('that refuses says whether to try again, in agreement with time, field and ways out', () => {
    const refusals = refusalsIn(results);
    expect(new Set(refusals.map(({ error }) => error.retry))).toEqual(new Set(Object.keys(retries)));
    expect(refusals.length).toBeGreaterThan(200);
    expect(refusals.filter((it) => !isConsistent(it))).toEqual([]);
  });
});

describe('a rule without a scenario', () => {
  it('fails the gate, which names it and what it lacks', () => {
    const without = results.filter(
      ({ run }) => !run.scenario.rules.includes('AP-12') || run.scenario.twin === undefined,
    );
    const less = coverageOf(without);
    expect(halfCovered(less)).toEqual([{ rule: 'AP-12', lacks: 'refused' }]);
    expect(rulesPercent(less)).toBeLessThan(100);
    expect(rulesGate(less, 100)).toMatchObject({
      met: false,
      says: expect.stringContaining('AP-12 (never refused)'),
    });
  });

  it('is not covered by a scenario that fails', () => {
    const failing = results.map((it) =>
      it.run.scenario.rules.includes('AP-12') ? ({ ...it, verdict: 'fail' } as const) : it,
    );
    expect(halfCovered(coverageOf(failing)).map(({ rule }) => rule)).toContain('AP-12');
  });
});

describe('what people and the app enter, and what the platform releases', () => {
  it('is in no report of the evals, in any of its formats', async () => {
    const report = reportOf({ by: 'purser 0', mode: 'replay', results, coverage, gates: [] });
    const reports = join(folder(), 'reports');
    await write(report, formatsOf('json,junit,md,html,otel', reports), reports);
    const sinks = bytesIn(reports);
    const secrets = [...seen.entered, ...seen.released];
    expect([seen.entered.size > 5, seen.released.size > 20, sinks.length]).toEqual([true, true, 5]);
    expect(search(sinks, Object.fromEntries(secrets.map((secret, at) => [`secret ${at}`, secret]))).hits).toEqual([]);
  });
});

describe('shards', () => {
  it('are the whole together, and nothing twice', () => {
    const parts = [1, 2, 3].flatMap((index) => shardOf(loaded, { index, of: 3 }));
    expect(parts.toSorted((one, other) => one.file.localeCompare(other.file))).toEqual(
      loaded.toSorted((one, other) => one.file.localeCompare(other.file)),
    );
  });
});

describe('what is said', () => {
  const speech = (run: Run) => [...gradeReply(run), ...gradeManners(run), ...gradeSpeech(run)].map((it) => it.because);
  const isOther = (run: Run, other: Run): boolean =>
    run.entries.some(
      (it, at) =>
        it.kind === 'say' && it !== other.entries[at] && JSON.stringify(it) !== JSON.stringify(other.entries[at]),
    );
  const saying = (run: Run, say: (line: string) => string): Run => ({
    ...run,
    entries: run.entries.map((it) => (it.kind === 'say' ? { ...it, text: say(it.text) } : it)),
    reference: run,
  });
  /** Every reply in each of twenty wordings, where it has something to word: `npm test` words one scenario in three, others each day. */
  let worded: readonly { readonly id: string; readonly how: string; readonly run: Run }[] = [];
  beforeAll(() => {
    const those = results.filter(({ id }) => isOfToday(3, id));
    worded = those.flatMap(({ id, run }) =>
      Object.entries(paraphrases)
        .map(([how, say]) => ({ id, how, run: saying(run, say) }))
        .filter((it) => isOther(it.run, run)),
    );
  });

  it('passes in twenty wordings: orders, synonyms, forms of sums and dates, and phrases of other languages', () => {
    expect(Object.keys(paraphrases)).toHaveLength(20);
    expect(worded.length).toBeGreaterThan(results.length * 2);
    expect(new Set(worded.map(({ how }) => how)).size).toBe(20);
    expect(worded.flatMap((it) => speech(it.run).map((because) => `${it.id}, ${it.how}: ${because}`))).toEqual([]);
  }, 240_000);

  it('is found to be wrong in whatever wording: a sum that is a hundredth less', () => {
    // Every wording of one scenario in three: the share is what counts.
    const ids = [...new Set(worded.map(({ id }) => id))];
    const lies = worded
      .filter(({ id }) => ids.indexOf(id) % 3 === 0)
      .map((it) => ({ before: it.run, after: saying(it.run, badWords['wrong-figure']) }))
      .filter(({ before, after }) => isOther(after, before));
    const found = lies.filter(({ after }) => speech(after).length > 0);
    expect(lies.length).toBeGreaterThan(ids.length);
    expect(found.length / lies.length).toBeGreaterThan(0.95);
  }, 240_000);
});
