import { performance } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import { type Others, playOthers, together } from '../../evals/harness/adversaries/others.ts';
import { goldenOf } from '../../evals/harness/goldens/golden.ts';
import { evaluate, type Result } from '../../evals/harness/replay/evaluate.ts';
import { evaluateInLanes, worthLanes } from '../../evals/harness/replay/lanes.ts';
import { type Loaded, loadFixture } from '../../evals/harness/scenario/load.ts';
import { fixtureOf, settingsOf } from '../../evals/harness/world/settings.ts';
import { everyScenario, fixtureFolder, stageOfFile } from './support.ts';

const stage = stageOfFile();
const file = new URL('../../evals/harness/replay/lane.ts', import.meta.url);
const common = { version: '0', watch: performance, fixtures: fixtureFolder };
const worldOf = ({ scenario: { world } }: Loaded) =>
  settingsOf(
    world,
    fixtureOf(world, (name) => loadFixture(fixtureFolder, name)),
  );

/** Some of the scenarios, a long one first, so that others overtake it. */
const chosen = async (): Promise<readonly Loaded[]> => {
  const all = await everyScenario();
  const from = (folder: string) => all.filter(({ file: it }) => it.includes(`/${folder}/`));
  return [...from('stories').slice(0, 1), ...from('purchase').slice(0, 4)];
};

const others: Others = { adversaries: ['retry', 'stale'], badAgents: { seed: 1, oneIn: 1 } };

it('scenarios and bad agents come to the same in two threads as in one, judged and told in their order', async () => {
  const loaded = await chosen();
  const unwelcome = { grader: 'golden', at: 'here', because: 'it differs' } as const;
  const golden = ({ scenario }: Loaded) => (scenario.id === loaded[1]?.scenario.id ? [unwelcome] : []);
  const told: string[] = [];
  const onResult = ({ id }: { readonly id: string }): void => void told.push(id);
  const inLanes = await evaluateInLanes(
    loaded,
    { count: 2, file },
    { ...common, golden, onResult, others, settingsOf: worldOf },
  );
  const inOne = await evaluate(loaded, stage(), { watch: performance, golden });
  const shown = ({ id, verdict, failures, run, asked }: Result) => ({
    ...{ id, verdict, failures, asked, text: goldenOf(run), merchant: run.configured?.merchant },
  });
  expect(told).toEqual(loaded.map(({ scenario }) => scenario.id));
  expect(inLanes.map(shown)).toEqual(inOne.map(shown));
  const played = inLanes.map(({ run }) => run);
  expect(played.map(({ scenario }, at) => scenario === loaded[at]?.scenario)).not.toContain(false);
  const fared = together(inLanes.map((it) => it.fared));
  expect(fared).toEqual(await playOthers(loaded, stage(), played, others));
  expect(fared.adversaries.length).toBeGreaterThan(loaded.length);
  const liar = fared.conduct.find(({ agent }) => agent === 'liar');
  expect(liar).toMatchObject({ played: loaded.length, passed: [] });
  expect(inLanes.map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'pass', 'pass', 'pass']);
});

it('a thread that ends before its last scenario ends the run', async () => {
  const gone = new URL('data:text/javascript,process.exit(3)');
  const ended = evaluateInLanes(await chosen(), { count: 2, file: gone }, { ...common, settingsOf: worldOf });
  await expect(ended).rejects.toThrow('ended before its last one');
});

it('a thread is started only where it has twenty scenarios and is not the only one', () => {
  const counts = [1, 39, 40, 59, 60, 1_000].map((scenarios) => worthLanes(scenarios, { count: 3, file })?.count);
  expect(counts).toEqual([undefined, undefined, 2, 2, 3, 3]);
  expect([worthLanes(1_000, { count: 1, file }), worthLanes(1_000, undefined)]).toEqual([undefined, undefined]);
});
