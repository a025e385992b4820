import { limits } from '../../../src/core/limits.ts';
import { once } from '../../../src/core/once.ts';
import type { Succeeded } from '../../../src/core/outcome.ts';
import { withoutSecrets } from '../../../src/core/secret-leaves.ts';
import { confusableWarnings } from '../../../src/engine/confusables.ts';
import { screenInput } from '../../../src/engine/input-screening.ts';
import { holdsCardDataIn } from '../../../src/engine/output-screening.ts';
import { screenedLine } from '../../../src/engine/screened-line.ts';
import { holdsCardData } from '../../../src/screening/card-data.ts';
import { plainText } from '../../../src/screening/digits.ts';
import { cardLengths, luhnSums, mostCardDigits } from '../../../src/screening/issuers.ts';
import { isArticleNumber, ownNumbers, withoutIbans } from '../../../src/screening/look-alikes.ts';
import { masked } from '../../../src/screening/mask.ts';
import { claimedCodes, claimedNumbers, unclaimed } from '../../../src/screening/spellings.ts';
import { isSplit } from '../../../src/screening/split.ts';
import { blankedNumbers } from '../../../src/screening/stretched.ts';
import { forms } from './screening-forms.ts';
import { codesAmongWords, continued, fileLines, filler, inDigitWords, otherDigits, words } from './screening-texts.ts';
import { found, numberOf, verdict } from './screening-verdicts.ts';

// What the screening takes for card data. A story has one card number or two; here is every beginning, length and spelling, and what
// looks like card data but isn't.

