import { type Day, dayAt, daysIn, timesIn, years } from './dates.ts';
import type { DayPart } from './day-parts.ts';
import { type Said, sumsIn } from './money.ts';
import { canonical, figuresIn } from './numbers.ts';
import { type Span, spansIn } from './spans.ts';

/** What was said, read or known so far: the ground for what an agent says and does. */
export interface Ground {
  /** Takes in text; `isSeen` for what a server answered. */
  hear(text: string, now: number): void;
  /** Takes in JSON of a server's answer or of what somebody knows. */
  see(value: unknown, now: number, name?: string, currency?: string): void;
  /** A sum that was named, or that named ones come to. What has a currency is no mere count. */
  hasSum(value: string, hasCurrency?: boolean): boolean;
  /** A sum that was named itself. */
  isNamed(value: string): boolean;
  /** Whether a sum was named in one of these currencies; also where it was named in none. */
  isIn(value: string, codes: readonly string[]): boolean;
  hasCurrency(code: string): boolean;
  hasDay(readings: readonly Day[]): boolean;
  /** A time of day that was named; where it is not exact, also twelve hours off. */
  hasTime(minutes: number, isExact?: boolean): boolean;
  /** A stretch of time that was named, or that lies between two moments that were. */
  hasSpan(span: Span, now: number): boolean;
  /** Whether anything that was named is on this day between these hours, or the words themselves were. */
  hasPart(part: DayPart, now: number): boolean;
  hasText(text: string): boolean;
  hasWord(word: string): boolean;
  /** Words that are nearly this one. */
  near(word: string): string | undefined;
  /** The same ground, to which what is taken in later adds nothing. */
  copy(): Ground;
}

/** A product's factor: how often something is charged. Own choice: more than the payments of any subscription of a story. */
const mostTimes = 60;
/** Names of members that hold sums of money, also without decimals. */
const amounts = /amount|total|paid|price|fee|balance|limit|subtotal|minimum|net|gross|discount|shipping|tax/i;
/** Names of members that hold rates and shares, which are no sums. */
const shares = /rate|markup|margin|percent/i;
/** Names of members that say how often. */
const often = /payments|cycles?|quantity|count|missed|every|times|total|payment/i;
/** Sums of which differences and totals are tried. Own choice: more than a conversation has. */
const mostSums = 60;

/** What a ground holds. */
interface Taken {
  readonly numbers: ReadonlySet<string>;
  /** How often something is done or charged. */
  readonly counts: ReadonlySet<string>;
  readonly sums: ReadonlySet<string>;
  /** Numbers that people said, who often leave the currency out. */
  readonly loose: ReadonlySet<string>;
  readonly currencies: ReadonlySet<string>;
  /** The currencies that a sum was named in. */
  readonly pairs: ReadonlyMap<string, ReadonlySet<string>>;
  readonly days: readonly Day[];
  readonly times: ReadonlySet<number>;
  readonly spans: ReadonlySet<number>;
  readonly moments: ReadonlySet<number>;
  /** Days, which tell no hours. */
  readonly dates: ReadonlySet<number>;
  readonly words: ReadonlySet<string>;
  readonly everything: string;
}

