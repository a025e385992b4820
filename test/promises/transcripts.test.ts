import { expect, it } from 'vitest';
import { leaks, transcripts } from './transcripts.ts';

const count = 100;
const seed = 20260115;

it(`no secret reaches anybody in ${count} transcripts`, { timeout: 600_000 }, async () => {
  const { counts, findings } = await transcripts(count, seed);
  console.log(`transcripts, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts.transcripts).toBe(count);
  expect(counts.canaries).toBeGreaterThan(3 * count);
  expect(counts['lines of the log']).toBeGreaterThan(count / 10);
});

it.each(Object.keys(leaks))('a secret that is given away would be found: %s', { timeout: 60_000 }, async (sink) => {
  const { findings } = await transcripts(2, seed, sink);
  expect(findings).toContainEqual(expect.stringMatching(new RegExp(`^${sink} holds .*; seed ${seed}`)));
});
