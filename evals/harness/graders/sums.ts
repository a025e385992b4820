import { answerOf, type CallEntry } from '../replay/run.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical, figuresIn } from '../speech/numbers.ts';
import { type Row, rowsIn, rowsOf } from '../speech/rows.ts';
import {
  backwards,
  bounded,
  comparison,
  limited,
  maximum,
  onTop,
  periodAfter,
  periodOf,
  totals,
  turned,
} from '../speech/sums.ts';
import { callsOfTurn, type Moment } from '../speech/timeline.ts';
// How sums of a reply belong together, against each other and against what answers gave.

export function sumFaults(text: string, moment: Moment): readonly string[] {
  const rows = [...moment.calls.flatMap(({ args }) => rowsIn(args)), ...rowsOf(moment.calls)];
  return text.split(/(?<=[.!?\n])\s+/u).flatMap((sentence) => {
    if (/\?\s*$/.test(sentence)) return [];
    const said = `"${sentence.trim()}"`;
    return [
      ...(isWrongTotal(sentence, text, rows, moment) ? [`${said}: that is not what its sums come to.`] : []),
      ...(isPartOnTop(sentence, rows) ? [`${said}: the one is a part of the other.`] : []),
      ...(isSwapped(sentence, rows) ? [`${said}: that is the price of something else.`] : []),
      ...(isWrongPeriod(sentence, rows) ? [`${said}: that is not how often it is charged.`] : []),
      ...(isWrongComparison(sentence, moment) ? [`${said}: the sums compare the other way.`] : []),
      ...(isWrongLimit(sentence, moment) ? [`${said}: no answer gives that limit.`] : []),
    ];
  });
}

const numberOf = (values: readonly string[]): number => Number(values[0]);
const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 0.0005;

/** A total that nobody named and that its parts don't come to. What went back counts against the rest. */
function isWrongTotal(sentence: string, text: string, rows: readonly Row[], { ground }: Moment): boolean {
  const mark = totals.exec(sentence);
  if (mark === null) return false;
  const sums = amountsIn(sentence);
  const behind = sums.find((it) => it.start >= mark.index && it.start - mark.index < mark[0].length + nearby);
  const total = behind ?? sums.findLast((it) => it.start < mark.index);
  if (total === undefined || total.values.some(ground.isNamed)) return false;
  const parts = sums.filter((it) => it !== total);
  const sign = (start: number): number =>
    backwards.test(sentence.slice(start, sums.find((it) => it.start > start)?.start)) ? -1 : 1;
  const known = parts.map(({ values, start }) => sign(start) * numberOf(values));
  const [only] = known;
  if (only === undefined) return isOtherTotal(sentence, total, rows);
  // "All five": how many they are is no sum.
  const loose = figuresIn(sentence)
    .filter(({ start, values }) => !sums.some((it) => it.start === start) && numberOf(values) !== known.length)
    .map(({ values, start }) => sign(start) * numberOf(values));
  const is = (value: number): boolean => total.values.some((it) => isSame(Math.abs(value), Math.abs(Number(it))));
  if (known.length > 1) return !sumsOf([...known, ...loose]).some(is);
  const counts = [...figuresIn(text).map(({ values }) => numberOf(values)), ...timesOf(only, rows)];
  return !counts.some((it) => is(it * only));
}

/** "All five are paid back, 50 pounds in all": as many sums as that, or that many times one, come to another total. */
function isOtherTotal(sentence: string, total: Amount, rows: readonly Row[]): boolean {
  const [count, ...others] = figuresIn(sentence)
    .filter(({ start }) => start !== total.start)
    .map(({ values }) => numberOf(values))
    .filter((it) => Number.isInteger(it) && it > 1 && it <= mostValues);
  const each = new Map<unknown, number>();
  for (const row of rows) {
    const handle = row.transaction ?? row.subscription ?? row.invoice ?? row.charge ?? row.capture;
    const value = Number(amountOf(row.total) ?? row.total ?? amountOf(row.local) ?? row.amount);
    if (handle !== undefined && Number.isFinite(value)) each.set(handle, value);
  }
  const known = [...each.values()];
  if (count === undefined || others.length > 0 || (known.length !== count && known.length !== 1)) return false;
  const sum = known.length === count ? known.reduce((all, it) => all + it, 0) : (known[0] ?? 0) * count;
  return !total.values.some((it) => isSame(Number(it), sum));
}

/** What some of the values come to: a sentence also has sums beside its list. Only so many are tried; own choice. */
const mostValues = 10;
function sumsOf(values: readonly number[]): readonly number[] {
  const sums = [0];
  for (const value of values.slice(0, mostValues)) sums.push(...sums.map((sum) => sum + value));
  return sums;
}

/** How far a total stands behind the words for it: "in all they are 12 pounds". Own choice. */
const nearby = 12;

/** The sums of a sentence in order, also those in a list whose currency is said once. */
function amountsIn(sentence: string): readonly Amount[] {
  const figures = figuresIn(sentence);
  const sums = sumsIn(sentence);
  const listed = figures.filter(
    ({ start, values }) =>
      !sums.some((it) => start >= it.start && start < it.end) && values.some((it) => it.includes('.')),
  );
  const whole = figures.filter(
    ({ start, end }) =>
      !sums.some((it) => start >= it.start && start < it.end) && /^\.\d\d/.test(sentence.slice(end - 3, end)),
  );
  return [...new Set([...sums, ...listed, ...whole])].toSorted((one, other) => one.start - other.start);
}

