import { remembered } from './remembered.ts';

// Numbers as people write them: digits with either separator, and words of six languages.

/** A number in a text. Where a separator can be read in two ways ("1,234"), it has two values. */
export interface Figure {
  /** Canonical decimals, without trailing zeros. */
  readonly values: readonly string[];
  readonly start: number;
  readonly end: number;
}

const dictionary = (...languages: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    languages.flatMap((words) =>
      words.split(' ').flatMap((word, value) => word.split('/').map((one) => [one, value] as const)),
    ),
  );

/** From zero to nineteen, and on where one word says it; a slash separates forms of one number. `one` and its like in other languages also are articles. */
const units = dictionary(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'null eins/ein/eine/einen/einer/einem zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  'zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
  'cero uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno/veintiún veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  'nul één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien',
  // Without "due" and "sei", which are words of other languages, too.
  'zero un/uno/una _ tre quattro cinque _ sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove',
);
/** Twenty, thirty, and so on. */
const tens = new Map(
  [
    'twenty thirty forty fifty sixty seventy eighty ninety',
    'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
    'vingt trente quarante cinquante soixante septante quatre-vingts/quatre-vingt nonante',
    'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    'twintig dertig veertig vijftig zestig zeventig tachtig negentig',
    'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
  ].flatMap((words) =>
    words.split(' ').flatMap((word, at) => word.split('/').map((one) => [one, (at + 2) * 10] as const)),
  ),
);
const scales = new Map<string, number>([
  ...['hundred', 'hundert', 'cent', 'cents', 'cien', 'ciento'].map((word) => [word, 100] as const),
  ...['thousand', 'tausend', 'mille', 'mil'].map((word) => [word, 1_000] as const),
]);
const links = new Set(['and', 'und', 'et', 'y']);
/** Numbers of times, periods and people. */
const named = new Map<string, number>([
  ...['once', 'einmal', 'single', 'weekly', 'monthly', 'daily', 'yearly', 'annual', 'annually'].map(
    (w) => [w, 1] as const,
  ),
  ...['twice', 'both', 'couple', 'zweimal', 'beide', 'double', 'pair', 'fortnight', 'fortnightly'].map(
    (w) => [w, 2] as const,
  ),
  ...['second', 'other'].map((word) => [word, 2] as const),
  ...['thrice', 'dreimal'].map((word) => [word, 3] as const),
  ...['fiver', 'fivers'].map((word) => [word, 5] as const),
  ...['tenner', 'tenners'].map((word) => [word, 10] as const),
  ...['dozen', 'dutzend', 'douzaine', 'docena'].map((word) => [word, 12] as const),
]);

