import { answerOf, type CallEntry } from '../replay/run.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { type Day, daysIn } from '../speech/dates.ts';
import { deedsIn } from '../speech/deeds.ts';
import { sumsIn } from '../speech/money.ts';
import { figuresIn } from '../speech/numbers.ts';
import { type Row, rowsIn, rowsOf } from '../speech/rows.ts';
import {
  asksHowOften,
  countedIn,
  isLastOfAll,
  lengthsIn,
  monthOfPayment,
  notOnce,
  partsIn,
  placeBefore,
  remainingIn,
} from '../speech/series.ts';
import type { Moment } from '../speech/timeline.ts';
import { later } from './calendar.ts';

// The first and the last of a series of payments, how many are left, and how many of a kind answers counted.

export function seriesFaults(text: string, moment: Moment): readonly string[] {
  const series = seriesOf(moment.calls);
  const clauses = clausesOf(text);
  return [
    ...clauses
      .filter(({ isQuestion, mood }) => !isQuestion && mood !== 'denied')
      .flatMap((clause) => {
        const said = `"${clause.text.trim()}"`;
        if (isMisplaced(clause, series, moment)) return [`${said}: its place in the series is another one.`];
        if (isOtherMonth(clause, moment)) return [`${said}: that is another month.`];
        if (isLastOfAll(clause.text) && series.some((it) => it.dates.some((at) => at > moment.now)))
          return [`${said}, and payments are still due.`];
        return [
          ...(isMiscounted(clause, moment) ? [`${said}: answers count others.`] : []),
          ...(isOfOtherSkip(clause, moment) ? [`${said}: another month was skipped.`] : []),
          ...(isOfOtherLength(clause, series, moment) ? [`${said}: there is another number of them.`] : []),
          ...(isInOtherParts(clause, moment) ? [`${said}: it was paid in other parts.`] : []),
        ];
      }),
    ...(isWrongRest(text, series, moment) ? [`"${text.trim()}": another number of payments is left.`] : []),
    ...(clauses[0] !== undefined && isWronglyNone(clauses[0], series, moment)
      ? [`"${clauses[0].text.trim()}", and a payment was made.`]
      : []),
  ];
}

interface Series {
  /** Moments of its payments, in order; the first ones only where it has no end. */
  readonly dates: readonly number[];
  readonly hasEnd: boolean;
}

/** Payments of a series without an end that are calculated. Own choice: more than a story names. */
const mostDates = 60;
const letters: Readonly<Record<string, string>> = { day: 'D', week: 'W', month: 'M', year: 'Y' };

/** The payments of every subscription, as answers gave it last. */
function seriesOf(calls: readonly CallEntry[]): readonly Series[] {
  const found = new Map<string, Row>();
  for (const row of rowsOf(calls)) if (typeof row.subscription === 'string') found.set(row.subscription, row);
  return [...found.values()].flatMap(({ start, every = 1, unit, payments }) => {
    const [from, letter] = [Date.parse(String(start)), letters[String(unit)]];
    if (Number.isNaN(from) || letter === undefined) return [];
    const count = Number(payments ?? mostDates);
    const dates = Array.from({ length: Math.min(count, mostDates) }, (_, at) =>
      later(from, letter, at * Number(every)),
    );
    return [{ dates, hasEnd: payments !== undefined }];
  });
}

const isOn = ({ year, month, day }: Day, at: number): boolean => {
  const date = new Date(at);
  return (
    day === date.getUTCDate() &&
    month === date.getUTCMonth() + 1 &&
    (year === undefined || year === date.getUTCFullYear())
  );
};

/** Whether a date is said to be the first or the last of a series in which it has another place. */
function isMisplaced({ text }: Clause, series: readonly Series[], { now }: Moment): boolean {
  return daysIn(text, now).some(({ readings, start }) => {
    const place = placeBefore(text.slice(0, start));
    if (place === undefined) return false;
    const spots = series.flatMap(({ dates, hasEnd }) =>
      dates.flatMap((at, spot) =>
        readings.some((it) => isOn(it, at))
          ? [{ isFirst: spot === 0, isLast: hasEnd && spot === dates.length - 1 }]
          : [],
      ),
    );
    return spots.length > 0 && !spots.some((it) => (place === 'first' ? it.isFirst : it.isLast));
  });
}

/** "February's payment is on 31 March". */
function isOtherMonth({ text }: Clause, { now }: Moment): boolean {
  const match = monthOfPayment.exec(text);
  const [owner] = daysIn(`1 ${match?.[1] ?? ''}`, now);
  const [date] = daysIn(text, now).filter(({ start }) => match !== null && start >= match.index + match[0].length);
  const month = owner?.readings[0]?.month;
  return month !== undefined && date?.readings.every((it) => it.month !== undefined && it.month !== month) === true;
}

/** How many payments are left of each series, with and without one that is due now; skipped ones are left out or not. */
function restsOf(series: readonly Series[], { calls, now }: Pick<Moment, 'calls' | 'now'>): ReadonlySet<number> {
  const rests = series.filter(({ hasEnd }) => hasEnd).flatMap(({ dates }) => [dates.filter((at) => at > now).length]);
  const listed = calls
    .filter(({ tool }) => tool === 'list_subscription_payments')
    .flatMap((call) => {
      const rows = rowsIn(answerOf(call).data).filter(({ date }) => Date.parse(String(date)) > now);
      return [rows.length, rows.filter(({ status }) => status === 'SCHEDULED').length];
    });
  const isBefore = series.some(({ dates }) => (dates[0] ?? 0) > now);
  return new Set([...rests, ...listed, ...(isBefore ? series.map(({ dates }) => dates.length) : [])]);
}

