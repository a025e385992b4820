import type { Mutant } from './mutants.ts';

/** Bugs in the look for card data. */
export const screening: readonly Mutant[] = [
  {
    id: 'split-over-fields',
    title: 'a card number may be split over two fields of one call',
    file: 'src/engine/input-screening.ts',
    find: '?? (isSplit(value, own) ? found(field) : undefined)',
    replace: '?? undefined',
    caughtBy: 'test/screening/spellings.test.ts › is refused: two fields',
  },
  {
    id: 'own-pattern-without-a-letter',
    title: 'an operator may name a pattern that lets every card number pass',
    file: 'src/screening/look-alikes.ts',
    find: "/\\p{L}/u.test(pattern) && pattern.includes('#')",
    replace: "pattern.includes('#')",
    caughtBy: 'test/screening/rates.test.ts › a pattern needs a letter',
  },
  {
    id: 'sums-are-never-a-number',
    title: 'a card number that is written as sums of money passes',
    file: 'src/screening/card-numbers.ts',
    find: "if (fours.test(digits) && isCardNumber(digits.replace(/\\D/g, ''))) return true;",
    replace: '',
    caughtBy: 'test/screening/spellings.test.ts › is found: the sums of a list',
  },
  {
    id: 'ibans-are-card-numbers',
    title: 'a bank account is taken for a card number',
    file: 'src/screening/card-numbers.ts',
    find: 'withoutIbans(plain)',
    replace: 'plain',
    caughtBy: 'test/screening/rates.test.ts › German IBANs pass',
  },
];