const digits = /(?<![\p{L}\p{N}.,_−-])[-−]?\d+(?:[.,'’\u00a0\u202f]\d+)*(?![\p{N}])/gu;
const word = /\p{L}+(?:-\p{L}+)*/gu;

/** The numbers of a text, in order. */
export const figuresIn = remembered((text): readonly Figure[] => {
  const written = [...text.matchAll(digits)].map((match) => ({
    values: valuesOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...written, ...wordsIn(text)].toSorted((one, other) => one.start - other.start);
});

/** What digits with separators can mean. */
function valuesOf(text: string): readonly string[] {
  const sign = /^[-−]/.test(text) ? '-' : '';
  const bare = text.replace(/^[-−]/, '').replace(/['’\u00a0\u202f]/g, '');
  const marks = bare.match(/[.,]/g) ?? [];
  if (marks.length === 0) return [sign + canonical(bare)];
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const decimal = `${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`;
  const whole = bare.replace(/[.,]/g, '');
  const isGrouped = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(bare);
  const isAmbiguous = isGrouped && marks.length === 1;
  if (isAmbiguous) return [sign + canonical(decimal), sign + canonical(whole)];
  return [sign + canonical(isGrouped ? whole : decimal)];
}

/** A decimal without leading and trailing zeros. */
export function canonical(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const short = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${short === '' ? '' : `.${short}`}`;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Numbers in words. Words that follow each other make one number, as far as they can. */
const wordsIn = remembered((text): readonly Figure[] => {
  const words = [...text.toLowerCase().matchAll(word)].flatMap(({ 0: whole, index }) =>
    split({ text: whole, start: index, end: index + whole.length }),
  );
  const found: Figure[] = [];
  for (let at = 0; at < words.length; ) {
    const first = words[at] as Word; // within the bounds
    const number = composed(words, at, text);
    if (number !== undefined) {
      const last = words[at + number.count - 1] as Word; // composed counts words that are there
      found.push({ values: [String(number.value)], start: first.start, end: last.end });
      at += number.count;
      continue;
    }
    const value = named.get(first.text);
    if (value !== undefined) found.push({ values: [String(value)], start: first.start, end: first.end });
    at += 1;
  }
  return found;
});

/** German writes a number as one word; a hyphen joins two in English and French. */
function split(whole: Word): readonly Word[] {
  const { text, start, end } = whole;
  if (units.has(text) || tens.has(text)) return [whole];
  const large = /^(.*?)(hundert|tausend)(?:und)?(.*)$/.exec(text);
  if (large !== null && text !== large[2]) {
    const parts = large.slice(1).filter((it) => it !== '');
    const words = parts.flatMap((part) => split({ text: part, start, end }));
    return words.every((it) => isNumber(it.text) || scales.has(it.text)) ? words : [whole];
  }
  const german = /^(.+?)und(.+)$/.exec(text);
  const isGerman = german !== null && units.has(german[1] ?? '') && tens.has(german[2] ?? '');
  const parts = isGerman ? [german[2] ?? '', german[1] ?? ''] : text.split('-');
  if (parts.length === 1) return [whole];
  return parts.map((part) => ({ text: part, start, end }));
}

function composed(words: readonly Word[], from: number, text: string): { value: number; count: number } | undefined {
  let [total, current, count] = [0, 0, 0];
  let last: 'none' | 'unit' | 'ten' | 'scale' = 'none';
  for (let at = from; at < words.length; at += 1) {
    const { text: one, start } = words[at] as Word; // within the bounds
    const before = words[at - 1];
    if (at > from && before !== undefined && start > before.end && !/^[\s-]+$/.test(text.slice(before.end, start)))
      break;
    const [unit, ten, scale] = [units.get(one), tens.get(one), scales.get(one)];
    if (ten !== undefined && (last === 'none' || last === 'scale')) {
      [current, last] = [current + ten, 'ten'];
    } else if (
      unit !== undefined &&
      (last === 'none' || last === 'scale' || (last === 'ten' && unit > 0 && unit < 20))
    ) {
      [current, last] = [current + unit, 'unit'];
    } else if (scale !== undefined && !(one.startsWith('cent') && current < 2)) {
      // "A hundred" has no number before it.
      if (last === 'none') current = 1;
      if (scale === 1_000) [total, current] = [total + current * scale, 0];
      else current *= scale;
      last = 'scale';
    } else if (!(links.has(one) && last !== 'none' && isNumber(words[at + 1]?.text) && last !== 'unit')) break;
    if (!links.has(one)) count = at - from + 1;
  }
  return last === 'none' ? undefined : { value: total + current, count };
}

const isNumber = (text: string | undefined): boolean => text !== undefined && (units.has(text) || tens.has(text));

/** A text with its number words as figures, also "oh" and "double two"; without counts such as "twice". */
export const inFigures = remembered((text): string => {
  const plain = text.replace(/(?<!\p{L})(?:oh|nought)(?!\p{L})/giu, 'zero').replace(/(?<=\d)[-x](?=\d)/giu, ' ');
  const result = wordsIn(plain)
    .filter(({ start, end }) => !named.has(plain.slice(start, end).toLowerCase()))
    .reduceRight((it, { values, start, end }) => `${it.slice(0, start)}${values[0]}${it.slice(end)}`, plain);
  return result
    .replace(/(?<!\p{L})double (\d)(?!\d)/giu, '$1 $1')
    .replace(/(?<!\p{L})triple (\d)(?!\d)/giu, '$1 $1 $1');
});

/** The figures of one or two digits in a text, joined: a card number can be spoken this way. */
export function smallFiguresIn(text: string): string {
  const small = inFigures(text).match(/(?<![\d.,:£$€-])\d{1,2}(?![\d:%]|[.,]\d)/g) ?? [];
  return small.length < 8 ? '' : small.join('');
}

/** What announces the last digits of a card or an account, or masks those before them. */
const announces =
  /(?<!\p{L})(?:end(?:ing|s|et|end)|termin\p{L}+|acab\p{L}+|finit|finissant)(?: (?:with|in|auf|par|en|with the digits))? |(?:last|final) (?:four |4 )?(?:digits|numbers|figures)(?: (?:are|is|being|were))?:? |endziffern |endnummer |letzten (?:vier )?(?:ziffern|stellen)(?: sind)? |derniers chiffres(?: sont)? |últim[oa]s (?:cuatro )?(?:dígitos|cifras|números)(?: son)? |[x*•·#]{2,}[\s-]*|(?:…|\.{3,})(?=\d)/giu;

/** Last digits of cards and accounts in a text, however they are grouped or spelled. */
export function lastFoursIn(text: string): readonly string[] {
  return [...text.matchAll(announces)].flatMap((match) => {
    const rest = text.slice(match.index + match[0].length);
    const group = /^(?:(?:\d[\s-]?){4}|(?:\p{L}+[\s,-]+){3}\p{L}+)(?![\p{L}\d])/u.exec(rest)?.[0];
    const digits =
      group === undefined || /\p{L}/u.test(inFigures(group))
        ? ''
        : figuresIn(group.replace(/(?<=\d)[\s-]+/g, ''))
            .map(({ values }) => values[0])
            .join('');
    const written = (group ?? '').replace(/\D/g, '');
    return [written, digits].filter((it) => /^\d{4}$/.test(it)).slice(0, 1);
  });
}