interface Amount {
  readonly values: readonly string[];
  readonly start: number;
}

/** How often a price is charged, by what answers gave. */
const timesOf = (amount: number, rows: readonly Row[]): readonly number[] =>
  rows.flatMap((row) => (Number(row.amount) === amount && Number(row.payments) > 0 ? [Number(row.payments)] : []));

const amountOf = (value: unknown): string | undefined => {
  const { amount } = (typeof value === 'object' && value !== null ? value : {}) as Row;
  return typeof amount === 'string' ? canonical(amount) : undefined;
};

/** "46 and another 6 on top", where the 46 have the 6 in them. */
function isPartOnTop(sentence: string, rows: readonly Row[]): boolean {
  if (!onTop.test(sentence)) return false;
  const sums = amountsIn(sentence).map(({ values }) => values);
  return rows.some(({ total, tip }) => {
    const [whole, part] = [amountOf(total), amountOf(tip)];
    return (
      whole !== undefined &&
      part !== undefined &&
      sums.some((it) => it.includes(whole)) &&
      sums.some((it) => it.includes(part))
    );
  });
}

/** "The room is 6 pounds", where a surcharge with that label is another sum. */
const isSwapped = (sentence: string, rows: readonly Row[]): boolean =>
  rows.some(({ amount, surcharge, surcharge_label: surchargeLabel }) => {
    if (typeof amount !== 'string' || typeof surcharge !== 'string' || typeof surchargeLabel !== 'string') return false;
    const label = sentence.toLowerCase().indexOf(surchargeLabel.toLowerCase());
    const [next] = label === -1 ? [] : sumsIn(sentence.slice(label + surchargeLabel.length));
    return next !== undefined && next.start < nearby && next.values.includes(canonical(amount));
  });

/** A price for a period, where answers have that price for others alone. */
function isWrongPeriod(sentence: string, rows: readonly Row[]): boolean {
  const sums = sumsIn(sentence);
  return sums.some(({ values, end }) => {
    const period = periodAfter(sentence.slice(end)) ?? (sums.length === 1 ? periodOf(sentence) : undefined);
    const priced = rows.filter(
      ({ amount, unit }) =>
        typeof amount === 'string' && values.includes(canonical(amount)) && typeof unit === 'string',
    );
    return (
      period !== undefined &&
      priced.length > 0 &&
      !priced.some(({ unit, every = 1 }) => unit === period.unit && Number(every) === period.every)
    );
  });
}

/** Limits that answers gave: in refusals and in the operator's settings. */
const limitsOf = ({ calls }: Moment): readonly number[] =>
  calls.flatMap((call) => [
    ...(isAboutLimits(call)
      ? [...figuresIn(answerOf(call).said ?? ''), ...figuresIn(JSON.stringify(answerOf(call).data ?? ''))].map(
          ({ values }) => numberOf(values),
        )
      : []),
  ]);

const isAboutLimits = (call: CallEntry): boolean =>
  call.tool === 'get_limits' ||
  (answerOf(call).outcome === 'refused' && /^EN-1/.test(answerOf(call).error?.rule ?? ''));

function isWrongComparison(sentence: string, moment: Moment): boolean {
  if (turned.test(sentence)) return false;
  const { one = '', less, other, limit } = comparison.exec(sentence)?.groups ?? {};
  const [value] = figuresIn(one).map(({ values }) => numberOf(values));
  if (value === undefined) return false;
  const others =
    other === undefined
      ? limit === undefined
        ? []
        : limitsOf(moment).filter((it) => it !== value)
      : figuresIn(other).map(({ values }) => numberOf(values));
  return others.length > 0 && others.every((it) => (less === undefined ? value < it : value > it));
}

/** "Twenty lines is the limit", where the refusal of this turn gives another maximum. */
function isOtherMaximum(sentence: string, moment: Moment): boolean {
  const said = maximum.exec(sentence)?.[1];
  const [figure] = figuresIn(said ?? '');
  const refused = callsOfTurn(moment).filter((it) => answerOf(it).outcome === 'refused');
  const bounds = refused.flatMap((it) =>
    [...(answerOf(it).said ?? '').matchAll(bounded)].flatMap(([, it = '']) => figuresIn(it)),
  );
  return (
    figure !== undefined &&
    bounds.length > 0 &&
    !bounds.some(({ values }) => values.some((it) => figure.values.includes(it)))
  );
}

/** A figure in the words of a limit, where answers gave other ones. */
function isWrongLimit(sentence: string, moment: Moment): boolean {
  if (isOtherMaximum(sentence, moment)) return true;
  const mark = limited.exec(sentence);
  const limits = limitsOf(moment);
  if (mark === null || limits.length === 0) return false;
  const [figure] = figuresIn(sentence.slice(mark.index + mark[0].length));
  return figure !== undefined && figure.start < 20 && !figure.values.some((it) => limits.includes(Number(it)));
}