/** Every verdict, as text for people. Made once: no verdict changes while a process runs. */
export const screeningText: () => string = once(() => {
  const parts = [
    ['card numbers by first digits, with their lengths:', ...beginnings.map(lengthsOf)],
    ['spellings of card numbers, as arguments and answers, and masked:', ...claimedNumbers.flatMap(spellingOf)],
    ['numbers in words:', ...inDigitWords.map((text) => `  ${text}: ${verdict(text)}`)],
    ['digits in other signs:', ...otherDigits.map((text) => `  ${text}: ${plainText(text)}`)],
    [
      'codes:',
      ...[...claimedCodes, ...codesAmongWords].map(({ language, text }) => `  ${language}, ${text}: ${verdict(text)}`),
    ],
    ['what is known to be missed:', ...unclaimed.map(({ name, text }) => `  ${name}: ${verdict(text)}`)],
    ['look-alikes:', ...Object.entries(lookAlikes).map(([name, text]) => `  ${name}: ${verdict(text)}`)],
    ['where it stands:', ...Object.entries(places).map(([name, value]) => `  ${name}: ${placed(value)}`)],
    ['behind the signs of a phone number, by length:', ...signs.map(behind)],
    ['numbers that are taken apart, over fields of one call:', ...apart.map(apartAt)],
    ['numbers whose groups are the members of a list, by what separates them:', ...listSigns.flatMap(inLists)],
    [
      'how long a number may be by its first digits:',
      ...beginnings.map((it) => `  ${it}: ${cardLengths(it).join(' ')}`),
    ],
    ['lengths of an IBAN by country:', `  ${ibanLengths()}`],
    ['sums of check digits:', ...sums()],
    ['article numbers by length:', ...articles()],
    ['a long text, masked:', ...longTexts()],
    ["a merchant's own numbers:", ...owned.map((text) => `  ${text}: ${found(holdsCardData(text, own))}`)],
    ['numbers that go on in the next line, cell or element:', ...continued.map(markedIn)],
    [
      'groups between dashes, alone and beside other figures:',
      ...amongOthers.map((text) => `  ${text}: ${verdict(text)}`),
    ],
    [
      "lines of files with a merchant's own numbers:",
      ...ownLines.map((line) => `  ${JSON.stringify(line)}: ${JSON.stringify(screenedLine(line, own))}`),
    ],
    ['lines of files:', ...fileLines.map((line) => `  ${JSON.stringify(line)}: ${JSON.stringify(screenedLine(line))}`)],
    [
      'words that may be mistaken:',
      ...words.map((text) => `  ${text}: ${confusableWarnings(text).join(' ') || 'plain'}`),
    ],
    ...forms.map(([title, lines]) => [title, ...lines()]),
    ['halves of a number, as texts and numbers:', ...halvesOf.map(([name, it]) => `  ${name}: ${placed(it)}`)],
    ['secrets in an answer:', ...Object.entries(withSecrets).map(([name, it]) => `  ${name}: ${withoutAll(it)}`)],
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
});

const amongOthers = [2, 3, 4, 6].flatMap((size) => {
  const number = (numberOf('4', 16).match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(' - ');
  return [number, `${number}, 12/28`, `${number}; 123`, `7, ${number}`, number.replaceAll(' - ', ', ')];
});
const ownLines = ['ORD-', ' ORD-', 'SO-'].flatMap((prefix) =>
  ['', ' ', '  '].map((end) => `a,${prefix}${numberOf('4', 16)}${end},b`),
);

const markedIn = (text: string): string =>
  `  ${JSON.stringify(text.replaceAll(filler, '…'))}: ${JSON.stringify(blankedNumbers(text).replaceAll(filler, '…').replaceAll('\u0000', '·'))}`;

/** First digits on both sides of each border between networks. */
// biome-ignore format: a table
const beginnings = [
  '0', '1', '2220', '2221', '2229', '223', '229', '23', '26', '2700', '2719', '2720', '2721', '28', '30', '31', '32', '33', '34',
  '35', '36', '37', '38', '39', '4', '50', '51', '55', '56', '59', '6', '7', '8', '9',
];

function lengthsOf(beginning: string): string {
  const lengths = Array.from({ length: mostCardDigits + 1 }, (_, at) => at + 1).filter(
    (length) => length > beginning.length && holdsCardData(numberOf(beginning, length)),
  );
  return `  ${beginning}: ${lengths.join(' ') || 'none'}`;
}

/** What is one of these: the beginning of a number, and how long it is. */
const tried = [
  ['4', 13],
  ['30', 14],
  ['37', 15],
  ['4', 16],
  ['4', 19],
] as const;

function spellingOf({ name, spell }: (typeof claimedNumbers)[number]): readonly string[] {
  const verdicts = tried.map(([beginning, length]) => {
    const text = `Take ${spell(numberOf(beginning, length))} now.`;
    const isRefused = screenInput({ description: text }) !== undefined;
    return `${length} ${found(isRefused)}, ${found(holdsCardDataIn({ said: text }))}, ${JSON.stringify(masked(text))}`;
  });
  const wrong = spell(numberOf('4', 16, 1));
  return [`  ${name}: ${verdicts.join('; ')}; 16 with another check digit ${found(holdsCardData(wrong))}`];
}

const lookAlikes: Readonly<Record<string, string>> = {
  'the last character of all between groups': '4111&#1114111;1111&#1114111;1111&#1114111;1111',
  'a character beyond the last between groups': '4111&#1114112;1111&#1114112;1111&#1114112;1111',
  'an IBAN': 'DE89 3704 0044 0532 0130 00',
  'an IBAN without blanks, in small letters': 'de89370400440532013000',
  'an IBAN of another length': 'GB82 WEST 1234 5698 7654 32',
  'an IBAN with a wrong check digit': 'DE88 3704 0044 0532 0130 00',
  'an IBAN with a number like that of a card': 'DE95 4111 1111 1111 1111 00',
  'an IBAN with a number like that of a card, in small letters': 'de95 4111 1111 1111 1111 00',
  'the same with a wrong check digit': 'DE96 4111 1111 1111 1111 00',
  'an IBAN of a country that has none': 'US89 4003 6100 0000 0006 00',
  'an article number': '4006381333931',
  'an article number, and how many': '4006381333931 22',
  'blanks around it': ' 4111111111111111 ',
  'blanks around a word': '\n paid\t',
  'an article number with a wrong check digit': '4006381333932',
  'a phone number': '+49 170 4003610009',
  'a phone number in brackets': '(+49) 170 4003610009',
  'a phone number of the longest length': `+${numberOf('49170', 15)}`,
  'a number after a plus, longer than a phone number': `+${numberOf('4', 16)}`,
  'a phone number with two zeros': `00${numberOf('4', 13)}`,
  'a card number after a plus': `+${numberOf('37', 15)}`,
  'a card number after two zeros': `00 ${numberOf('30', 14)}`,
  'a list of sums': '40.03, 61.00, 12.50, 99.99',
  'a list of days': '20260115 20260116 20260117',
  'a moment': '2026-01-15T12:00:00.000Z',
  'a serial number within letters': `SN${numberOf('4', 16)}X`,
  'a UUID': '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'a digest': '0b4f7a'.repeat(10),
  'twenty digits': numberOf('4', 20),
  'a key': 'sk_test_26PHem9AhJZvU623DfE1x4sd',
  'a word of forty letters': 'a'.repeat(40),
  'a sentence': 'Two lamps, 40.00 GBP, by 15 January.',
  'a cryptogram': `${'A'.repeat(26)}A=`,
  'a cryptogram among words': `Take ${'A'.repeat(26)}A= now.`,
  'a cryptogram with a name': `cavv ${'A'.repeat(26)}A`,
  'a cryptogram in hex with a name': `cavv ${'0a'.repeat(20)}`,
  'a text like a cryptogram': 'A'.repeat(27),
};

/** What stands before a phone number, or before a card number in the place of one. */
const signs = ['', '+', '(+', '+ ', '00', '(00', '00 ', '0', '(0', '0 '];

/** The lengths at which a card number is found there, of numbers that begin in any of three ways. */
function behind(sign: string): string {
  const isFound = (beginning: string, length: number) => holdsCardData(`${sign}${numberOf(beginning, length)}`);
  const lengths = Array.from({ length: mostCardDigits + 1 }, (_, length) => length);
  const found = lengths.filter((it) => it > 2 && ['30', '4', '50'].some((beginning) => isFound(beginning, it)));
  return `  "${sign}": ${found.join(' ') || 'none'}`;
}

const halves = [numberOf('4', 16).slice(0, 8), numberOf('4', 16).slice(8)];
const places: Readonly<Record<string, unknown>> = {
  'a number that is no text': Number(numberOf('4', 16)),
  'a name': { [numberOf('4', 16)]: 'Word' },
  'a name, and a number beside it': { [numberOf('4', 16)]: 1, note: 'Word' },
  'the second of two members': { note: 'Word', other: numberOf('4', 16) },
  'within lists': [['Word', [numberOf('4', 16)]]],
  'within a member of a member': { card: { holder: { note: numberOf('4', 16) } } },
  'in a list of a member': { cards: [{ note: numberOf('4', 16) }] },
  'within a member whose name has a figure': { line2: { note: numberOf('4', 16) } },
  'a name within a member': { card: { [numberOf('4', 16)]: 'Word' } },
  'a member of a member that is called like one': { card: { cvv: 'Word' } },
  'halves of two fields': { first: halves[0], second: halves[1] },
  'halves of two fields, turned round': { first: halves[1], second: halves[0] },
  'halves of two fields, with words': { first: `of ${halves[0]}`, second: `${halves[1]} it is` },
  'groups of four fields': numberOf('4', 16).match(/.{4}/g),
  'groups of four fields, after another one': ['Word', ...(numberOf('4', 16).match(/.{4}/g) ?? [])],
  'groups of four fields, after two numbers': ['7', '8', ...(numberOf('4', 16).match(/.{4}/g) ?? [])],
  'groups of four fields, one of them with a word': numberOf('4', 16)
    .match(/.{4}/g)
    ?.map((it, at) => (at === 2 ? `${it} it` : it)),
  'four groups and a half': numberOf('4', 18).match(/.{1,4}/g),
  'five groups': numberOf('6', 19).match(/.{1,4}/g),
  'six groups': numberOf('4', 19).match(/.{1,3}/g),
  'three groups of fifteen digits': [0, 4, 10].map((from, at) => numberOf('37', 15).slice(from, [4, 10, 15][at])),
  'three groups of sixteen digits': [0, 4, 10].map((from, at) => numberOf('4', 16).slice(from, [4, 10, 16][at])),
  'groups of three and a half fields': numberOf('4', 16).match(/.{4}/g)?.slice(0, 3),
  'groups in a day': { day: '2026-01-15', first: halves[0], second: halves[1] },
  'groups behind a letter': { first: `x${halves[0]}`, second: halves[1] },
  'groups before a letter': { first: halves[0], second: `${halves[1]}x` },
  'groups with dashes': {
    first: `of ${halves[0]?.slice(0, 4)}-${halves[0]?.slice(4)}`,
    second: `${halves[1]?.slice(0, 4)} ${halves[1]?.slice(4)}.`,
  },
  'groups of four numbers': numberOf('4', 16).match(/.{4}/g)?.map(Number),
  'parts that no card is printed in': { first: halves[0]?.slice(0, 5), second: `${halves[0]?.slice(5)}${halves[1]}` },
  'a member that is called like one': { cvv: 'Word' },
  'a number in hex, behind half a byte': `a${Buffer.from(`card ${numberOf('4', 16)}`).toString('hex')}`,
  'a number in hex': Buffer.from(`card ${numberOf('4', 16)}`).toString('hex'),
  'an invisible sign': 'Wo\u200brd',
  'half a character': 'Wo\ud83d',
  'nothing at all': { first: null, second: true, third: [] },
};

const groupsOf = (beginning: string, length: number, sizes: readonly number[]): readonly string[] => {
  const number = numberOf(beginning, length);
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return number.slice(from - size, from);
  });
};
const four = groupsOf('4', 16, [4, 4, 4, 4]);
/** The groups of a number, and what stands before and after them. */
const apart: readonly (readonly [name: string, fields: readonly unknown[]])[] = [
  ['two halves', halves],
  ['four groups', four],
  ['four groups after one other number', ['7', ...four]],
  ['four groups after five other numbers', ['7', '8', '9', '7', '8', ...four]],
  ['four groups before five other numbers', [...four, '7', '8', '9', '7', '8']],
  ['four groups, of which words follow the first', [`${four[0]} then`, ...four.slice(1)]],
  [
    'four groups, of which a long text follows the second',
    [four[0], `${four[1]} ${'word '.repeat(20)}`, ...four.slice(2)],
  ],
  ['four groups after words', ['Word', 'Word', 'Word', 'Word', 'Word', ...four]],
  ['four groups with a word between', [...four.slice(0, 2), 'Word', ...four.slice(2)]],
  ['four groups with a date between', [...four.slice(0, 2), '2026-01-15', ...four.slice(2)]],
  ['four groups with a phone number between', [...four.slice(0, 2), '020 7946 0958', ...four.slice(2)]],
  ['three groups of four', four.slice(0, 3)],
  ['five groups', groupsOf('6', 19, [4, 4, 4, 4, 3])],
  ['six groups', groupsOf('4', 19, [4, 3, 3, 3, 3, 3])],
  ['groups of 4, 6 and 5', groupsOf('37', 15, [4, 6, 5])],
  ['groups of 4, 5 and 6', groupsOf('37', 15, [4, 5, 6])],
  ['groups of 4, 6 and 4', groupsOf('30', 14, [4, 6, 4])],
  ['two groups of 4 and 11', groupsOf('37', 15, [4, 11])],
  ['the second half first', [...halves].toReversed()],
  ['both halves behind two hundred texts', [...Array.from({ length: 200 }, () => 'Word'), ...halves]],
  ['both halves behind two hundred numbers', [...Array.from({ length: 200 }, () => '1234 56'), ...halves]],
  ['both halves behind 198 numbers', [...Array.from({ length: 198 }, () => '1234 56'), ...halves]],
  ['a part of eight digits with a zero in front', groupsOf('417301730173173', 16, [8, 8])],
  ['a part of twelve digits with a zero in front, like a phone number', groupsOf('417301730173017', 16, [4, 12])],
];
const apartAt = ([name, fields]: (typeof apart)[number]): string => `  ${name}: ${found(isSplit(fields))}`;

