import { answerOf, type CallEntry } from '../replay/run.ts';
import { rememberedOf } from './remembered.ts';

// The rows of what tools answered: every object in their data, at any depth.

export type Row = Readonly<Record<string, unknown>>;

/** Every row that the answers of calls gave, in order. */
export const rowsOf = rememberedOf((calls: readonly CallEntry[]): readonly Row[] =>
  calls.flatMap((call) => rowsIn(answerOf(call).data ?? {})),
);

/** Kept: an answer is looked at for each reply after it. */
const found = new WeakMap<object, readonly Row[]>();

/** A value and every row in it. */
export function rowsIn(value: unknown): readonly Row[] {
  if (typeof value !== 'object' || value === null) return [];
  const known = found.get(value);
  if (known !== undefined) return known;
  const rows = [...(Array.isArray(value) ? [] : [value as Row]), ...Object.values(value).flatMap(rowsIn)];
  found.set(value, rows);
  return rows;
}
