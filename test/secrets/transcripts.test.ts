import { expect, it } from 'vitest';
import { transcripts } from './transcripts.ts';

const count = 1_000;
const seed = 20260115;

it(`no secret reaches anybody in ${count} transcripts`, { timeout: 600_000 }, async () => {
  const { counts, findings } = await transcripts(count, seed);
  console.log(`transcripts, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts.transcripts).toBe(count);
  expect(counts.canaries).toBeGreaterThan(3 * count);
});
