import { describe, expect, it } from 'vitest';
import { isAstray, watchSkew } from '../../src/client/skew.ts';

const at = Date.parse('2026-01-15T09:00:00Z');
const request = new Request('https://platform.example/');

/** What is known of the skew after an answer of this date that took so many milliseconds. */
async function known(date: string | undefined, took: number): Promise<number | undefined> {
  let now = at;
  const watched = watchSkew(
    async () => {
      now += took;
      return new Response('{}', date === undefined ? {} : { headers: { date } });
    },
    { now: () => now },
    'https://platform.example',
  );
  await watched.platform(request);
  return watched.skew();
}

describe('the skew', () => {
  it.each([
    ['the same second', 'Thu, 15 Jan 2026 09:00:00 GMT', 0, 500],
    ['an hour ahead', 'Thu, 15 Jan 2026 10:00:00 GMT', 0, 3_600_500],
    ['an hour behind', 'Thu, 15 Jan 2026 08:00:00 GMT', 0, -3_599_500],
    ['dated in the middle of a slow answer', 'Thu, 15 Jan 2026 09:00:10 GMT', 20_000, 500],
    ['no date', undefined, 0, undefined],
    ['nonsense', 'soon', 0, undefined],
  ])('of an answer: %s', async (_, date, took, skew) => {
    expect(await known(date, took)).toBe(skew);
  });

  it('is what the last date said; an answer without one changes nothing', async () => {
    const dates = ['Thu, 15 Jan 2026 10:00:00 GMT', null, 'Thu, 15 Jan 2026 09:00:00 GMT'];
    const watched = watchSkew(
      async () => {
        const date = dates.shift();
        return new Response('{}', date ? { headers: { date } } : {});
      },
      { now: () => at },
      'https://platform.example',
    );
    const seen = [watched.skew()];
    for (const _ of [1, 2, 3]) {
      await watched.platform(request);
      seen.push(watched.skew());
    }
    expect(seen).toEqual([undefined, 3_600_500, 3_600_500, 500]);
  });

  it('is too much beyond thirty seconds, either way', () => {
    expect([0, 30_000, -30_000, 30_001, -30_001].map(isAstray)).toEqual([...[false, false, false], ...[true, true]]);
  });
});

it.each([
  [10 * 60_000, undefined],
  [-10 * 60_000, undefined],
  [31_000, undefined],
  [29_000, 500],
])('is unknown once our clock was set by %i ms, and not because of time that passes', async (set, expected) => {
  const at = Date.UTC(2026, 0, 15);
  let [wall, passed] = [at, 0];
  const { skew, askTime } = watchSkew(
    async () => new Response('', { headers: { date: new Date(at).toUTCString() } }),
    { now: () => wall + passed },
    'https://platform.example',
    { now: () => passed },
  );
  await askTime();
  passed = 14 * 60_000;
  expect(skew()).toBe(500);
  wall += set;
  expect(skew()).toBe(expected);
});
