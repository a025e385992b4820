import type { Range, Spot } from './syntax.ts';

/** One change of a text. */
export interface Change extends Range {
  readonly text: string;
}

/** What operators may look at besides the node. */
export interface Place {
  readonly file: string;
  /** The text that ranges refer to. */
  readonly source: string;
}

/** A kind of bug, and where it can be put in. */
export interface Operator {
  readonly name: string;
  readonly changes: (spot: Spot, place: Place) => readonly Change[];
}

export const textOf = ({ source }: Place, { start, end }: Range): string => source.slice(start, end);

export const replaced = ({ start, end }: Range, text: string): Change => ({ start, end, text });

/** Two ranges exchanged, as one change. */
export function exchanged(place: Place, one: Range, other: Range): Change {
  const between = place.source.slice(one.end, other.start);
  return { start: one.start, end: other.end, text: `${textOf(place, other)}${between}${textOf(place, one)}` };
}

/** An item of a list left out, with the comma after it or before it. */
export function leftOut(items: readonly Range[], index: number): Change {
  const [item, next, before] = [items[index], items[index + 1], items[index - 1]];
  if (item === undefined) throw new Error('There is no such item.');
  if (next !== undefined) return { start: item.start, end: next.start, text: '' };
  return { start: before?.end ?? item.start, end: item.end, text: '' };
}
