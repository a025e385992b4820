import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Find, fileOf, fuzz } from '../../evals/harness/fuzz/fuzz.ts';
import { randomFrom } from '../../evals/harness/fuzz/random.ts';
import { fuzzRun } from '../../evals/harness/fuzz/run.ts';
import { grade } from '../../evals/harness/graders/grade.ts';
import { everyMutant } from '../../evals/harness/mutation/mutants.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import { answerOf, callsOf } from '../../evals/harness/replay/run.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { defineScenario, type ScenarioInput } from '../../evals/harness/scenario/schema.ts';
import { tools } from '../../tools/index.ts';
import { checkScenarios, enrolled, playOn, stageOfFile } from './support.ts';

const stage = stageOfFile();
const seed = 1;
const world = { fixture: 'merchant' };
const alter = everyMutant(new Map()).find(({ id }) => id === 'EN-04/approval/drop')?.alter;

/** A walk of a seed, as a run. */
async function walked(from: number, fixture = world.fixture, sought?: ReadonlySet<string>) {
  const scenario = enrolled({ world: { fixture } });
  const open = await stage().open(scenario.world);
  return replay(scenario, { tools: open.tools, world: open }, fuzzRun(open, randomFrom(from), sought));
}

describe('a walk', { timeout: 240_000 }, () => {
  it('is the same for the same seed, and another one for another', async () => {
    const [one, again, other] = [await walked(7), await walked(7), await walked(8)];
    expect(again).toEqual(one);
    expect(other.entries).not.toEqual(one.entries);
  });

  it('gets as far as paying, subscribing and billing, and calls every tool', async () => {
    const uncalled = new Set(tools.map(({ name }) => name));
    const undone = new Set(['retrieve_credentials', 'create_plan', 'create_subscription', 'create_invoice']);
    for (let from = 1; from <= 1000 && uncalled.size + undone.size > 0; from++) {
      const sought = new Set([...uncalled, ...undone]);
      for (const call of callsOf(await walked(from, from % 2 === 0 ? 'billing' : 'merchant', sought))) {
        uncalled.delete(call.tool);
        if (answerOf(call).outcome === 'done') undone.delete(call.tool);
      }
    }
    expect([...uncalled, ...undone]).toEqual([]);
  });

  it(`breaks no invariant, from seed ${seed} on`, async () => {
    expect((await fuzz(stage(), { seed, runs: 10, fixture: 'merchant' })).finds).toEqual([]);
  });
});

describe('a fault', { timeout: 240_000 }, () => {
  let finds: readonly Find[] = [];
  const seen: (string | undefined)[] = [];
  beforeAll(async () => {
    const onRun = (find: Find | undefined): void => void seen.push(find?.failure.at);
    ({ finds } = await fuzz(stage(), { seed, runs: 10, fixture: 'merchant', alter, onRun }));
  }, 240_000);

  it('is found, and shrunk to a scenario that fails for it, and breaks nothing without it', async () => {
    expect(finds.map(({ failure }) => failure.at)).toEqual(['approval']);
    const [find] = finds;
    if (find === undefined) throw new Error('There is one.');
    expect(find.scenario.steps.length).toBeLessThanOrEqual(5);
    const { name, text } = fileOf(find);
    const scenario = defineScenario(parse(text) as ScenarioInput); // the schema judges it
    expect(name).toBe(`${scenario.id}.yaml`);
    expect(() => checkScenarios([scenario], purserCatalogue)).not.toThrow();
    const failed = grade(await playOn(stage(), scenario, alter));
    expect(failed.map(({ grader, at }) => `${grader} ${at}`)).toContain('invariant approval');
    const mended = grade(await playOn(stage(), scenario));
    expect(mended.filter(({ grader }) => grader === 'invariant')).toEqual([]);
  });

  it('leaves one find of its kind, however many walks meet it', () => {
    expect(seen).toHaveLength(10);
    expect(seen.filter((at) => at === 'approval')).toHaveLength(1);
  });
});
