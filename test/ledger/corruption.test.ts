import { expect, it } from 'vitest';
import { flips } from './corruption.ts';

const count = 150;
const seed = 20260115;

it(`shows every bit that turns over in a row, of ${count} in the file`, { timeout: 600_000 }, async () => {
  const { counts, findings } = await flips(count, seed);
  console.log(`bits turned over, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  for (const table of [
    'audit',
    'operations',
    'observations',
    'approvals',
    'budgets',
    'reservations',
    'sealed',
    'events',
  ])
    expect(counts[`in ${table}: noticed`], table).toBeGreaterThan(0);
});
