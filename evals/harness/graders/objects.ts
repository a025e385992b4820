import { clausesOf } from '../speech/clauses.ts';
import { type Deed, type DeedName, deeds, deedsIn } from '../speech/deeds.ts';
import { holdsMark } from '../speech/people.ts';
import { type LabelKind, type Thing, thingsOf } from '../speech/things.ts';
import type { Moment } from '../speech/timeline.ts';

// On what a deed was done: "hers and Bo's alike", where it was done for her alone.

const kinds: readonly LabelKind[] = ['person', 'name', 'reference'];
/** "…, and Bo's too": what was said before is said of another thing. */
const likewise =
  /(?<!\p{L})(?:alike|too|as well|likewise|same (?:for|with)|auch|ebenso|ebenfalls|aussi|également|también|igual|ook|eveneens|anche|pure)(?!\p{L})/iu;
/** Deeds that a thing shows by its state, or by the calls that were made on it. */
const checked: readonly DeedName[] = [
  'cancelled',
  'paused',
  'skipped',
  'deleted',
  'closed',
  'resumed',
  'refunded',
  'ended',
];

export function objectFaults(text: string, { calls, people }: Moment): readonly string[] {
  let before: readonly DeedName[] = [];
  return clausesOf(text).flatMap(({ text: clause, mood, isQuestion }) => {
    const own = isQuestion || mood !== 'asserted' ? [] : deedsIn(clause).filter((it) => checked.includes(it));
    const named = own.length === 0 && mood === 'asserted' && likewise.test(clause) ? before : own;
    before = own;
    if (named.length === 0) return [];
    const things = thingsOf(calls, people);
    return named.flatMap((deed) =>
      kinds.flatMap((kind) =>
        labelsIn(clause, kind, things)
          .filter((label) => isSpared(label, kind, deed, things))
          .map((label) => `"${clause.trim()}": nothing of ${label} was ${deed}.`),
      ),
    );
  });
}

const labelsIn = (clause: string, kind: LabelKind, things: readonly Thing[]): readonly string[] =>
  [...new Set(things.flatMap((it) => [...(it.labels.get(kind) ?? [])]))].filter((it) => holdsMark(clause, it));

/** Whether a deed was done on another thing, and on none of this name. */
function isSpared(label: string, kind: LabelKind, deed: DeedName, things: readonly Thing[]): boolean {
  const isOf = (it: Thing): boolean => it.labels.get(kind)?.has(label) === true;
  const done = things.filter((it) => hasBeen(deed, it));
  return done.length > 0 && !done.some(isOf) && done.every((it) => it.labels.has(kind));
}

/** Whether a thing's state or the calls on it show a deed. */
function hasBeen(deed: DeedName, { state, done }: Thing): boolean {
  const { tools = [], states = [] }: Deed = deeds[deed];
  return (
    tools.some((it) => done.has(it.split(':')[0] ?? '')) || states.some((it) => (it.split(':')[1] ?? it) === state)
  );
}
