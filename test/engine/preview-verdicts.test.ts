import { expect, it } from 'vitest';
import { previewed, previewVerdicts } from './preview-verdicts.ts';

const calls = 2_000;
const seed = 20260115;

it(`a preview says what its call then comes to, in ${calls} calls of every tool`, {
  timeout: 600_000,
}, async () => {
  const { counts, findings } = await previewVerdicts(calls, seed);
  console.log(`previews, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(previewed.filter((name) => counts[`reached ${name}`] === undefined)).toEqual([]);
  for (const outcome of ['refused', 'needs_approval', 'declined', 'unknown'])
    expect(counts[`outcome ${outcome}`], outcome).toBeGreaterThan(10);
});
