import { expect, it } from 'vitest';
import { stageOfFile } from '../evals/support.ts';
import { spoiledRequests } from './spoiled.ts';

const stage = stageOfFile();
const [count, seed] = [Number(process.env.REQUESTS ?? 300), Number(process.env.SEED ?? 20261128)];

it(`answers every request, whatever is in it, and goes on after it, in ${count} requests`, {
  timeout: 36_000_000,
}, async () => {
  const { counts, findings } = await spoiledRequests(count, seed, stage());
  console.log(`spoiled requests, seed ${seed}:`, counts);
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ requests: count, taken: expect.any(Number), refused: expect.any(Number) });
});