/** What may stand between the members of a list. */
const listSigns = [', ', ',', '; ', ' | ', '\n', ' ', '   ', ' - ', ' -- ', ' / / '];

/** The sizes of groups by which a number is found there: the same for all but the last, as a card is printed, or with another sign. */
function inLists(sign: string): readonly string[] {
  const alike = Array.from({ length: 16 }, (_, at) => at + 1);
  const foundOf = (join: (groups: readonly string[]) => string) =>
    alike
      .filter((size) => holdsCardData(join(numberOf('4', 16).match(new RegExp(`.{1,${size}}`, 'g')) ?? [])))
      .join(' ') || 'none';
  const printed = [
    ['37', 15, [4, 6, 5]],
    ['37', 15, [4, 5, 6]],
    ['30', 14, [4, 6, 4]],
    ['30', 14, [4, 4, 6]],
  ] as const;
  const sizes = printed.filter(([beginning, length, sizes]) =>
    holdsCardData(groupsOf(beginning, length, sizes).join(sign)),
  );
  const told = [
    `of ${foundOf((it) => it.join(sign))}`,
    ...sizes.map(([, , sizes]) => sizes.join('-')),
    `behind another number of ${foundOf((it) => ['7', ...it].join(sign))}`,
    `before one of ${foundOf((it) => [...it, '12'].join(sign))}`,
    `with another sign in it of ${foundOf((it) => [it.slice(0, 2).join(sign), ...it.slice(2)].join(sign === '; ' ? ', ' : '; '))}`,
  ];
  return [`  ${JSON.stringify(sign)}: ${told.join(', ')}`];
}

