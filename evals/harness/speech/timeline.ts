import type { CallEntry, Entry, Run } from '../replay/run.ts';
import { answerOf } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { isPoison } from '../scenario/schema.ts';
import { bodyOf } from '../world/collection.ts';
import { createGround, type Ground } from './ground.ts';
import { type Person, peopleOf } from './people.ts';

/** An entry with what was known before it. */
export interface Moment {
  readonly entry: Entry;
  /** What was said and read by then, and what the customer's side is known to be. */
  readonly ground: Ground;
  /** What answers said of what was done, without what is only allowed. */
  readonly answers: Ground;
  /** The calls before it. */
  readonly calls: readonly CallEntry[];
  /** All that happened before it. */
  readonly history: readonly Entry[];
  /** Those whom the conversation is about. */
  readonly people: readonly Person[];
  readonly now: number;
}

/** The calls since the last reply. */
export function callsOfTurn({ calls, history }: Moment): readonly CallEntry[] {
  const said = history.findLastIndex(({ kind }) => kind === 'say');
  return calls.slice(history.slice(0, said + 1).filter(({ kind }) => kind === 'call').length);
}

/**
 * Walks through a run and hands each entry to a grader, with the ground so far. Hostile text is no ground: what somebody
 * wrote into a name is left out of the answers.
 */
export function walk(run: Run, subjects: ReadonlySet<string>, visit: (moment: Moment) => void): void {
  const { scenario, entries, configured } = run;
  const ground = createGround();
  const answers = createGround();
  let calls: readonly CallEntry[] = [];
  const hostile = scenario.steps.filter(isPoison).map(({ text }) => text);
  let now = Date.parse(scenario.world?.now ?? '2026-01-15T09:00:00Z');
  ground.see(scenario.user ?? {}, now);
  ground.see(configured?.merchant ?? {}, now);
  ground.hear(new Date(now).toISOString(), now);
  for (const person of customers(run, subjects)) ground.see(person, now);
  const people = peopleOf(run).filter(({ handle }) => subjects.has(handle));
  for (const [place, entry] of entries.entries()) {
    if (entry.kind === 'event' && entry.what === 'advance') {
      now += durationOf(entry.text);
      ground.hear(new Date(now).toISOString(), now);
    }
    visit({ entry, ground, answers, calls, history: entries.slice(0, place), people, now });
    if (entry.kind === 'user') ground.hear(entry.text, now);
    if (entry.kind !== 'call') continue;
    const seen = withoutHostile(entry, hostile);
    calls = [...calls, { ...entry, answer: seen }];
    ground.see(seen, now);
    if (!['done', 'declined'].includes(String(answerOf(entry).outcome))) continue;
    // What was done, was done with these arguments; what was only allowed was not.
    answers.see(allowed(member(seen, 'data')), now);
    answers.see(allowed(entry.args), now);
  }
}

/** The replies of a run, with what was known before each: no reply adds to that, so that a run in other words shares it. */
export function repliesOf(run: Run, subjects: ReadonlySet<string>): readonly Reply[] {
  const known = kept.get(subjects);
  if (known !== undefined && isInOtherWords(run, known.run))
    return known.replies.map((it) => {
      const place = it.history.length;
      return { ...it, entry: run.entries[place] as Said, history: run.entries.slice(0, place) }; // both say something there
    });
  const replies: Reply[] = [];
  walk(run, subjects, (moment) => {
    const { entry, ground, answers } = moment;
    if (entry.kind === 'say') replies.push({ ...moment, entry, ground: ground.copy(), answers: answers.copy() });
  });
  kept.set(subjects, { run, replies });
  return replies;
}

type Said = Extract<Entry, { readonly kind: 'user' | 'say' }>;
type Reply = Moment & { readonly entry: Said };
const kept = new WeakMap<ReadonlySet<string>, { readonly run: Run; readonly replies: readonly Reply[] }>();

/** Whether two runs differ in nothing but what the agent says. */
const isInOtherWords = (run: Run, other: Run): boolean =>
  (['scenario', 'configured', 'before', 'after'] as const).every((it) => run[it] === other[it]) &&
  run.entries.length === other.entries.length &&
  run.entries.every((it, place) => {
    const one = other.entries[place];
    return it === one || (it.kind === 'say' && one?.kind === 'say');
  });

/** What the merchant's app has told of the customers whom a conversation is about. */
function customers({ before }: Run, subjects: ReadonlySet<string>): readonly unknown[] {
  return (before?.observations ?? [])
    .filter(
      ({ kind, handle, owner }) =>
        (kind === 'shopper' && subjects.has(String(handle))) || (kind === 'card' && subjects.has(String(owner))),
    )
    .map(({ handle, body }) => ({ handle, ...bodyOf(body) }));
}

/** Values without the limits among them. */
const allowed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(allowed);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, it]) => (name === 'limit' ? [] : [[name, allowed(it)]])),
  );
};

function withoutHostile({ answer, text }: CallEntry, hostile: readonly string[]): unknown {
  const whole = typeof answer === 'object' && answer !== null ? answer : text;
  if (hostile.length === 0) return whole;
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return hostile.reduce((it, one) => it.replaceAll(one, ' '), value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(clean);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, clean(member)]));
  };
  return clean(whole);
}

const units: Readonly<Record<string, number>> = { D: 86_400_000, H: 3_600_000, M: 60_000, S: 1_000 };
/** Milliseconds of an ISO duration of days and less; months are not used for the clock. */
const durationOf = (text: string): number =>
  [...text.matchAll(/(\d+(?:\.\d+)?)([DHMS])/g)].reduce(
    (sum, [, count = '0', unit = '']) => sum + Number(count) * (units[unit] ?? 0),
    0,
  );

/** Those whom the conversation is not about. */
export const strangersOf = (run: Run, subjects: ReadonlySet<string>): readonly Person[] =>
  peopleOf(run).filter(({ handle }) => !subjects.has(handle));
