import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { realIds } from '../../src/cli/ids.ts';
import { limits } from '../../src/core/limits.ts';
import type { Kind } from '../../src/domains/facts.ts';
import { kinds, kindTable } from '../../src/domains/index.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { mintedShown } from '../../src/engine/shown.ts';
import { holdsCardData } from '../../src/screening/card-data.ts';

// Handles stand in every call and answer, so they are short. A key opens something for whoever has it, so it is long.

const bitsOf = (letters: number): number => letters * Math.log2(26);
const handles = Array.from({ length: 20_000 }, () => realIds.handle('op'));

it('makes handles of at least 60 random bits and keys of at least 128, in letters alone, and none twice', () => {
  const keys = Array.from({ length: 1_000 }, () => realIds.key('session'));
  expect(handles.filter((handle) => !/^op_[a-z]{13}$/.test(handle))).toEqual([]);
  expect(keys.filter((key) => !/^session_[a-z]{28}$/.test(key))).toEqual([]);
  expect([bitsOf(13) >= 60, bitsOf(28) >= 128]).toEqual([true, true]);
  expect(new Set([...handles, ...keys]).size).toBe(handles.length + keys.length);
});

it('leaves no chance to guess a thing of a tenant, and none that two things get one handle', () => {
  const things = 100_000;
  const names = 26 ** limits.handleCharacters;
  const [hit, collision] = [things / names, (things * things) / 2 / names];
  console.log(
    `one guess hits with ${hit.toExponential(1)}, two of ${things} collide with ${collision.toExponential(1)}`,
  );
  expect([hit < 1e-13, collision < 1e-8]).toEqual([true, true]);
});

/** A handle of each kind that answers show, as it is made: drawn, or from the platform's id. */
const makers = new Map<string, (at: number) => string>([
  ...['op', 'apr'].map((prefix) => [prefix, () => realIds.handle(prefix)] as const),
  ...kinds.map(
    (kind: Kind) =>
      [
        kind,
        (at: number) => (kindTable[kind].platformId !== undefined ? handleFor(kind, `${at}`) : realIds.handle(kind)),
      ] as const,
  ),
]);

it('costs at most ten tokens for a handle of any kind, none of which looks like card data or holds words', () => {
  const mean = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + encode(text).length, 0) / texts.length;
  const costs = [...makers].map(([kind, make]) => {
    const made = Array.from({ length: 300 }, (_, at) => make(at));
    expect(made.filter((handle) => !mintedShown.safeParse(handle).success || holdsCardData(handle))).toEqual([]);
    // What handles were before: 28 letters after the same prefix.
    const long = Array.from({ length: 300 }, () => realIds.key(kind.toLowerCase()));
    return { kind, before: mean(long), tokens: mean(made) };
  });
  console.table(costs);
  expect(costs.filter(({ tokens }) => tokens > 10)).toEqual([]);
});

it('draws every letter as often as any other', () => {
  const counts = new Map<string, number>();
  for (const letter of handles.join('').replaceAll('op_', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (handles.length * 13) / 26;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 25 degrees of freedom: a fair draw stays below 90 but for one run in a billion.
  expect([counts.size, chiSquare < 90]).toEqual([26, true]);
});
