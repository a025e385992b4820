import { expect, it } from 'vitest';
import { hostile } from './hostile.ts';

const calls = 300;
const seed = 20260115;

it(`no hostile input keeps the process for long, in ${calls} calls`, { timeout: 240_000 }, async () => {
  const { counts, findings } = await hostile(calls, seed);
  console.log(`hostile input, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts.calls).toBe(calls);
});
