import { expect, it } from 'vitest';
import { cells, crashAtRandom, crashCells } from './simulation.ts';

const patience = { timeout: 600_000 };
const crashes = 400;
const seed = 20260115;

it('every operation, crashed at every point under every fault, ends once, and known', patience, async () => {
  const { counts, findings } = await crashCells(cells);
  console.log('crash cells:', counts);
  expect(findings).toEqual([]);
  expect(counts).toEqual({ crashes: cells.length, parked: expect.any(Number) });
});

it(`so does every operation in ${crashes} crashes at random`, patience, async () => {
  const { counts, findings } = await crashAtRandom(crashes, seed);
  console.log(`crashes at random, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts.crashes).toBeGreaterThanOrEqual(crashes);
});
