import { once } from '../core/once.ts';

/** The value with every text in Unicode's compatibility form (NFKC), so look-alike characters become equal. */
export function normalised(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFKC');
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalised(member)]));
}

/** The alphabets in use whose letters can look like Latin ones. All others are `another`. */
const alphabets = once(() =>
  'Latin Cyrillic Greek Armenian Cherokee Lisu Coptic Georgian Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Mongolian Canadian_Aboriginal Tifinagh Osage Deseret Gothic Glagolitic Runic Ogham Old_Italic Vai Bamum Adlam Warang_Citi Miao Javanese Balinese Han Hiragana Katakana Hangul Bopomofo Yi'
    .split(' ')
    .map((name) => ({ name, letters: new RegExp(`^\\p{Script=${name}}$`, 'u') })),
);
const ofNone = /^[\p{Script=Common}\p{Script=Inherited}]$/u;

/** Alphabets that occur together in one word (UTS 39, "highly restrictive"). */
const usualMixes: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];
/** Units of measurement: "10 kΩ", "5 μm". */
const unit = /^(?:[kMGm]?Ω|μ[A-Za-z]{1,2})$/;

const wordsOf = (text: string): readonly string[] => text.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');

const alphabetsOf = (word: string): readonly string[] => [
  ...new Set(
    [...word]
      .filter((letter) => !ofNone.test(letter))
      .map((letter) => alphabets().find(({ letters }) => letters.test(letter))?.name ?? 'another'),
  ),
];

/** Whether a word mixes alphabets that don't belong together: "Аmazing" with a Cyrillic A. */
function isMixed(word: string): boolean {
  const mix = alphabetsOf(word);
  return mix.length > 1 && !unit.test(word) && !usualMixes.some((usual) => mix.every((name) => usual.includes(name)));
}

/** Letters of other alphabets that look like Latin ones (from the confusables of UTS 39). */
const likeLatin: { readonly [alphabet: string]: ReadonlySet<string> } = {
  Cyrillic: new Set('аеорсухѕіјӏһԁԛԝүкАВЕКМНОРСТХУЅІЈԚԜҮӀ'),
  Greek: new Set('ονικυαργχωηβΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'),
  Armenian: new Set('օսոցհզգյքՍՏՕԼՅ'),
  Cherokee: new Set('ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃ'),
  Lisu: new Set('ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ'),
  Coptic: new Set('ⲞⲟⲢⲣⲤⲥⲦⲔⲕⲘⲚⲎⲬⲭⲂⲈⲒⲓ'),
};
/** Shorter words are usually real: "со" is Russian. Own choice. */
const readableLetters = 3;

/** The alphabet of a word that looks Latin but has no Latin letter: "аррӏе" is Cyrillic. */
function disguise(word: string): string | undefined {
  const [alphabet = '', ...more] = alphabetsOf(word);
  const alike = likeLatin[alphabet];
  const letters = [...word].filter((letter) => !ofNone.test(letter));
  return more.length === 0 && letters.length >= readableLetters && letters.every((it) => alike?.has(it))
    ? alphabet
    : undefined;
}

/** The real host of a URL: non-ASCII letters in their xn-- form. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : 'unknown');

/**
 * Warnings for the approver about confusable words. A word doesn't count if its neighbours show that the text is in the
 * other alphabet: "Кафе Роса".
 */
export function confusableWarnings(text: string): readonly string[] {
  const words = wordsOf(text);
  const plainly = new Set(words.flatMap((word) => (disguise(word) === undefined ? alphabetsOf(word) : [])));
  return [...new Set(words)].flatMap((word) => {
    if (isMixed(word)) return [`Look closely: "${word}" mixes letters of different alphabets.`];
    const alphabet = disguise(word);
    return alphabet === undefined || plainly.has(alphabet)
      ? []
      : [`Look closely: "${word}" looks Latin but has ${alphabet} letters.`];
  });
}
