import { holdsCardData } from '../../../src/screening/card-data.ts';
import { masked } from '../../../src/screening/mask.ts';

// Verdicts of the screening, in words, and the numbers that it is asked about.

export const found = (isFound: boolean): string => (isFound ? 'found' : 'passes');
export const verdict = (text: string): string =>
  `${found(holdsCardData(text))}, masked ${JSON.stringify(masked(text))}`;

/** A number with these first digits and the check digit that the networks use. */
export function numberOf(beginning: string, length: number, wrong = 0): string {
  const digits = beginning.padEnd(length - 1, '173');
  const sum = [...digits].toReversed().reduce((all, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return all + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10) + wrong) % 10}`;
}
