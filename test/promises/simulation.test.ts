import { expect, it } from 'vitest';
import { cells, crashAtRandom, crashCells, faults, points, someCells } from './simulation.ts';

const isLong = process.env.SOAK === '1';
const patience = { timeout: isLong ? 7_200_000 : 600_000 };
const chosen = isLong ? cells : someCells;
const crashes = 30;
const seed = 20260115;

it('crashes every operation, and under every fault at every point', () => {
  const distinct = (of: (cell: (typeof cells)[number]) => string, from = cells) => new Set(from.map(of)).size;
  expect(distinct(({ operation }) => operation, chosen)).toBe(distinct(({ operation }) => operation));
  expect(distinct(({ point, fault }) => `${point} ${fault}`, chosen)).toBe(points.length * faults.length);
});

it(
  `every operation, crashed at every point and under every fault, ends once, and known: ${chosen.length} crashes`,
  patience,
  async () => {
    const { counts, findings } = await crashCells(chosen);
    console.log('crash cells:', counts);
    expect(findings).toEqual([]);
    expect(counts).toEqual({ crashes: chosen.length, parked: expect.any(Number) });
  },
);

it(`so does every operation in ${crashes} crashes at random`, patience, async () => {
  const { counts, findings } = await crashAtRandom(crashes, seed);
  console.log(`crashes at random, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts.crashes).toBeGreaterThanOrEqual(crashes);
});
