import type { Ports } from '../../../src/engine/settings.ts';

/** Ids that count: the same story gets the same ones. Handles hold letters alone, as the real ones do. */
export function countingIds(): { readonly ids: Ports['ids']; restart(): void } {
  let count = 0;
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
