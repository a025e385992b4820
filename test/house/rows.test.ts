import { expect, it } from 'vitest';
import { isOf } from '../support/drawn.ts';

it('each row of a long table is played on one day in three, and on each day about a third of them', () => {
  const rows = Array.from({ length: 300 }, (_, at) => `a table > row ${at}`);
  const days = [20_786, 20_787, 20_788];
  expect(rows.map((row) => days.filter((day) => isOf(day, 3, row)).length)).toEqual(rows.map(() => 1));
  for (const day of days) expect(rows.filter((row) => isOf(day, 3, row)).length).toBeGreaterThan(80);
});
