import { expect, it } from 'vitest';
import { everyWay, strange } from './strangers.ts';

const calls = 700;
const seed = 20260115;

it(`no stranger learns of a tenant's things, or touches one, in ${calls} calls`, { timeout: 600_000 }, async () => {
  const { counts, findings } = await strange(calls, seed);
  console.log(`strangers, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts).toEqual({ calls, ways: everyWay().length });
});
