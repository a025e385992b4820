import { bugs } from './bugs.ts';

/** Bugs in the look for card data. */
// biome-ignore format: rows
export const screening = bugs([
  ['split-over-fields', 'a card number may be split over two fields of one call',
   'src/engine/input-screening.ts', 'test/screening/spellings.test.ts › is refused: two fields',
   '?? (isSplit(value, own) ? found(field) : undefined)', '?? undefined'],
  ['joined-words-pass', 'a card number in words without blanks passes',
   'src/screening/encodings.ts', 'test/screening/spellings.test.ts › is found: digits in words without blanks',
   '  if (longWord.test(text))', '  if (longWord.test(text) && text.length < 26)'],
  ['wide-characters-pass', 'a card number in UTF-7 passes',
   'src/screening/encodings.ts', 'test/screening/spellings.test.ts › is found: UTF-7',
   'if (bytes.includes(0))', 'if (bytes.length === 0)'],
  ['own-pattern-without-a-letter', 'an operator may name a pattern that lets every card number pass',
   'src/screening/look-alikes.ts', 'test/screening/rates.test.ts › a pattern needs a letter',
   "/\\p{L}/u.test(pattern) && pattern.includes('#')", "pattern.includes('#')"],
  ['sums-are-never-a-number', 'a card number that is written as sums of money passes',
   'src/screening/card-numbers.ts', 'test/screening/spellings.test.ts › is found: the sums of a list',
   "if (fours.test(digits) && isCardNumber(digits.replace(/\\D/g, ''))) return true;", ''],
  ['comma-hides-a-number', 'a card number in groups of two passes once a comma and its expiry follow',
   'src/screening/card-numbers.ts', 'test/screening/spellings.test.ts › is found in groups of 2 between dashes, as without the others',
   `/[,;|\\n]/.test(signs[from] ?? '')`, `signs.some((it) => /[,;|\\n]/.test(it))`],
  ['ibans-are-card-numbers', 'a bank account is taken for a card number',
   'src/screening/card-numbers.ts', 'test/screening/rates.test.ts › German IBANs pass',
   'withoutIbans(plain)', 'plain'],
  ['page-without-what-is-around', 'a card number that the end of a page cuts is shown in two halves',
   'src/engine/file-pages.ts', 'test/engine/files.test.ts › shows no part of a number that its end cuts',
   'to + fileEdgeBytes', 'to'],
  ['list-in-an-answer', 'an answer may show a card number as the members of a list',
   'src/engine/output-screening.ts', 'test/engine/output-screening.test.ts › in the members of a list',
   'if (Array.isArray(value) && value.length > 1 && holdsCardNumber(inOneText(value))) return true;', ''],
]);