export function createGround(from?: Taken): Ground {
  const numbers = new Set(from?.numbers);
  const counts = new Set(from?.counts);
  const sums = new Set(from?.sums);
  const loose = new Set(from?.loose);
  const currencies = new Set(from?.currencies);
  const pairs = new Map(from?.pairs);
  const days = [...(from?.days ?? [])];
  const times = new Set(from?.times);
  const spans = new Set(from?.spans);
  const moments = new Set(from?.moments);
  const dates = new Set(from?.dates);
  const words = new Set(from?.words);
  let everything = from?.everything ?? '';
  let inLowerCase: string | undefined;
  let derived: ReadonlySet<string> | undefined;

  const pair = (value: string, codes: readonly string[]): void => {
    pairs.set(value, new Set([...(pairs.get(value) ?? []), ...codes]));
  };
  const hear = (text: string, now: number): void => {
    const figures = figuresIn(text);
    const named = sumsIn(text);
    for (const it of figures) for (const one of it.values) counts.add(one);
    for (const it of figures)
      if (!named.some(({ start, end }) => it.start >= start && it.start < end))
        for (const one of it.values) loose.add(one);
    take(text, now);
  };
  const take = (text: string, now: number): void => {
    everything += `\n${text}`;
    inLowerCase = undefined;
    derived = undefined;
    const found = extracted(text, now);
    for (const it of found.numbers) numbers.add(it);
    for (const it of found.sums) for (const one of it.values) sums.add(one);
    for (const it of found.sums) if (it.currencies.length > 0) for (const one of it.values) pair(one, it.currencies);
    for (const it of found.currencies) currencies.add(it);
    for (const day of found.days) days.push(...years(day, now), ...bounds(day, now));
    for (const it of found.times) times.add(it);
    for (const it of found.words) words.add(it);
    for (const it of found.spans) spans.add(it);
    for (const { year, month, day } of found.days)
      if (year !== undefined && month !== undefined && day !== undefined) dates.add(Date.UTC(year, month - 1, day));
    moments.add(now);
  };
  const see = (value: unknown, now: number, name = '', currency?: string): void => {
    if (typeof value === 'string') {
      take(value, now);
      if (/^-?\d+(?:\.\d+)?$/.test(value) && (value.includes('.') || amounts.test(name)) && !shares.test(name)) {
        sums.add(canonical(value));
        if (currency === undefined) loose.add(canonical(value));
        else pair(canonical(value), [currency]);
      }
      if (/^[A-Z]{3}$/.test(value)) currencies.add(value);
      if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) {
        const at = Date.parse(value);
        times.add(Math.floor((at % 86_400_000) / 60_000));
        moments.add(at);
        // What ends at midnight lasts through the day before.
        if (at % 86_400_000 === 0) days.push(dayAt(at - 1));
      }
      if (/^([01]\d|2[0-3])[0-5]\d$/.test(value)) times.add(Number(value.slice(0, 2)) * 60 + Number(value.slice(2)));
      if (often.test(name) && /^\d+$/.test(value)) counts.add(canonical(value));
    } else if (typeof value === 'number') {
      numbers.add(canonical(String(value)));
      if (often.test(name)) counts.add(canonical(String(value)));
    } else if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) for (const set of [numbers, counts]) set.add(String(value.length));
      for (const it of periodsOf(value as Readonly<Record<string, unknown>>)) spans.add(it);
      const own = 'currency' in value && typeof value.currency === 'string' ? value.currency : currency;
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) for (const word of key.split('_')) words.add(stem(word));
        see(member, now, Array.isArray(value) ? name : key, own);
      }
    }
  };
  const derive = (): ReadonlySet<string> => {
    const known = [...sums].slice(0, mostSums).map(Number).filter(Number.isFinite);
    const results = new Set<string>();
    const add = (value: number): unknown => results.add(canonical(Math.abs(value).toFixed(3)));
    known.forEach((one, at) => {
      // What is too exact is offered rounded, to the decimals of either kind of currency.
      for (const scale of [100, 1_000])
        if (one * scale !== Math.round(one * scale))
          for (const round of [Math.floor, Math.ceil]) add(round(one * scale) / scale);
      for (const other of known.slice(at + 1)) {
        add(one + other);
        add(one - other);
      }
      for (const times of counts) {
        const count = Number(times);
        if (Number.isInteger(count) && count > 1 && count <= mostTimes) add(one * count);
      }
    });
    return results;
  };
  const holds = (text: string): boolean => {
    inLowerCase ??= everything.toLowerCase();
    return inLowerCase.includes(text.toLowerCase());
  };
  return {
    hear,
    see,
    hasSum: (value, hasCurrency = false) => {
      const bare = value.replace(/^-/, '');
      if ([value, bare].some((it) => sums.has(it) || loose.has(it) || (!hasCurrency && numbers.has(it)))) return true;
      derived ??= derive();
      return derived.has(bare);
    },
    isNamed: (value) => sums.has(value) || loose.has(value) || numbers.has(value),
    isIn: (value, codes) => {
      const known = pairs.get(value.replace(/^-/, ''));
      return known === undefined || loose.has(value) || codes.some((it) => known.has(it));
    },
    hasCurrency: (code) => currencies.has(code),
    hasDay: (readings) => readings.some((said) => days.some((it) => isWithin(said, it))),
    hasTime: (minutes, isExact = false) => times.has(minutes) || (!isExact && times.has((minutes + 720) % 1_440)),
    hasSpan: ({ milliseconds, unit, isLeft }, now) => {
      const known = unit >= aDay ? [...moments, ...dates] : [...moments];
      return (
        (!isLeft && [...spans].some((it) => isRounded(it, milliseconds, unit))) ||
        (isLeft ? [now] : known).some((one) => known.some((it) => isRounded(one - it, milliseconds, unit)))
      );
    },
    hasPart: ({ text, from, until }, now) =>
      holds(text) ||
      [...moments].some((it) => it >= midnight(now) + from * anHour && it <= midnight(now) + until * anHour),
    hasText: holds,
    hasWord: (word) => words.has(stem(word)),
    near: (word) => {
      const one = stem(word);
      if (one.length < 4) return undefined;
      return [...words].find((it) => it.length >= 4 && it !== one && isNear(one, it));
    },
    copy: () =>
      createGround({
        numbers,
        counts,
        sums,
        loose,
        currencies,
        pairs,
        days,
        times,
        spans,
        moments,
        dates,
        words,
        everything,
      }),
  };
}

