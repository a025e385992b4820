import { figuresIn } from './numbers.ts';
import { remembered } from './remembered.ts';

// Stretches of time as people say them: "two hours", "eine Woche", "a fortnight".

/** A stretch of time in a text. */
export interface Span {
  readonly milliseconds: number;
  /** Of the unit that was named: by how much the stretch can be rounded. */
  readonly unit: number;
  /** Whether it is what is left from now on. */
  readonly isLeft: boolean;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];
/** Words of each unit, in six languages. */
const units: readonly (readonly [pattern: string, milliseconds: number])[] = [
  ['seconds?|sekunden?|secondes?|segundos?|seconden?|second[oi]', second],
  ['minutes?|minuten?|minutos?|minuut|minut[oi]', minute],
  ['hours?|stunden?|heures?|horas?|uur|uren|or[ae](?= (?:fa|dopo|prima))', hour],
  ['(?:working |business |calendar )?days?|tage?n?|jours?|días?|dagen|dag|giorn[oi]', day],
  ['weeks?|wochen?|semaines?|semanas?|weken|week|settiman[ae]', 7 * day],
  ['months?|monate?n?|mois|mes(?:es)?|maanden|maand|mes[ei]', 30 * day],
  ['years?|jahre?n?|ans|années?|años?|jaren|jaar|ann[oi]', 365 * day],
];
const anyUnit = units.map(([it]) => it).join('|');
const one = 'an?|one|another|eine[nr]?|einem|un[ea]?|een|uno';
const more = '(?:more |whole |full |entire |further |volle |ganze |weitere |toda |entera |hele |intera )*';
const spans = new RegExp(
  `(?<![\\p{L}\\p{N}.,])(\\d+(?:[.,]\\d+)?|\\p{L}+(?:-\\p{L}+)*)[ -]${more}(${anyUnit})(?![\\p{L}\\p{N}])`,
  'giu',
);
/** Numbers that are other words elsewhere. */
const italian: Readonly<Record<string, number>> = { due: 2, sei: 6 };
/** What one word says. */
const named: readonly (readonly [RegExp, number, number])[] = [
  [/(?<!\p{L})(?:a |the )?fortnights?(?!\p{L})/giu, 14 * day, day],
  [
    /(?<!\p{L})(?:half an hour|halbe stunde|demi-heure|media hora|half uur|mezz['’]?ora)(?!\p{L})/giu,
    30 * minute,
    minute,
  ],
  [/(?<!\p{L})(?:a )?quarter of an hour(?!\p{L})/giu, 15 * minute, minute],
];
/** "9.99 a month", "once a week": how often, and not how long. */
const rate =
  /(?:[\d€£$¥%]|(?<!\p{L})(?:gbp|usd|eur|jpy|kwd|chf|aud)|pounds?|euros?|dollars?|yens?|dinars?|pence|payments?|lessons?|once|twice|times|per|pfund|libras?|livres?|pond|sterlin[ae]|quid|cents?|price|costs?|rent|charged|billed|every)\s*$/iu;

const left =
  /^\s+(?:more|longer|left|from (?:now|today)|to (?:go|decide|spare)|mehr|länger|de plus|más|langer|ancora)(?!\p{L})/iu;
/** "A day or two". */
const vague = /^\s+(?:or|oder|ou|o|of)\s/iu;
/** "Give it twenty seconds" is advice, and "I can't give you a day" tells no time. */
const waits =
  /(?<!\p{L})(?:give (?:it|me|us|you|him|her|them)|wait|hold on|allow|warten sie|patientez|espere)\s+(?:for\s+|about\s+)?$/iu;

/** The stretches of time in a text, in order. */
export const spansIn = remembered((text): readonly Span[] => {
  const found = named.flatMap(([pattern, milliseconds, unit]) =>
    [...text.matchAll(pattern)].map(({ 0: whole, index: start }): Span => {
      const end = start + whole.length;
      return { milliseconds, unit, text: whole, start, end, isLeft: left.test(text.slice(end)) };
    }),
  );
  for (const match of text.matchAll(spans)) {
    const [whole, count = '', name = ''] = match;
    const isOne = new RegExp(`^(?:${one})$`, 'iu').test(count);
    const ahead = text.slice(0, match.index);
    if ((isOne && rate.test(ahead)) || vague.test(text.slice(match.index + whole.length)) || waits.test(ahead))
      continue;
    const value = isOne
      ? 1
      : (italian[count.toLowerCase()] ?? Number(figuresIn(count).at(-1)?.values[0] ?? Number.NaN));
    if (/^(?:second|other|single|once|weekly|monthly|daily)$/i.test(count)) continue;
    const unit = units.find(([it]) => new RegExp(`^(?:${it})$`, 'iu').test(name))?.[1];
    if (unit === undefined || Number.isNaN(value) || value <= 0 || (isOne && unit <= minute)) continue;
    const [start, end] = [match.index, match.index + whole.length];
    if (!found.some((it) => start < it.end && end > it.start))
      found.push({ milliseconds: value * unit, unit, text: whole, start, end, isLeft: left.test(text.slice(end)) });
  }
  return found.toSorted((a, b) => a.start - b.start);
});
