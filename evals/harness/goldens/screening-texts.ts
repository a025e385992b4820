import type { claimedCodes } from '../../../src/screening/spellings.ts';

// Texts that the screening is asked about.

export const fileLines = [
  'Ada,10.00 GBP',
  'Ada, 4111111111111111 ,10.00',
  '"CVV 123";Ada\t 7 ',
  '<pan>4111111111111111</pan><name>Ada</name>',
  '4111,1111,1111,1111',
  ' , ,, ',
  // Parts of a number in cells, with what may stand between and beside them.
  '4111,1111,11111111',
  '1,4111,1111,1111,1111,1',
  '4111;1111|1111\t1111',
  '4111,,,,,,1111,1111,1111',
  '4111,,,,,,,1111,1111,1111',
  '4111,a,1111,1111,1111',
  '4111,2026-01-15,1111,1111,1111',
  '41111111,2026-01-15T10:15:30.123+01:00,11111111',
  '41111111,2026-01-15 10:15,11111111',
  '41111111,24:00:60Z,11111111',
  '41111111,25:00,11111111',
  '41111111,2026-13-15,11111111',
  '41111111,2026-01-32,11111111',
  '41111111,11.11,11111111',
  '4111111111.11,1111.11',
  '411111.11,1111111111',
  '4111111.11,1111111',
  '41111111.11,111111',
  '411.1111,111111111',
  '4111.1111,11111111',
  '411.11111111,11111',
  '411.111111111,1111',
  '6011,0000,0000,0000,003',
  '6011,0000,0000,0000,0036',
  '3782,822463,10005',
  '0,0,0,4111111111111111',
  '4,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1',
  '41 11,11 11,11-11,11.11',
  '41   11,1111,1111,1111',
  '41    11,1111,1111,1111',
];

/** Longer than the edges of a text that are looked at. */
export const filler = 'x'.repeat(90);
export const continued = [
  '4111 1111\n1111 1111',
  'Order 4111 1111\n1111 1111 paid',
  'Order 4111 1111\r\n  1111 1111 paid',
  '4111 1111\n1111\n1111',
  '4111\n1111\n1111\n1111\n2222',
  '4111 1111\n\n1111 1111',
  '4111 1111\nand\n1111 1111',
  '4111 111\n1 1111 1111',
  `${filler} 4111 1111\n1111 1111 ${filler}`,
  `4111 1111 ${filler}\n${filler} 1111 1111`,
  `${'1111 '.repeat(20)}4111 1111\n1111 1111 ${'1111 '.repeat(20)}`,
  '<a>4111 1111</a><b>1111 1111</b>',
  '<a>4111\n1111\n1111\n1111</a>',
  '<a>4111 1111\n1111 1111</a>',
  '"a" 4111 1111\n1111 1111<b>',
  'a>4111 1111\n1111 1111"b"',
  '<![CDATA[4111 1111]]><b>1111 1111</b>',
  '"4111 1111\n1111 1111",x',
  'x,"4111 1111\n1111 1111"',
  '"4111 1111\n1111 1111"',
  '"4111 1111\n1111 1111 1111,x"',
  '"4111 1111\n1111 1111,"',
  '4111 1111,\n1111 1111,x',
  '1,4111 1111\n1111 1111,2',
  '1,"4111 1111\n1111 1111',
  '4111,1111\n1111,1111',
  '2026-01-15\n4111 1111',
  '378282\n246310005',
  '3782 822463\n10005',
  // Exactly as long as an edge, and one longer.
  `${'x'.repeat(70)} 4111 1111\n1111 1111`,
  `${'x'.repeat(71)} 4111 1111\n1111 1111`,
  `4111 1111\n1111 1111 ${'x'.repeat(70)}`,
  `4111 1111\n1111 1111 ${'x'.repeat(71)}`,
  `4111 1111\n${'1'.repeat(8)}${' '.repeat(72)}\n1111 1111`,
  `4111 1111 -\n1111 1111`,
  `4111 1111 - \n1111 1111`,
  `4111 1111   \n1111 1111`,
  `4111 1111 -  -\n1111 1111`,
  '4111\n1111\n1111\n1111',
  '4111\n1111\n11111111',
  '4111 1111 1111 1111',
  '4111 1111 1111 1111\nnext',
  `4111\n1111 ${filler}\n1111\n1111`,
  `4111\n1111 ${filler} 1111\n1111\n1111`,
  '<a>4111\n1111\n1111\n1111',
  '<a>\n4111 1111\n1111 1111\n</a>',
  '<a>,4111 1111\n1111 1111</a>',
  '<a>x 4111\n1111\n1111\n1111"b"',
  '41\n11\n1111\n1111\n1111',
];

/** Words of one alphabet or several, alone and among others of theirs. */
// biome-ignore format: a table
export const words = [
  'Amazing', 'Аmazing', 'аррӏе', 'аррӏе Pay', 'Кафе Роса', 'Щука', 'Ελλάδα', 'ΟΝΟΜΑ', 'ΟΝΟΜΑ Ελλάδα', 'со', 'сор', '株式会社ABC',
  'カタカナとABC', '한국ABC', '한국カナ', 'ㄅㄆABC', 'ㄅㄆ한', '10 kΩ', '5 μm', 'kΩs', 'Ωm', 'հայ', 'سلام', 'سلامABC', 'ǅ',
];

/** Names of codes with other words between them and the code. */
export const codesAmongWords: typeof claimedCodes = [
  { language: 'English', text: 'the code was sent by SMS' },
  { language: 'English', text: 'the code was sent by SMS, 482913' },
  { language: 'English', text: 'the CVV on the back of my card is 123' },
  { language: 'German', text: 'Die Prüfziffer auf der Rückseite meiner Karte lautet 123' },
  { language: 'English', text: 'the three digits on the back are 12345' },
  { language: 'English', text: 'the three digits on the back are 123' },
  { language: 'French', text: 'le cryptogramme au dos de ma carte est 123' },
  { language: 'Spanish', text: 'el código de seguridad al dorso por recibido es 123' },
];

/** Digits from zero or one to nine, and the signs before and after them. */
export const otherDigits = [
  ...['⓪①⑨⑩', '⑴⑼⑽', '⒈⒐⒑', '⓵⓶⓷⓸⓹⓺⓻⓼⓽⓾', '❶❷❸❹❺❻❼❽❾❿', '➀➁➂➃➄➅➆➇➈➉', '➊➋➌➍➎➏➐➑➒➓', '⓴⓿─', '🄊🄋🄌🄍'],
  ...['𑛐𑛑𑛙', '𑛚𑛛𑛣', '٠١٩', '۰۱۹', '०१९', '０１９', '𝟎𝟏𝟗', '𝟘𝟙𝟡', '³²¹', '₀₁₉', 'Ⅸ', '一二三四五六七八九零〇', '½'],
];

/** A number of cards in the words of a language, each in capitals or small, and in the ways an apostrophe is typed. */
export const inDigitWords: readonly string[] = [
  'four one one one one one one one one one one one one one one one',
  'FOUR ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE',
  'Vier eins eins eins eins eins eins eins eins eins eins eins eins eins eins eins',
  ...['’', "'", 'ʼ', '`', ''].map((sign) => `${`п${sign}ять `.repeat(12)}чотири чотири чотири чотири`),
  ...['’', "'", 'ʼ', '`', ''].map((sign) => `чотири ${`дев${sign}ять `.repeat(14)}чотири`),
];