/** The countries and lengths of which a bank account is known. */
function ibanLengths(): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const countries = letters.flatMap((one) => letters.map((two) => one + two));
  const lengths = Array.from({ length: 20 }, (_, at) => 14 + at);
  const known = countries.flatMap((country) =>
    lengths.filter((length) => isKnownIban(country, length)).map((length) => `${country} ${length}`),
  );
  return known.join(', ');
}

function isKnownIban(country: string, length: number): boolean {
  const account = '0'.repeat(length - 4);
  const digits = [...country].map((letter) => letter.charCodeAt(0) - 55).join('');
  const check = 98n - (BigInt(`${account}${digits}00`) % 97n);
  const iban = `${country}${String(check).padStart(2, '0')}${account}`;
  return withoutIbans(iban) !== iban;
}

/** The sums of parts of a number, from no digit to one more than it has. */
function sums(): readonly string[] {
  const digits = '4173017395';
  const sumOf = luhnSums(digits);
  const ends = Array.from({ length: digits.length + 2 }, (_, at) => at);
  return [0, 1, 2].map((from) => `  of ${digits} from ${from}: ${ends.map((to) => sumOf(from, to)).join(' ')}`);
}

/** By a check digit of weights 1 and 3, whatever the length. */
const articles = (): readonly string[] =>
  ['400638133393', '4006381333931', '40063813339310', '0000000000000', ''].map(
    (it) => `  ${it}: ${isArticleNumber(it) ? 'an article' : 'none'}`,
  );

