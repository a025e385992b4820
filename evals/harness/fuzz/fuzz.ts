import { stringify } from 'yaml';
import { gradeInvariants } from '../graders/invariants.ts';
import { redactor } from '../redaction/redact.ts';
import { replay } from '../replay/replay.ts';
import { callsOf, type Failure } from '../replay/run.ts';
import type { Scenario, Step, WorldSpec } from '../scenario/schema.ts';
import type { Alter, TestHarness } from '../world/world.ts';
import { randomFrom } from './random.ts';
import { fuzzRun } from './run.ts';

/** A fuzz run that broke an invariant, shrunk to the fewest steps. */
export interface Find {
  readonly seed: number;
  readonly failure: Failure;
  /** The scenario that shows it: it fails until the fault is mended. */
  readonly scenario: Scenario;
}

export interface FuzzOptions {
  /** The first seed; each run takes the next one. */
  readonly seed: number;
  readonly runs: number;
  readonly fixture: string;
  readonly alter?: Alter | undefined;
  readonly onRun?: ((find: Find | undefined, done: number) => void) | undefined;
}

/** Walks at random and looks at the invariants alone. Answers what broke, each kind of break once. */
export async function fuzz(harness: TestHarness, { seed, runs, fixture, alter, onRun }: FuzzOptions) {
  const finds: Find[] = [];
  let calls = 0;
  for (let count = 0; count < runs; count++) {
    const own = seed + count;
    const { run, steps } = await wander(harness, own, specOf(fixture, own), alter);
    calls += callsOf(run).length;
    const [failure] = gradeInvariants(run);
    const isNew = failure !== undefined && !finds.some((it) => it.failure.at === failure.at);
    const find = isNew ? await shrunk(harness, own, specOf(fixture, own), steps, failure, alter) : undefined;
    if (find !== undefined) finds.push(find);
    onRun?.(find, count + 1);
  }
  return { finds, calls };
}

const specOf = (fixture: string, seed: number): WorldSpec => ({ fixture, seed, now: '2026-01-15T09:00:00Z' });

async function wander(harness: TestHarness, seed: number, spec: WorldSpec, alter: Alter | undefined) {
  const world = await harness.open(spec, alter);
  const steps: Step[] = [];
  const tell = fuzzRun(world, randomFrom(seed));
  const run = await replay(storyOf(seed, spec, []), { tools: world.tools, world }, async function* (soFar) {
    for await (const step of tell(soFar)) {
      steps.push(step);
      yield step;
    }
  });
  return { run, steps };
}

/** Takes away steps, large parts first, as long as the same invariant breaks. */
async function shrunk(
  harness: TestHarness,
  seed: number,
  spec: WorldSpec,
  steps: readonly Step[],
  failure: Failure,
  alter: Alter | undefined,
): Promise<Find> {
  let [left, shown] = [steps, failure];
  const breaks = async (some: readonly Step[]): Promise<Failure | undefined> => {
    const world = await harness.open(spec, alter);
    const run = await replay(storyOf(seed, spec, some), { tools: world.tools, world });
    return gradeInvariants(run).find(({ at }) => at === failure.at);
  };
  for (let size = Math.ceil(left.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < left.length; ) {
      const fewer = left.filter((_, place) => place < from || place >= from + size);
      const found = fewer.length === 0 ? undefined : await breaks(fewer);
      if (found === undefined) from += size;
      else [left, shown] = [fewer, found];
    }
  return { seed, failure: shown, scenario: storyOf(seed, spec, left, shown) };
}

/** The rule that an invariant checks. */
const ruleOf: Readonly<Record<string, string>> = {
  secrets: 'EN-05',
  retry: 'EN-03',
  approval: 'EN-04',
  money: 'AP-09',
};

const storyOf = (seed: number, world: WorldSpec, steps: readonly Step[], failure?: Failure): Scenario => ({
  id: `fuzz-${String(seed % 1_000).padStart(3, '0')}-invariant-of-${failure?.at ?? 'none'}`,
  title: failure === undefined ? 'A fuzz run' : `Found by the fuzz run of seed ${seed}: ${failure.because}`,
  rules: [ruleOf[failure?.at ?? ''] ?? 'EN-04'],
  world,
  steps: [...steps],
  expect: { calls: [...new Set(steps.flatMap((it) => ('call' in it ? [it.call] : [])))] },
});

/** The scenario file of a find. */
export const fileOf = ({ scenario }: Find): { readonly name: string; readonly text: string } => ({
  name: `${scenario.id}.yaml`,
  text: stringify(redactor()(scenario), { lineWidth: 0 }),
});
