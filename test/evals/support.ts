import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { grade } from '../../evals/harness/graders/grade.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import type { Run } from '../../evals/harness/replay/run.ts';
import { type Catalogue, purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { BadScenario } from '../../evals/harness/scenario/faults.ts';
import { type Loaded, loadFixture, loadScenarios } from '../../evals/harness/scenario/load.ts';
import { nameFaults, togetherFaults } from '../../evals/harness/scenario/names.ts';
import { defineScenario, type Scenario, type ScenarioInput } from '../../evals/harness/scenario/schema.ts';
import { type Alter, openTestHarness, type TestHarness } from '../../evals/harness/world/world.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const scenarioFolder = `${root}evals/scenarios`;
export const fixtureFolder = `${root}evals/fixtures`;
/** A watch that stands still: no test depends on how long things take. */
export const watch = { now: () => 0 };

let loading: Promise<readonly Loaded[]> | undefined;
/** Read once for all files of a process: nobody changes a scenario that was read. */
export const everyScenario = (): Promise<readonly Loaded[]> => {
  loading ??= loadScenarios([scenarioFolder], purserCatalogue);
  return loading;
};

/** Some scenarios, by the texts of their files: for a process that needs no others. */
export const scenariosWith = (text: RegExp): Promise<readonly Loaded[]> =>
  loadScenarios(
    globSync(`${scenarioFolder}/**/*.yaml`)
      .filter((file) => text.test(readFileSync(file, 'utf8')))
      .toSorted(),
    purserCatalogue,
  );

/** Validates scenarios that a test makes like those of a file. */
export function checkScenarios(scenarios: readonly Scenario[], catalogue: Catalogue): readonly Loaded[] {
  const loaded = scenarios.map((scenario) => ({ scenario, file: 'code' }));
  const faults = loaded.flatMap((it) => nameFaults(it, catalogue));
  const all = faults.length > 0 ? faults : togetherFaults(loaded, () => undefined);
  if (all.length > 0) throw new BadScenario(all);
  return loaded;
}

/** One harness for all tests of a file. */
export function stageOfFile(): () => TestHarness {
  let harness: TestHarness | undefined;
  beforeAll(async () => {
    harness = await openTestHarness({ fixture: (name) => loadFixture(fixtureFolder, name), version: '0' });
  });
  afterAll(async () => harness?.close());
  return () => {
    if (harness === undefined) throw new Error('The harness is open once the tests of the file run.');
    return harness;
  };
}

export async function playOn(harness: TestHarness, scenario: Scenario, alter?: Alter): Promise<Run> {
  const world = await harness.open(scenario.world, alter);
  return replay(scenario, { tools: world.tools, world });
}

/** What is wrong with a run, one line each. */
export const wrong = (run: Run): readonly string[] =>
  grade(run).map(({ grader, at, because }) => `${grader} | ${at} | ${because}`);

/** A run whose last reply is another one: nothing else depends on what is said. */
export const saying = (run: Run, text: string): Run => {
  const last = run.entries.findLastIndex(({ kind }) => kind === 'say');
  return { ...run, entries: run.entries.map((it, at) => (at === last && it.kind === 'say' ? { ...it, text } : it)) };
};

export const order = (more: object = {}) => ({
  card: 'card_ada',
  reference: 'order-1',
  limit: { amount: '40.00', currency: 'GBP' },
  until: '2026-01-15T12:00:00Z',
  description: 'Headphones',
  ...more,
});

/** A card that is enrolled: the shortest story in which something is done. */
export const enrolled = (more: Partial<ScenarioInput> = {}): Scenario =>
  defineScenario({
    id: 'test-001-card-is-enrolled',
    title: 'A card is enrolled',
    rules: ['AP-03'],
    user: { knows: { order: order(), amount: '39.90' } },
    steps: [{ call: 'enroll_card', args: { card: 'card_ada' }, as: 'enrolled' }, { say: 'Your card is set up.' }],
    expect: { changed: ['cards'] },
    ...more,
  });

/** A purchase that a person approved. */
export const bought: ScenarioInput['steps'] = [
  { call: 'enroll_card', args: { card: 'card_ada' } },
  { call: 'initiate_purchase', args: order(), as: 'asked' },
  { actor: 'approver', approves: '$asked.approval.id' },
  { call: 'initiate_purchase', args: order(), as: 'intent' },
];
