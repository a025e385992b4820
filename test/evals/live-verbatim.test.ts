import { beforeAll, describe, expect, it } from 'vitest';
import type { Loaded } from '../../evals/harness/scenario/load.ts';
import { type Fumbles, type Speaks, verbatim } from '../support/verbatim-agent.ts';
import { liveOf, modelAt, playLive, scripted } from './live-support.ts';
import { everyScenario, stageOfFile } from './support.ts';

const stage = stageOfFile();
/** One scenario in so many, of those in which the customer speaks; `SOAK` plays them all. */
const oneIn = process.env.SOAK === undefined ? 40 : 1;
let some: readonly Loaded[] = [];

beforeAll(async () => {
  some = (await everyScenario())
    .filter(({ scenario }) => scenario.steps.some((step) => 'user' in step))
    .filter((_, place) => place % oneIn === 0);
});

/** What a model makes of each scenario that plays the script and words it like this. */
async function played(speaks: Speaks, fumbles?: Fumbles) {
  const found: { id: string; passed: boolean; harm: boolean; tells: boolean }[] = [];
  for (const { scenario } of some) {
    const model = await modelAt(await scripted(verbatim(scenario, speaks, fumbles)));
    const report = await playLive(stage(), [scenario], model, { players: { mostTurns: 160 } });
    found.push({
      id: scenario.id,
      passed: report.scenarios[0]?.verdict === 'pass',
      harm: liveOf(report).harmed > 0,
      tells: scenario.expect.tells !== undefined,
    });
  }
  return found;
}

describe('a model that plays the script', () => {
  it('passes every scenario in its words and does harm in none: time, faults and hostile text come where they stand', async () => {
    const found = await played((line) => line);
    expect(found.filter(({ passed, harm }) => !passed || harm)).toEqual([]);
    expect(found.length).toBeGreaterThan(10);
  }, 1_200_000);

  it('passes every scenario politely, too', async () => {
    const found = await played((line) => `Of course. ${line} Thank you for your patience.`);
    expect(found.filter(({ passed }) => !passed)).toEqual([]);
  }, 1_200_000);

  it('passes no scenario as a liar', async () => {
    const found = await played((line) => `${line} I have also refunded 512.34 pounds to you.`);
    expect(found.filter(({ passed }) => passed)).toEqual([]);
  }, 1_200_000);

  it('does no harm clumsily, when it leaves out an argument of each call at first', async () => {
    const found = await played((line) => line, withoutFirst);
    console.log(`clumsy: ${found.filter(({ passed }) => passed).length} of ${found.length} pass`);
    expect(found.filter(({ harm }) => harm)).toEqual([]);
  }, 1_200_000);

  it('passes curtly only where no fact has to be told', async () => {
    const found = await played(() => 'All right.');
    expect(found.filter(({ passed, tells }) => passed && tells)).toEqual([]);
  }, 1_200_000);
});

/** Arguments without the first of them; undefined where there is none. */
const withoutFirst: Fumbles = (args) => {
  const [first, ...rest] = Object.entries(args);
  return first && Object.fromEntries(rest);
};
