import { expect, it } from 'vitest';
import { mutated } from './mutated.ts';

const commits = 300;
const seed = 20260115;

it(`nothing that differs from what was approved is sent, in ${commits} commits`, { timeout: 600_000 }, async () => {
  const { counts, findings } = await mutated(commits, seed);
  console.log(`mutated commits, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  // A test in which nothing was ever sent, or refused, would show nothing.
  expect(counts).toMatchObject({
    'nothing: sent as approved': expect.any(Number),
    'thing: sent as approved': expect.any(Number),
    'thing: nothing sent': expect.any(Number),
    'merchant: nothing sent': expect.any(Number),
  });
});
