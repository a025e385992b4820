import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openJournal, UnusableJournal } from '../../evals/harness/live/journal.ts';
import { passAt, passHat, wilson } from '../../evals/harness/live/score.ts';
import type { Scenario, ScenarioInput } from '../../evals/harness/scenario/schema.ts';
import type { Line } from '../support/openai-server.ts';
import { key, liveOf, modelAt, playLive, scripted } from './live-support.ts';
import { enrolled, stageOfFile } from './support.ts';

const stage = stageOfFile();
const says = (text: string): Line => ({ text });
const enrolls: Line = { calls: [{ name: 'enroll_card', arguments: { card: 'card_ada' } }] };
const good: readonly Line[] = [enrolls, says('Done.')];
const bad: readonly Line[] = [says('Done.')];

const wish = (more: Partial<ScenarioInput> = {}) => enrolled({ user: { goal: 'Have my card set up' }, ...more });
const other = wish({ id: 'test-003-another-wish', title: 'Another wish' });

describe('trials', () => {
  it('are scored: pass^k, pass@k, an interval, and the threshold of a scenario', async () => {
    const agent = async () => modelAt(await scripted([...good, ...bad, ...good, ...good]));
    const strict = await playLive(stage(), [wish()], await agent(), { trials: 4 });
    expect(liveOf(strict)).toMatchObject({ counted: 4, passed: 3, hat: [0.75, 0.5, 0.25, 0], at: [0.75, 1, 1, 1] });
    expect(liveOf(strict).interval.map((it) => it.toFixed(3))).toEqual(['0.301', '0.954']);
    expect(strict.scenarios[0]).toMatchObject({
      verdict: 'fail',
      failures: [{ grader: 'state', at: 'cards' }, { grader: 'speech' }],
    });
    const lenient = await playLive(stage(), [wish()], await agent(), { trials: 4, threshold: 0.75 });
    expect(lenient.scenarios[0]).toMatchObject({ verdict: 'pass', failures: [] });
    const own = wish({ user: { goal: 'Have my card set up', threshold: 0.75 } });
    expect((await playLive(stage(), [own], await agent(), { trials: 4 })).scenarios[0]?.verdict).toBe('pass');
  });

  it('keep their figures, also one that has the digits of a card number', async () => {
    const times = [0, 4_000_000_000_000_002];
    const watch = { now: () => times.shift() ?? 0 };
    const report = await playLive(stage(), [wish()], await modelAt(await scripted(good)), { watch });
    expect(report.scenarios[0]?.milliseconds).toBe(4_000_000_000_000_002);
  });

  it('have a fresh world each', async () => {
    const agent = await modelAt(await scripted([...good, ...good]));
    const report = await playLive(stage(), [wish()], agent, { trials: 2 });
    expect(liveOf(report).passed).toBe(2);
  });
});

describe('figures', () => {
  const counts = fc.integer({ min: 1, max: 30 }).chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })));

  it('are those of choosing k trials of n', () => {
    const choose = (n: number, k: number): number =>
      k < 0 || k > n ? 0 : Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((all, it) => all * it, 1);
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 30 }), ([n, c], k) => {
        fc.pre(k <= n);
        expect(passHat(n, c, k)).toBeCloseTo(choose(c, k) / choose(n, k), 9);
        expect(passAt(n, c, k)).toBeCloseTo(1 - choose(n - c, k) / choose(n, k), 9);
      }),
    );
  });

  it('lie in an interval that holds the share and never leaves 0 to 1', () => {
    fc.assert(
      fc.property(counts, ([n, c]) => {
        const [low, high] = wilson(n, c);
        expect(low >= 0 && low <= c / n && high >= c / n && high <= 1).toBe(true);
      }),
    );
    expect(wilson(0, 0)).toEqual([0, 1]);
    expect(wilson(10, 10)[0].toFixed(4)).toBe('0.7225');
  });
});