const anHour = 3_600_000;
const aDay = 24 * anHour;
const midnight = (now: number): number => now - (now % aDay);

/** Whether a stretch is this one, rounded to its unit; months and years are longer or shorter by days. */
function isRounded(known: number, said: number, unit: number): boolean {
  const off = Math.abs(Math.abs(known) - said);
  const most =
    unit >= 30 * aDay ? said * 0.06 : unit >= aDay && said >= 5 * unit ? Math.max(unit, said * 0.02) : said * 0.1;
  return off <= most;
}

const periods: Readonly<Record<string, number>> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365 * 86_400_000,
};
/** The periods of what recurs, one of them and all together; and how many seconds are to be waited. */
function periodsOf({ every, unit, payments, wait }: Readonly<Record<string, unknown>>): readonly number[] {
  const period = (periods[String(unit)] ?? Number.NaN) * Number(every ?? 1);
  const all = period * Number(payments ?? 1);
  return [period, all, Number(wait ?? Number.NaN) * 1_000].filter((it) => it > 0);
}

/** A month that was named begins and ends on certain days. */
function bounds({ year, month, day }: Day, now: number): readonly Day[] {
  if (month === undefined || day !== undefined) return [];
  const years = year === undefined ? [-1, 0, 1].map((shift) => new Date(now).getUTCFullYear() + shift) : [year];
  return years
    .flatMap((it) =>
      [-1, 0, 1].map((shift) => dayAt(Date.UTC(it, month - 1 + (shift === 1 ? 1 : 0), shift === -1 ? 0 : 1))),
    )
    .concat(years.map((it) => dayAt(Date.UTC(it, month, 0))));
}

interface Extract {
  readonly numbers: readonly string[];
  readonly sums: readonly Said[];
  readonly currencies: readonly string[];
  readonly days: readonly Day[];
  readonly times: readonly number[];
  readonly words: readonly string[];
  readonly spans: readonly number[];
}

/** Extracts that are kept: the same answers recur in run after run. Own choice: a few megabytes. */
const mostKept = 20_000;
const kept = new Map<string, Extract>();

function extracted(text: string, now: number): Extract {
  const key = `${Math.floor(now / 86_400_000)} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const figures = figuresIn(text);
  const sums = sumsIn(text);
  const found: Extract = {
    numbers: figures.flatMap(({ values }) => values),
    sums,
    currencies: sums.flatMap(({ currencies }) => currencies),
    days: daysIn(text, now).flatMap(({ readings }) => readings),
    times: timesIn(text),
    words: [...text.matchAll(/\p{L}[\p{L}\p{N}'’-]*/gu)].map(([word]) => stem(word)),
    spans: spansIn(text).map(({ milliseconds }) => milliseconds),
  };
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, found);
  return found;
}

/** A date that was said is known where each of its parts is. */
const isWithin = (said: Day, it: Day): boolean =>
  (['year', 'month', 'day'] as const).every(
    (part) => said[part] === undefined || (part === 'year' && it.year === undefined) || said[part] === it[part],
  );

/** A word without case, possessive and plural. */
const stem = (word: string): string =>
  word
    .toLowerCase()
    .replace(/['’]s?$/, '')
    .replace(/(?<=\p{L}{3})s$/u, '');

/** Whether two words differ by one letter, or have the same letters in another order. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  if (one.length === other.length && [...one].toSorted().join('') === [...other].toSorted().join('')) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}
