import { type Clause, clausesOf } from '../speech/clauses.ts';
import { daysIn, isWeekday, years } from '../speech/dates.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical, type Figure, figuresIn } from '../speech/numbers.ts';
import { holdsMark } from '../speech/people.ts';
import { type LabelKind, type Thing, thingsOf } from '../speech/things.ts';
import type { Moment } from '../speech/timeline.ts';

// Right values on wrong things: a sum or a date that answers gave of one thing, said of another of its kind.

const kinds: readonly LabelKind[] = ['person', 'name', 'reference', 'card'];

export function pairFaults(text: string, { calls, people, now }: Moment): readonly string[] {
  if (!/\d/.test(text) && sumsIn(text).length === 0 && daysIn(text, now).length === 0) return [];
  const things = thingsOf(calls, people);
  return joined(clausesOf(text))
    .filter(({ isQuestion, mood }) => !isQuestion && mood !== 'denied')
    .flatMap(({ text: clause }) => {
      const sums = [...sumsIn(clause), ...figuresIn(clause).filter(isDecimal)].map(({ values }) => values);
      const days = daysIn(clause, now)
        .filter((it) => !isWeekday(it.text))
        .map(({ readings }) =>
          readings.flatMap((it) => years(it, now)).map((it) => `${it.year}-${it.month}-${it.day}`),
        );
      return kinds.flatMap((kind) => {
        const [label, ...others] = labelsIn(clause, kind, things);
        if (label === undefined || others.length > 0) return [];
        const isOf = (it: Thing): boolean => it.labels.get(kind)?.has(label) === true;
        const own = things.filter(isOf);
        const foreign = things.filter((it) => !isOf(it) && it.labels.has(kind));
        const isForeign = (part: 'sums' | 'days', values: readonly string[]): boolean =>
          !own.some((it) => values.some((one) => it[part].has(one))) &&
          foreign.some((it) => values.some((one) => it[part].has(one)));
        return [
          ...sums.filter((it) => isForeign('sums', it) && !it.some((one) => isDerived(one, own))),
          ...days.filter((it) => isForeign('days', it)),
        ].map(([value]) => `"${clause.trim()}": ${value} is not of ${label}.`);
      });
    });
}

/** "Order m4 is charged, 50.00 GBP": a sum that stands alone belongs to the clause before it. */
const joined = (clauses: readonly Clause[]): readonly Clause[] =>
  clauses.map((clause, at) => {
    const before = clauses[at - 1];
    const isAlone = sumsIn(clause.text).length === 1 && /^\W*[\d.,]+\W*(?:\p{L}+\W*)?$/u.test(clause.text);
    return isAlone && before !== undefined && !/[.!?\n:]/.test(before.text)
      ? { ...clause, text: `${before.text} ${clause.text}` }
      : clause;
  });

const isDecimal = ({ values }: Figure): boolean => values.some((it) => /\.\d/.test(it));

const labelsIn = (clause: string, kind: LabelKind, things: readonly Thing[]): readonly string[] =>
  [...new Set(things.flatMap((it) => [...(it.labels.get(kind) ?? [])]))].filter((it) => holdsMark(clause, it));

/** Totals, differences and multiples of what answers gave of a thing. */
function isDerived(value: string, own: readonly Thing[]): boolean {
  const known = [...new Set(own.flatMap(({ sums }) => [...sums]))].map(Number);
  const is = (sum: number): boolean => canonical(Math.abs(sum).toFixed(3)) === value;
  return known.some((one) => known.some((other) => is(one + other) || (one !== other && is(one - other))));
}
