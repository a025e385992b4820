import { expect, it } from 'vitest';
import { lives } from './sandbox-random.ts';

const count = 100;
const seed = 20260115;

it(`bills ${count} subscriptions as an independent model does: states, payments, counts and sums`, {
  timeout: 600_000,
}, async () => {
  const { counts, findings } = await lives(count, seed);
  console.log(`billing, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ lives: count });
  for (const state of ['PENDING', 'ACTIVE', 'DELINQUENT', 'SUSPENDED', 'CANCELLED', 'COMPLETED', 'FAILED'])
    expect(counts[`ends ${state}`], state).toBeGreaterThan(0);
});