/** A text at and beyond what is read of it, with a number at its end. */
const longTexts = (): readonly string[] =>
  [-1, 0, 1, 5].map((more) => {
    const number = numberOf('4', 16);
    const text = `${'word '.repeat(limits.maskedCharacters).slice(0, limits.maskedCharacters + more - number.length - 1)} ${number}`;
    const told = masked(text);
    return `  ${more}: ${told.length} characters, that end with ${JSON.stringify(told.slice(-24))}`;
  });

function placed(value: unknown): string {
  const refused = screenInput(value);
  return `as arguments ${refused === undefined ? 'passes' : `${refused.rule} at ${refused.field}`}, as an answer ${found(holdsCardDataIn(value))}`;
}

const own = ownNumbers(['ORD-################']);
const halvesOf: readonly (readonly [name: string, value: unknown])[] = [
  ['two texts', { first: halves[0], second: halves[1] }],
  ['two numbers', { first: Number(halves[0]), second: Number(halves[1]) }],
  ['a text and a number', { first: halves[0], second: Number(halves[1]) }],
  ['two numbers in objects', { first: { it: Number(halves[0]) }, second: { it: Number(halves[1]) } }],
  ['two numbers in lists', { first: [Number(halves[0])], second: [Number(halves[1])] }],
  ['a number and true', { first: Number(halves[0]), second: true }],
];

const owned = ['ORD-', 'ord-', 'XORD-', 'ORD '].map((prefix) => `${prefix}${numberOf('4', 16)}`);

const withSecrets: Readonly<Record<string, readonly [text: string, ...secrets: string[]]>> = {
  'a secret': ['It is s3cret, said he.', 's3cret'],
  'one within another': ['It is s3cret-longer.', 's3cret', 's3cret-longer'],
  'the same, the longer first': ['It is s3cret-longer.', 's3cret-longer', 's3cret'],
  'in JSON': [JSON.stringify({ it: 's"cret' }), 's"cret'],
  'in an address': [`https://a.example/?it=${encodeURIComponent('s cret')}`, 's cret'],
  'in Base64': [Buffer.from('s3cret-longer').toString('base64'), 's3cret-longer'],
  none: ['It is nothing.', ''],
};

function withoutAll([text, ...secrets]: readonly [text: string, ...secrets: string[]]): string {
  const outcome: Succeeded = { kind: 'succeeded', status: 200, body: { text } };
  return JSON.stringify(withoutSecrets(outcome, secrets).body);
}
