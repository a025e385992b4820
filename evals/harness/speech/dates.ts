import { figuresIn } from './numbers.ts';
import { remembered } from './remembered.ts';
import { edge, end } from './words.ts';

// Dates and times of day as people write them.

/** A date, or the parts of it that were said. Months count from one. */
export interface Day {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

/** A date in a text. Where the order of day and month is open, it has two readings. */
export interface SaidDay {
  readonly readings: readonly Day[];
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const months: readonly string[] = [
  'january|jan|januar|janvier|enero|januari|gennaio',
  'february|feb|februar|février|febrero|februari|febbraio',
  'march|mar|märz|mars|marzo|maart',
  'april|apr|avril|abril|aprile',
  'may|mai|mayo|mei|maggio',
  'june|jun|juni|juin|junio|giugno',
  'july|jul|juli|juillet|julio|luglio',
  'august|aug|août|agosto|augustus',
  'september|sept|sep|septembre|septiembre|settembre',
  'october|oct|oktober|okt|octobre|octubre|ottobre',
  'november|nov|novembre|noviembre',
  'december|dec|dezember|dez|décembre|diciembre|dicembre',
];
const anyMonth = months.join('|');
const monthOf = (word: string): number =>
  months.findIndex((it) => it.split('|').includes(word.toLowerCase().replace(/\.$/, ''))) + 1;
const ordinals =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-first|twenty-second|twenty-third|twenty-fourth|twenty-fifth|twenty-sixth|twenty-seventh|twenty-eighth|twenty-ninth|thirtieth|thirty-first'.split(
    '|',
  );
/** German ones, without the ending of their case. */
const germanOrdinals =
  'erste|zweite|dritte|vierte|fünfte|sechste|siebte|achte|neunte|zehnte|elfte|zwölfte|dreizehnte|vierzehnte|fünfzehnte|sechzehnte|siebzehnte|achtzehnte|neunzehnte|zwanzigste|einundzwanzigste|zweiundzwanzigste|dreiundzwanzigste|vierundzwanzigste|fünfundzwanzigste|sechsundzwanzigste|siebenundzwanzigste|achtundzwanzigste|neunundzwanzigste|dreißigste|einunddreißigste'.split(
    '|',
  );
/** Days that French and Spanish count with plain numbers. */
const cardinals =
  'premier|primero|(?:vingt|trente)(?:[- ]et)?[- ](?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf)|deux|trois|quatre|cinq|six|sept|huit|neuf|dix-sept|dix-huit|dix-neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|treinta y uno|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|dieciséis|diecisiete|dieciocho|diecinueve|veinte|veinti\\p{L}+|treinta';
const dayOf = (text: string): number => {
  const word = text.toLowerCase();
  if (/^\d/.test(word)) return Number.parseInt(word, 10);
  if (word === 'premier' || word === 'primero') return 1;
  const at = Math.max(ordinals.indexOf(word), germanOrdinals.indexOf(word.replace(/[nrs]$/, '')));
  return at === -1 ? Number(figuresIn(word.replace(/ et |-et-/, '-'))[0]?.values[0] ?? 0) : at + 1;
};

const day = `(\\d{1,2}(?:st|nd|rd|th|er|\\.)?|${ordinals.toReversed().join('|')}|(?:${germanOrdinals.toReversed().join('|')})[nrs]?|${cardinals})`;
const year = '(?:,?\\s+(?:de\\s+)?(\\d{4}))?';
/** "Three working days": a number and a unit. */
const span =
  '(an?|one|\\d{1,3}|\\p{L}+)\\s+(?:working\\s+|business\\s+)?(days?|weeks?|months?|tag(?:en)?|wochen?|monat(?:en)?|jours?|semaines?|mois|días?|semanas?|mes(?:es)?)';
const daysOf = (count: string, unit: string): number => {
  const days = /^[ws]/i.test(unit) ? 7 : /^m/i.test(unit) ? 30 : 1;
  return days * Number(/^(?:a|an|another)$/i.test(count) ? 1 : (figuresIn(count)[0]?.values[0] ?? Number.NaN));
};
/** From Sunday on; alternatives are the six languages. */
const weekdays: readonly string[] = [
  'sunday|sonntag|dimanche|domingo|zondag|domenica',
  'monday|montag|lundi|lunes|maandag|lunedì',
  'tuesday|dienstag|mardi|martes|dinsdag|martedì',
  'wednesday|mittwoch|mercredi|miércoles|woensdag|mercoledì',
  'thursday|donnerstag|jeudi|jueves|donderdag|giovedì',
  'friday|freitag|vendredi|viernes|vrijdag|venerdì',
  'saturday|samstag|sonnabend|samedi|sábado|zaterdag|sabato',
];
/** Whether a word names a month or a weekday. */
export const isDateWord = (word: string): boolean => monthOf(word) > 0 || isWeekday(word);
export const isWeekday = (text: string): boolean => weekdays.some((it) => it.split('|').includes(text.toLowerCase()));
export const weekdayNamesOf = (milliseconds: number): readonly string[] =>
  weekdays[new Date(milliseconds).getUTCDay()]?.split('|') ?? [];
const isOn = ({ year = 0, month = 1, day: date = 1 }: Day, weekday: string): boolean =>
  weekdays[new Date(Date.UTC(year, month - 1, date)).getUTCDay()]?.split('|').includes(weekday.toLowerCase()) === true;

type Reader = (parts: readonly (string | undefined)[], now: Date) => readonly Day[];
const patterns: readonly (readonly [RegExp, Reader])[] = [
  [/(?<![\d-])(\d{4})-(0[1-9]|1[0-2])(?![\d-])/gu, ([y, m]) => [{ year: Number(y), month: Number(m) }]],
  [
    new RegExp(`${edge}(\\d{4})-(\\d{2})-(\\d{2})(?!\\d)`, 'giu'),
    ([y, m, d]) => [{ year: Number(y), month: Number(m), day: Number(d) }],
  ],
  [
    new RegExp(`${edge}${day}\\s+(?:of\\s+|de\\s+)?(${anyMonth})\\.?${year}${end}`, 'giu'),
    ([d = '', m = '', y]) => [dated(m, d, y)],
  ],
  [
    new RegExp(`${edge}(${anyMonth})\\.?\\s+(?:the\\s+)?${day}${end}${year}`, 'giu'),
    ([m = '', d = '', y]) => [dated(m, d, y)],
  ],
  [
    new RegExp(`${edge}(\\d{1,2})[/.](\\d{1,2})[/.](\\d{4}|\\d{2})${end}`, 'giu'),
    ([a, b, y = '']) => {
      const full = Number(y.length === 2 ? `20${y}` : y);
      return [
        { year: full, month: Number(b), day: Number(a) },
        { year: full, month: Number(a), day: Number(b) },
      ];
    },
  ],
  // A month and a year, or a month by its whole name. "May" alone is a verb too often.
  [
    new RegExp(`${edge}(${anyMonth})\\.?\\s+(\\d{4})${end}`, 'giu'),
    ([m = '', y]) => [{ month: monthOf(m), year: Number(y) }],
  ],
  [
    /(?<![\p{L}\p{N}])(January|February|April|June|July|August|September|October|November|December|Januar|Februar|März|Juni|Juli|Oktober|Dezember)(?![\p{L}\p{N}])/gu,
    ([m = '']) => [{ month: monthOf(m) }],
  ],
  [
    new RegExp(`${edge}(?:the|am|le)\\s+(\\d{1,2})(?:st|nd|rd|th|\\.)${end}`, 'giu'),
    ([d = '']) => [{ day: Number(d) }],
  ],
  [
    new RegExp(`${edge}(?:(?:the )?day after tomorrow|übermorgen|après-demain|pasado mañana)${end}`, 'giu'),
    (_, now) => [shifted(now, 2)],
  ],
  [
    new RegExp(`${edge}(?:(?:the )?day before yesterday|vorgestern|avant-hier|anteayer)${end}`, 'giu'),
    (_, now) => [shifted(now, -2)],
  ],
  [
    new RegExp(
      `${edge}(?:in|within|for(?=\\s+another)|innerhalb von|binnen|dans|en|dentro de)\\s+${span}${end}(?!\\s+(?:or|oder|ou|o)\\s)`,
      'giu',
    ),
    ([count = '', unit = ''], now) => [shifted(now, daysOf(count, unit))],
  ],
  [
    new RegExp(`${edge}${span}\\s+(?:ago)${end}|${edge}(?:vor|il y a|hace)\\s+${span}${end}`, 'giu'),
    ([ago, unit, count, units], now) => [shifted(now, -daysOf(ago ?? count ?? '', unit ?? units ?? ''))],
  ],
  [
    new RegExp(`(?<!(?:every|each|any|jeden|chaque|cada) )${edge}(${weekdays.join('|')})${end}`, 'giu'),
    ([name = ''], now) =>
      [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7]
        .map((days) => shifted(now, days))
        .filter((it) => isOn(it, name)),
  ],
  [new RegExp(`${edge}(?:today|tonight|heute|aujourd'hui|hoy)${end}`, 'giu'), (_, now) => [shifted(now, 0)]],
  [new RegExp(`${edge}(?:tomorrow|demain|mañana)${end}`, 'giu'), (_, now) => [shifted(now, 1)]],
  [new RegExp(`${edge}(?:yesterday|gestern|hier|ayer)${end}`, 'giu'), (_, now) => [shifted(now, -1)]],
];

const dated = (month: string, text: string, year: string | undefined): Day => ({
  month: monthOf(month),
  day: dayOf(text),
  ...(year === undefined ? {} : { year: Number(year) }),
});

const millisecondsPerDay = 86_400_000;
const shifted = (now: Date, days: number): Day =>
  dayAt(now.getTime() + (Number.isNaN(days) ? 0 : days) * millisecondsPerDay);

export function dayAt(milliseconds: number): Day {
  const at = new Date(milliseconds);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** The dates of a text. Relative ones count from `now`, in milliseconds. */
export const daysIn = remembered((text, now: number): readonly SaidDay[] => {
  const found: SaidDay[] = [];
  for (const [pattern, read] of patterns)
    for (const match of text.matchAll(pattern)) {
      const [start, stop] = [match.index, match.index + match[0].length];
      if (found.some((it) => start < it.end && stop > it.start)) continue;
      if (/^hier$/i.test(match[0]) && germanic.test(text)) continue;
      // "In January. The second …" is two sentences.
      if (/\p{L}\.\s+\p{Lu}/u.test(match[0])) continue;
      const readings = read(match.slice(1), new Date(now)).filter(isDay);
      if (readings.length > 0) found.push({ readings, text: match[0], start, end: stop });
    }
  return found.map((it) => besideItsDate(it, found, text, now));
});

/** German and Dutch have "hier" for a place. */
const germanic =
  /(?<!\p{L})(?:nicht|ist|und|bitte|sie|ich|wir|der|das|auf|ein|eine|niet|is|geen|het|een|dat|ik|wij|kan|maar|voor)(?!\p{L})/iu;

/** The weekday of "Monday, 8 February" says what day that date is; it has no reading where that is wrong. */
function besideItsDate(said: SaidDay, all: readonly SaidDay[], text: string, now: number): SaidDay {
  const date = all.find(
    (it) => it.start > said.end && /^[,\s]+(?:(?:the|den|dem|le|el)\s+)?$/.test(text.slice(said.end, it.start)),
  );
  if (date === undefined || !isWeekday(said.text)) return said;
  const readings = date.readings
    .flatMap((it) => nearest(years(it, now), now))
    .filter((it) => it.day === undefined || isOn(it, said.text));
  return { ...said, readings };
}

/** Of a date in several years the one that is nearest: who names its weekday means that one. */
const nearest = (dates: readonly Day[], now: number): readonly Day[] =>
  dates.toSorted((one, other) => distance(one, now) - distance(other, now)).slice(0, 1);
const distance = ({ year = 0, month = 1, day: date = 1 }: Day, now: number): number =>
  Math.abs(Date.UTC(year, month - 1, date) - now);

/** Weekdays on which something recurs: "every Monday", "on Mondays". Each as its names in all languages. */
export const regularDaysIn = (text: string): readonly { readonly names: readonly string[]; readonly text: string }[] =>
  [...text.matchAll(regular)].flatMap(({ 0: whole, 1: one, 2: many }) => {
    const names = weekdays.find((it) => it.split('|').includes((one ?? many ?? '').toLowerCase().replace(/s$/, '')));
    return names === undefined ? [] : [{ names: names.split('|'), text: whole }];
  });
const regular = new RegExp(
  `${edge}(?:every|each|any|jeden|chaque|cada|elke|ogni) (${weekdays.join('|')})${end}|${edge}on ((?:${weekdays.join('|')})s)${end}`,
  'giu',
);

/** A date without a year is the last or the next one. */
export function years(it: Day, now: number): readonly Day[] {
  const { year: known, month, day: date = 1 } = it;
  if (known !== undefined || month === undefined) return [it];
  const current = new Date(now).getUTCFullYear();
  return [current - 1, current, current + 1]
    .filter((year) => Math.abs(Date.UTC(year, month - 1, date) - now) <= 366 * millisecondsPerDay)
    .map((year) => ({ ...it, year }));
}

const isDay = ({ month = 1, day: date = 1 }: Day): boolean => month >= 1 && month <= 12 && date >= 1 && date <= 31;

/** Whether what was said of a date is true of another one. */
export const isSameDay = (said: Day, other: Day): boolean =>
  (['year', 'month', 'day'] as const).every(
    (part) => said[part] === undefined || other[part] === undefined || said[part] === other[part],
  );

const times =
  /(?<![\d:.-])([01]?\d|2[0-3])[:h.]([0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?=\s*(?:am|pm|a\.m\.|p\.m\.|uhr|utc|gmt|london|o'clock)|[^\d.]|\.(?!\d)|$)\s*(am|pm|a\.m\.|p\.m\.)?/giu;

/** Times of day in a text, as minutes after midnight. A dot separates hours only where the text says that it is a time. */
export const timesIn = remembered((text): readonly number[] => {
  const written = [...text.matchAll(times)].flatMap(([whole, hours = '', minutes = '', half = '']) => {
    if (!/[:h]/.test(whole)) return [];
    const late = /^p/i.test(half) && Number(hours) < 12 ? 12 : 0;
    return [(Number(hours) + late) * 60 + Number(minutes)];
  });
  const named = [
    ...text.matchAll(/(?<!\p{L})(noon|midday|mittag|midi|mediodía|midnight|mitternacht|minuit|medianoche)(?!\p{L})/giu),
  ].map(([word]) => (/^(?:midnight|mitternacht|minuit|medianoche)$/i.test(word) ? 0 : 720));
  const spoken = [...text.matchAll(spokenTimes)].flatMap(([, part = '', hour = '']) => {
    const [value] = figuresIn(hour)[0]?.values ?? [];
    const hours = Number(value);
    return value === undefined || !Number.isInteger(hours) || hours > 24
      ? []
      : [(hours % 24) * 60 + (parts[part.toLowerCase().split(' ')[0] ?? ''] ?? 0)];
  });
  const onTheHour = [...text.matchAll(hours)].flatMap(([, german, french, spanish]) => {
    const value = Number(figuresIn(german ?? french ?? spanish ?? '')[0]?.values[0] ?? Number.NaN);
    return value <= 24 ? [(value % 24) * 60] : [];
  });
  return [...written, ...named, ...spoken, ...onTheHour];
});

const parts: Readonly<Record<string, number>> = { half: 30, quarter: 15 };
/** "Stays at twelve" and "one by one" are no times. */
const spokenTimes =
  /(?<!\p{L}|(?:one|stays?|stayed|remains?) )(half past|quarter past|at|until|by|before|around)\s+(\d{1,2}(?![\d:/%-]|[.,]\d|\s*(?:pounds?|euros?|dollars?|yen|dinars?|percent|%|days?|weeks?|months?|payments?|[A-Z]{3}|£|€|\p{Lu}))|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=\s*(?:[.,;!?]|$|o'clock|am|pm|in the|this (?:morning|afternoon|evening)|today|tonight|tomorrow|london|utc|then|sharp))/giu;
/** "Elf Uhr", "à treize heures", "las once". */
const hours =
  /(?<![\p{L}\d:.])(?:(\d{1,2}|\p{L}+)\s+uhr|(?:à|avant|vers|jusqu'à)\s+(\d{1,2}|\p{L}+)\s+heures?|(?:a|hasta|antes de) las? (\d{1,2}|\p{L}+))(?![\p{L}\d:])/giu;
