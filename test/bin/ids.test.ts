import { expect, it } from 'vitest';
import { realIds } from '../../src/bin/ids.ts';

const handles = Array.from({ length: 20_000 }, () => realIds.handle('op'));

it('makes handles of at least 128 random bits, in letters alone, and none twice', () => {
  expect(handles.filter((handle) => !/^op_[a-z]{28}$/.test(handle))).toEqual([]);
  expect([28 * Math.log2(26) >= 128, new Set(handles).size]).toEqual([true, handles.length]);
});

it('draws every letter as often as any other', () => {
  const counts = new Map<string, number>();
  for (const letter of handles.join('').replaceAll('op_', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (handles.length * 28) / 26;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 25 degrees of freedom: a fair draw stays below 90 but for one run in a billion.
  expect([counts.size, chiSquare < 90]).toEqual([26, true]);
});
