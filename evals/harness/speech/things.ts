import { answerOf, type CallEntry } from '../replay/run.ts';
import { dayAt } from './dates.ts';
import { canonical } from './numbers.ts';
import type { Person } from './people.ts';
import { rememberedOf } from './remembered.ts';

// The things of a conversation: what they are called, and what sums, dates and states answers gave of each.

/** What a thing can be told by. Names of one kind tell things of that kind apart. */
export type LabelKind = 'person' | 'name' | 'reference' | 'card';

export interface Thing {
  readonly handles: ReadonlySet<string>;
  readonly labels: ReadonlyMap<LabelKind, ReadonlySet<string>>;
  readonly sums: ReadonlySet<string>;
  /** Days as year-month-day. */
  readonly days: ReadonlySet<string>;
  /** Tools whose calls on it were completed. */
  readonly done: ReadonlySet<string>;
  /** The last one that an answer gave; a card's is none of its own. */
  readonly state: string;
}

interface Draft {
  readonly handles: Set<string>;
  readonly labels: Map<LabelKind, Set<string>>;
  readonly sums: Set<string>;
  readonly days: Set<string>;
  readonly done: Set<string>;
  state: string;
}

/** Members that hold the handle of a thing of its own; whose card or plan it is tells of another thing. */
const own =
  /^(?:subscription|invoice|transaction|charge|capture|refund|instruction|authentication|report|plan|card|reference)$/;
const isHandle = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Every thing that calls were about. Rows about the same handle are one thing. */
export const thingsOf = (calls: readonly CallEntry[], people: readonly Person[]): readonly Thing[] =>
  thingsAmong(people)(calls);

const thingsAmong = rememberedOf((people: readonly Person[]) =>
  rememberedOf((calls: readonly CallEntry[]) => findThings(calls, people)),
);

function findThings(calls: readonly CallEntry[], people: readonly Person[]): readonly Thing[] {
  const cards = new Map<string, string>();
  const drafts: Draft[] = [];
  const isDone = (call: CallEntry): boolean => answerOf(call).outcome === 'done';
  for (const { answer } of calls) noteCards(answer, cards);
  for (const call of calls) {
    const data = answerOf(call).data as unknown;
    for (const row of [...(isDone(call) ? [{ ...call.args, ...asRow(data) }] : []), ...rowsIn(data)]) {
      const handles = handlesOf(row);
      if (handles.length === 0) continue;
      const thing = drafts.find((it) => handles.some((one) => it.handles.has(one))) ?? emptyDraft();
      if (!drafts.includes(thing)) drafts.push(thing);
      for (const it of handles) thing.handles.add(it);
      note(row, thing, cards, people);
      if (
        isDone(call) &&
        row === asRow(row) &&
        handlesOf({ ...call.args, ...asRow(data) }).some((it) => handles.includes(it))
      )
        thing.done.add(call.tool);
    }
  }
  return drafts;
}

const emptyDraft = (): Draft => ({
  handles: new Set(),
  labels: new Map(),
  sums: new Set(),
  days: new Set(),
  done: new Set(),
  state: '',
});

type Row = Readonly<Record<string, unknown>>;
const asRow = (value: unknown): Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};

/** What names a row: its own handles; a plan or a card only where the row is that of the plan or card itself. */
function handlesOf(row: Row): readonly string[] {
  const names = Object.keys(row).filter((it) => own.test(it));
  return names
    .filter((it) => !/^(?:plan|card)$/.test(it) || (names.length === 1 && (it === 'plan' || 'last_four' in row)))
    .flatMap((it) => (isHandle(row[it]) ? [row[it]] : []));
}

const foundRows = new WeakMap<object, readonly Row[]>();

/** The rows of a list, at any depth. Kept: an answer is looked at for each reply after it. */
function rowsIn(value: unknown): readonly Row[] {
  if (typeof value !== 'object' || value === null) return [];
  const known = foundRows.get(value) ?? findRows(value);
  foundRows.set(value, known);
  return known;
}

function findRows(value: object): readonly Row[] {
  return Object.values(value).flatMap((it) =>
    Array.isArray(it) ? it.flatMap((one) => [asRow(one), ...rowsIn(one)]) : rowsIn(it),
  );
}

function noteCards(value: unknown, cards: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { card, last_four: lastFour, credentials } = value as Row;
  if (isHandle(card) && isHandle(lastFour) && credentials === undefined) cards.set(card, lastFour);
  for (const it of Object.values(value)) noteCards(it, cards);
}

function note(value: unknown, thing: Draft, cards: ReadonlyMap<string, string>, people: readonly Person[]): void {
  for (const [name, it] of Object.entries(asRow(value))) {
    if (typeof it === 'object') note(it, thing, cards, people);
    if (typeof it !== 'string') continue;
    if (/^-?\d+\.\d+$/.test(it)) thing.sums.add(canonical(it.replace('-', '')));
    if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(it)) thing.days.add(keyOf(Date.parse(it)));
    if (name === 'state' && !('last_four' in asRow(value))) thing.state = it;
    if (name === 'reference') label(thing, 'reference', it);
    if (name === 'name' || name === 'code') label(thing, 'name', it);
    if (name === 'customer' || name === 'customer_name') label(thing, 'person', it.split(' ')[0] ?? it);
    if (name === 'card' && cards.has(it)) label(thing, 'card', cards.get(it) ?? '');
    for (const { handles, marks } of people)
      if (handles.includes(it))
        for (const mark of marks) if (/^\p{Lu}\p{Ll}+$/u.test(mark)) label(thing, 'person', mark);
  }
}

function label(thing: Draft, kind: LabelKind, text: string): void {
  const isShort =
    kind === 'reference'
      ? !/^\p{L}\d$|^(?=.*[\p{L}\d]{3}).{3,}$/u.test(text)
      : !/^(?=.*[\p{L}\d]{3}).{3,}$/u.test(text);
  if (kind === 'person' ? text === '' : isShort) return;
  const known = thing.labels.get(kind) ?? new Set();
  thing.labels.set(kind, known.add(text));
}

const keyOf = (at: number): string => {
  const { year, month, day } = dayAt(at);
  return `${year}-${month}-${day}`;
};