function isWrongRest(text: string, series: readonly Series[], moment: Moment): boolean {
  const rests = restsOf(series, moment);
  return rests.size > 0 && remainingIn(text).some((it) => !rests.has(it));
}

/** How many of a kind there are by each answer: its counts, or its rows of that type. Several rows are also added up. */
function isMiscounted({ text }: Clause, { calls }: Moment): boolean {
  return countedIn(text).some(({ value, counts, types }) => {
    const known = calls.flatMap((call) => {
      const rows = rowsIn(answerOf(call).data);
      const named = rows.flatMap((row) =>
        Object.entries(row).flatMap(([name, it]) => (counts.test(name) && typeof it === 'number' ? [it] : [])),
      );
      const typed = rows.filter(({ type }) => typeof type === 'string' && types.test(type));
      const summed = typed.flatMap(({ count }) => (typeof count === 'number' ? [count] : []));
      const all = [...named, ...summed];
      return [
        ...all,
        ...(all.length > 1 ? [all.reduce((sum, it) => sum + it, 0)] : []),
        ...(summed.length > 0 || typed.length === 0 ? [] : [typed.length]),
      ];
    });
    return known.length > 0 && !known.includes(value);
  });
}

/** "March was skipped", where the payments that were skipped are those of other months. */
function isOfOtherSkip({ text, mood }: Clause, { calls, now }: Moment): boolean {
  if (mood !== 'asserted' || !deedsIn(text).some((it) => it === 'skipped' || it === 'paid')) return false;
  const rows = calls.flatMap((call) => rowsIn(answerOf(call).data));
  const last = calls.findLast((it) => it.tool === 'skip_subscription_payments' && answerOf(it).outcome === 'done');
  const cycles: ReadonlySet<unknown> = new Set(Array.isArray(last?.args.cycles) ? last.args.cycles : []);
  const skipped = new Set(rows.flatMap((row) => (cycles.has(row.cycle) ? [monthOf(row.date)] : [])));
  const billed = new Set(
    rows.flatMap((row) => (row.cycle === undefined || cycles.has(row.cycle) ? [] : [monthOf(row.date)])),
  );
  const named = daysIn(text, now).flatMap(({ readings }) =>
    readings.flatMap(({ month, day }) => (month === undefined || day !== undefined ? [] : [month])),
  );
  if (skipped.size === 0 || named.length === 0) return false;
  return deedsIn(text).includes('skipped')
    ? named.some((it) => billed.has(it) && !skipped.has(it))
    : named.every((it) => skipped.has(it) && !billed.has(it));
}
const monthOf = (date: unknown): number => new Date(String(date)).getUTCMonth() + 1;

/** "Five lessons", where every series has another number of payments, and nobody named that one. */
function isOfOtherLength({ text }: Clause, series: readonly Series[], { calls, history, now }: Moment): boolean {
  const said = lengthsIn(text);
  if (said.length === 0 || series.length === 0 || series.some(({ hasEnd }) => !hasEnd)) return false;
  const named = history.flatMap((it) => {
    if (it.kind !== 'user') return [];
    const sums = sumsIn(it.text);
    return figuresIn(it.text)
      .filter(({ start }) => !sums.some((sum) => start >= sum.start && start < sum.end))
      .flatMap(({ values }) => values.map(Number));
  });
  const rows = [...rowsOf(calls), ...calls.flatMap(({ args }) => rowsIn(args))];
  const read = rows.flatMap((row) =>
    Object.values(row).flatMap((it) => (typeof it === 'number' ? [it] : Array.isArray(it) ? [it.length] : [])),
  );
  const told = calls.flatMap((it) => figuresIn(answerOf(it).said ?? '').flatMap(({ values }) => values.map(Number)));
  const known = new Set([...named, ...read, ...told, ...restsOf(series, { calls, now })]);
  return said.some((it) => !known.has(it) && !series.some(({ dates }) => dates.length === it));
}

/** "Paid in two parts", where a bill's history has other payments. */
function isInOtherParts({ text }: Clause, { calls }: Moment): boolean {
  if (!deedsIn(text).includes('paid') && !/^\W*in /iu.test(text)) return false;
  const known = new Map<string, number>();
  for (const row of rowsOf(calls))
    if (typeof row.invoice === 'string' && Array.isArray(row.history))
      known.set(row.invoice, rowsIn(row.history).filter(({ event }) => event === 'PAYMENT').length);
  const counts = [...known.values()].filter((it) => it > 0);
  return counts.length > 0 && partsIn(text).some((it) => !counts.includes(it));
}

/** "Not once so far", where the customer asked how often money was taken and a series has begun. */
const isWronglyNone = ({ text }: Clause, series: readonly Series[], { history, now }: Moment): boolean => {
  const asked = history.findLast(({ kind }) => kind === 'user');
  return (
    notOnce.test(text) &&
    asked?.kind === 'user' &&
    asksHowOften.test(asked.text) &&
    series.some(({ dates }) => (dates[0] ?? Number.POSITIVE_INFINITY) <= now)
  );
};
