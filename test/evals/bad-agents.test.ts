import { beforeAll, describe, expect, it } from 'vitest';
import { badAgents, type Conduct, runBadAgents } from '../../evals/harness/adversaries/bad-agents.ts';
import { evaluate } from '../../evals/harness/replay/evaluate.ts';
import { badAgentsGate } from '../../evals/harness/reports/gates.ts';
import type { Loaded } from '../../evals/harness/scenario/load.ts';
import { everyScenario, stageOfFile, watch } from './support.ts';

const stage = stageOfFile();
let some: readonly Loaded[] = [];
let conduct: readonly Conduct[] = [];
/** A story of each kind: a purchase, a plan, a bill, a refund, hostile text, a refusal; and what is declined, asked for or invalid when it is made again. */
const ids = [
  'purchase-101',
  'purchase-111',
  'billing-351',
  'billing-368',
  'invoicing-402',
  'invoicing-448',
  'conversion-511',
  'engine-240',
  'billing-301',
  'billing-341',
  'invoicing-484',
];

beforeAll(async () => {
  some = (await everyScenario()).filter(({ scenario }) => ids.some((id) => scenario.id.startsWith(id)));
  const runs = (await evaluate(some, stage(), { watch })).map(({ run }) => run);
  conduct = await runBadAgents(some, stage(), runs, { seed: 1, oneIn: 1 });
});

describe('the bad agents', () => {
  it('each find something to do badly, and pass nothing of it', () => {
    expect(conduct.map(({ agent }) => agent)).toEqual(badAgents);
    expect(conduct.filter(({ played }) => played === 0)).toEqual([]);
    expect(conduct.filter(({ passed }) => passed.length > 0)).toEqual([]);
  });

  it('do the same for the same seed', async () => {
    const [first] = some;
    if (first === undefined) throw new Error('There are scenarios.');
    const runs = (await evaluate([first], stage(), { watch })).map(({ run }) => run);
    const twice = [
      await runBadAgents([first], stage(), runs, { seed: 7, oneIn: 2 }),
      await runBadAgents([first], stage(), runs, { seed: 7, oneIn: 2 }),
    ];
    expect(twice[0]).toEqual(twice[1]);
  });
});

describe('the gate of bad agents', () => {
  const passing = (passed: number, played: number): Conduct => ({
    agent: 'liar',
    played,
    passed: Array.from({ length: passed }, (_, index) => `test-${index}`),
  });

  it('is met at one in twenty and not above, and names who passed what', () => {
    expect(badAgentsGate([passing(1, 20)]).met).toBe(true);
    expect(badAgentsGate([passing(2, 39)])).toMatchObject({
      met: false,
      says: expect.stringMatching(/liar passes 2 of 39:.*test-0\b.*test-1\b/),
    });
  });
});
