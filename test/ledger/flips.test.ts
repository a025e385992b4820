import { expect, it } from 'vitest';
import { flips } from './flips.ts';

const count = 600;
const seed = 20260115;

it(`the audit chain shows every bit that turns over in it, of ${count} in the file`, { timeout: 600_000 }, async () => {
  const { counts, findings } = await flips(count, seed);
  console.log(`bits turned over, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts['in the audit chain: noticed']).toBeGreaterThan(count / 4);
});