describe('a rubric', () => {
  const rubric = wish({ expect: { changed: ['cards'], rubric: 'PASS if the assistant is polite' } });
  const judged = async (verdict: Line, script: readonly Line[] = good) => {
    const judges = await scripted([verdict]);
    const players = { judge: await modelAt(judges) };
    return { judges, report: await playLive(stage(), [rubric], await modelAt(await scripted(script)), { players }) };
  };

  it('is judged by a model, which sees the conversation and the criterion', async () => {
    const { judges, report } = await judged(says('PASS: very polite'));
    expect(report.scenarios[0]?.verdict).toBe('pass');
    const heard = JSON.stringify(judges.asked[0]?.body.messages);
    expect([heard.includes('PASS if the assistant is polite'), heard.includes('enroll_card')]).toEqual([true, true]);
  });

  it('fails with the reason of the judge', async () => {
    const { report } = await judged(says('FAIL: "Done." is curt'));
    expect(report.scenarios[0]).toMatchObject({
      verdict: 'fail',
      failures: [{ grader: 'rubric', at: 'expect.rubric', because: '"Done." is curt' }],
    });
  });

  it.each(['The assistant did well.', 'PASSED', 'PASS\nFAIL: both', 'pass: in small letters', ''])(
    'is an error of the judge, and neither a pass nor a fail, where the verdict is %j',
    async (text) => {
      const { report } = await judged(says(text));
      expect(report.scenarios[0]).toMatchObject({ verdict: 'judge error', failures: [{ grader: 'rubric' }] });
      expect(liveOf(report)).toMatchObject({ counted: 0, passed: 0, judgeErrors: 1 });
    },
  );

  it('is not asked about where a grader has found something: a judge can not mend that', async () => {
    const { judges, report } = await judged(says('PASS: fine'), bad);
    expect([judges.asked.length, report.scenarios[0]?.verdict]).toEqual([0, 'fail']);
  });

  it('is left aside where nobody judges, and the report says so', async () => {
    const report = await playLive(stage(), [rubric], await modelAt(await scripted(good)));
    expect(liveOf(report).unjudged).toEqual([rubric.id]);
  });
});

describe('a journal', () => {
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'purser-test-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const run = { model: 'scripted' };
  /** The journal of a run that was lost in its second trial. */
  const interrupted = async (): Promise<string> => {
    const file = join(folder(), 'live.jsonl');
    const server = await scripted([...good, { status: 401 }]);
    await playLive(stage(), [wish(), other], await modelAt(server), { journal: openJournal(file, run) });
    return file;
  };

  it('lets a run that was interrupted go on where it was', async () => {
    const file = join(folder(), 'live.jsonl');
    const first = await scripted([...good, ...bad, { status: 401 }]);
    const begun = await playLive(stage(), [wish(), other], await modelAt(first), {
      trials: 2,
      journal: openJournal(file, run),
    });
    expect(liveOf(begun)).toMatchObject({
      counted: 2,
      notBegun: 1,
      infrastructure: [{ scenario: other.id, trial: 1 }],
    });
    const second = await scripted([...good, ...good]);
    const ended = await playLive(stage(), [wish(), other], await modelAt(second), {
      trials: 2,
      journal: openJournal(file, run),
    });
    expect(liveOf(ended)).toMatchObject({ counted: 4, passed: 3, notBegun: 0, infrastructure: [] });
    expect([first.left(), second.left()]).toEqual([0, 0]);
  });

  it('forgets a trial that was cut off while it was written, and nothing else', async () => {
    const file = await interrupted();
    appendFileSync(file, '{"key":"test-003-ano');
    const server = await scripted(good);
    const journal = openJournal(file, run);
    const report = await playLive(stage(), [wish(), other], await modelAt(server), { journal });
    expect([liveOf(report).passed, server.left()]).toEqual([2, 0]);
    expect([journal.finished(wish(), 1)?.verdict, journal.finished(other, 1)?.verdict]).toEqual(['pass', 'pass']);
  });

  it('takes no trial of a scenario that was changed since, or that stands on other ground', async () => {
    const file = await interrupted();
    const known = (scenario: Scenario, ground?: object) =>
      openJournal(file, run, ground && (() => ground)).finished(scenario, 1)?.verdict;
    expect([known(wish()), known(wish({ title: 'Another title' })), known(wish(), { limits: [] })]).toEqual([
      ...['pass', undefined, undefined],
    ]);
  });

  it('says how many trials it gave, and gives none once every trial is finished', async () => {
    const file = await interrupted();
    const again = async (of: object) => {
      const server = await scripted([...good, ...good]);
      const journal = openJournal(file, of);
      const report = await playLive(stage(), [wish(), other], await modelAt(server), { journal });
      return [liveOf(report).fromJournal, liveOf(report).counted, server.left()];
    };
    expect([await again(run), await again(run), await again({ model: 'another' })]).toEqual([
      [1, 2, 2],
      [undefined, 2, 0],
      [undefined, 2, 0],
    ]);
  });

  it('is not gone on with by another run', () => {
    const file = join(folder(), 'live.jsonl');
    openJournal(file, run);
    expect(() => openJournal(file, { model: 'another' })).toThrow(UnusableJournal);
    const none = join(folder(), 'notes.txt');
    appendFileSync(none, 'not a journal\n', { mode: 0o600 });
    expect(() => openJournal(none, run)).toThrow(UnusableJournal);
    expect(readFileSync(none, 'utf8')).toBe('not a journal\n');
  });

  it('is for its owner alone, and holds no key', async () => {
    const file = join(folder(), 'live.jsonl');
    const server = await scripted([says(`I was given ${key}.`)]);
    await playLive(stage(), [wish()], await modelAt(server), { journal: openJournal(file, run) });
    expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').includes(key)]).toEqual([0o600, false]);
  });
});
