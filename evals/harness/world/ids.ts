import type { Ports } from '../../../src/engine/settings.ts';

/** Ids that count: the same story gets the same ones. Handles hold letters alone, as the real ones do. */
export function countingIds(from = 0): {
  readonly ids: Ports['ids'];
  /** How many there are. */
  count(): number;
  restart(): void;
} {
  let count = from;
  const next = (): number => {
    count += 1;
    return count;
  };
  const handle = (prefix: string): string => `${prefix}_${letters(next())}`;
  return {
    ids: {
      handle,
      key: handle,
      uuid: () => `00000000-0000-4000-8000-${next().toString(16).padStart(12, '0')}`,
    },
    count: () => count,
    restart: () => {
      count = 0;
    },
  };
}

const handleLetters = 12;
const letters = (count: number): string =>
  [...count.toString(26)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join('')
    .padStart(handleLetters, 'a');
