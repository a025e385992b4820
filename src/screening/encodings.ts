import { once } from '../core/once.ts';

/**
 * A text, and its decoded forms if parts of it are percent-encoded, quoted-printable, HTML entities, JSON escapes, hex, Base64,
 * Base32, character codes or digits in words; each decoded once. Hex, Base64 and Base32 count only if they decode to readable
 * text, hex and Base64 at any offset.
 */
export function decodedForms(text: string): readonly string[] {
  const forms = new Set([text, unescaped(text)]);
  for (const [coded] of text.matchAll(hexRun))
    for (const from of [0, 1]) addReadable(forms, Buffer.from(coded.slice(from), 'hex'));
  for (const [coded] of text.matchAll(hexBytes))
    addReadable(forms, Buffer.from(coded.replace(/0x|[^0-9a-f]/gi, ''), 'hex'));
  for (const [coded] of text.matchAll(digitCodes))
    forms.add((coded.match(/\d\d/g) ?? []).map((code) => String.fromCharCode(Number(code))).join(''));
  // Buffer decodes both alphabets of Base64.
  for (const [coded] of text.matchAll(base64Run))
    for (const from of [0, 1, 2, 3]) addReadable(forms, Buffer.from(coded.slice(from), 'base64'));
  for (const [coded] of text.matchAll(base32Run)) addReadable(forms, ofBase32(coded));
  if (manyWords.test(text) && inWords().test(text)) forms.add(text.replace(everyWord(), (word) => digitOf(word)));
  if (longWord.test(text))
    forms.add(text.replace(joinedWords(), (run) => run.replace(everyJoinedWord(), (word) => digitOf(word))));
  if (inCharacters.test(text)) forms.add(text.replace(everyCharacter, (sign) => characterValues.get(sign) ?? sign));
  return [...forms];
}

/** A shorter run can't contain a named code. Own choice. */
const hexRun = /[0-9a-f]{16,}/gi;
const base64Run = /[\w+/-]{11,}/g;
/** Separated bytes in hex: `34 31 31`, `34:31:31`, `0x34, 0x31`. */
const hexBytes = /(?<![0-9a-z])(?:(?:0x)?[0-9a-f]{2}[ ,:;._-]{1,3}){7,}(?:0x)?[0-9a-f]{2}(?![0-9a-z])/gi;
/** The decimal character codes (48 to 57) of at least thirteen digits. */
const digitCodes = /(?<!\d)(?:(?:4[89]|5[0-7])[ ,;]{1,3}){12,}(?:4[89]|5[0-7])(?!\d)/g;
const readable = /[ -~]{8,}/g;
const wideReadable = /(?:\0[ -~]){8,}|(?:[ -~]\0){8,}/g;

function addReadable(forms: Set<string>, bytes: Buffer): void {
  for (const [found] of bytes.toString('latin1').matchAll(readable)) forms.add(found);
  // UTF-16, as in UTF-7.
  if (bytes.includes(0))
    for (const [found] of bytes.toString('latin1').matchAll(wideReadable)) forms.add(found.replaceAll('\0', ''));
}

/** Base32 in either case. A shorter run can't contain a card number. */
const base32Run = /\b[a-z2-7]{21,}\b/gi;

function ofBase32(coded: string): Buffer {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const sign of coded.toLowerCase()) {
    const value = sign >= 'a' ? sign.charCodeAt(0) - 97 : Number(sign) + 24;
    bits = ((bits << 5) | value) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Buffer.from(bytes);
}

/** How Ukrainian apostrophes are typed. */
const apostrophes = ['’', "'", 'ʼ', '`'];
/** The words for the digits 0 to 9, by language. A digit may have several. */
const digitWords: readonly (readonly string[])[] = [
  ['zero', 'oh', 'nought', 'null', 'zéro', 'cero', 'ноль', 'нуль'],
  ['one', 'eins', 'un', 'uno', 'один', 'одна'],
  ['two', 'zwei', 'zwo', 'deux', 'dos', 'два', 'две', 'дві'],
  ['three', 'drei', 'trois', 'tres', 'три'],
  ['four', 'vier', 'quatre', 'cuatro', 'четыре', 'чотири'],
  ['five', 'fünf', 'cinq', 'cinco', 'пять', ...apostrophes.map((sign) => `п${sign}ять`)],
  ['six', 'sechs', 'seis', 'шесть', 'шість'],
  ['seven', 'sieben', 'sept', 'siete', 'семь', 'сім'],
  ['eight', 'acht', 'huit', 'ocho', 'восемь', 'вісім'],
  ['nine', 'neun', 'neuf', 'nueve', 'девять', ...apostrophes.map((sign) => `дев${sign}ять`)],
];
const wordValues = new Map(digitWords.flatMap((words, digit) => words.map((word) => [word, String(digit)] as const)));
const anyWord = `(?<!\\p{L})(?:${[...wordValues.keys()].join('|')})(?!\\p{L})`;
const digitOf = (word: string): string => wordValues.get(word.toLowerCase()) ?? word;
const everyWord = once(() => new RegExp(anyWord, 'giu'));
/** At least thirteen words, the length of the shortest card number. */
const inWords = once(() => new RegExp(`(?:${anyWord}[^\\p{L}\\p{N}]{1,3}){12}${anyWord}`, 'iu'));
/**
 * What every match begins with. Most texts have fewer words, and the pattern above is large. It begins only where a word does:
 * from each letter of a long word, the time would grow with its square.
 */
const manyWords = /(?:(?<!\p{L})\p{L}+[^\p{L}\p{N}]{1,3}){12}/u;

/** The longest first: `uno` is no `un`. */
const longestFirst = [...wordValues.keys()].toSorted((one, other) => other.length - one.length).join('|');
const everyJoinedWord = once(() => new RegExp(longestFirst, 'giu'));
/** At least thirteen words without a blank. */
const joinedWords = once(() => new RegExp(`(?:${longestFirst}){13,}`, 'giu'));
/** What every match has: thirteen words of two letters or more, without a blank, digit or sign. Hardly any text has so long a word. It is looked for at the beginnings of words alone. */
export const longWord = /(?:^|[\0-&(-@[-_{-\x7f])[^\0-&(-@[-_{-\x7f]{26}/;

/** The Chinese digits. */
const characterValues = new Map([...'〇一二三四五六七八九'].map((sign, digit) => [sign, String(digit)] as const)).set(
  '零',
  '0',
);
const everyCharacter = /[〇零一二三四五六七八九]/g;
/** Thirteen digits with up to two signs between them, or a three-digit code right after a letter. */
const inCharacters = /(?:[〇零一二三四五六七八九][^\p{L}\p{N}]{0,2}){3}/u;

/** Decodes percent-encoded UTF-8, and digits in quoted-printable, between whose lines stands `=`; invalid characters stay as they are. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&nbsp;', ' ')
    .replace(/(?:=3\d(?:=(?:\r?\n| ))?){3,}/g, (run) => run.replace(/=3(\d)|\s|=/g, '$1'))
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(
      /&#(?:(\d{1,7})|x([0-9a-f]{1,6}));?|\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi,
      (written: string, decimal?: string, ...hex: (string | undefined)[]) => {
        const point =
          decimal === undefined ? Number.parseInt(hex.slice(0, 4).find((it) => it) ?? '', 16) : Number(decimal);
        return point <= 0x10ffff ? String.fromCodePoint(point) : written;
      },
    );
