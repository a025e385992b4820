/**
 * The first digits that card networks use, with their published lengths. Source: ISO/IEC 7812 and the networks' own
 * pages.
 */
const issued: readonly (readonly [beginning: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 17, 18, 19]],
  [/^3[47]/, [15]],
  [/^3[0689]/, [14, 15, 16, 17, 18, 19]],
  [/^35/, [16, 17, 18, 19]],
  [/^2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)/, [16]],
  [/^5[1-5]/, [16]],
  [/^(?:5[06-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];
const known = new Map<string, readonly number[]>();

/** The possible lengths of a card number with these first digits. */
export function cardLengths(digits: string): readonly number[] {
  const begins = digits.slice(0, 4);
  const lengths = known.get(begins) ?? issued.find(([beginning]) => beginning.test(begins))?.[1] ?? [];
  if (begins.length === 4) known.set(begins, lengths);
  return lengths;
}

/** The longest card number. */
export const mostCardDigits = 19;

/** Whether the digits are a card number: first digits, length and check digit are valid. */
export const isCardNumber = (digits: string): boolean =>
  cardLengths(digits).includes(digits.length) && luhnSums(digits)(0, digits.length) % 10 === 0;

/**
 * The Luhn sum of any range of the digits, in constant time: counted from the last digit, every second digit is
 * doubled.
 */
export function luhnSums(digits: string): (from: number, to: number) => number {
  // Prefix sums: one with the even places doubled, one with the odd ones.
  const doubled: readonly [number[], number[]] = [[0], [0]];
  for (let place = 0; place < digits.length; place++)
    for (const parity of [0, 1] as const) {
      const digit = Number(digits[place]) * (place % 2 === parity ? 2 : 1);
      doubled[parity].push((doubled[parity][place] ?? 0) + (digit > 9 ? digit - 9 : digit));
    }
  return (from, to) => {
    const sums = doubled[to % 2 === 0 ? 0 : 1];
    return (sums[to] ?? 0) - (sums[from] ?? 0);
  };
}
