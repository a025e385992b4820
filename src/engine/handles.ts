import { createHash } from 'node:crypto';
import { limits } from '../core/limits.ts';
import type { Kind } from '../domains/facts.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The handle of a thing on the platform. An id always has the same handle, so a thing listed twice is stored once.
 * Letters never look like a card number. If two ids had the same handle, the second would be refused: nothing
 * overwrites another thing (`src/engine/apply.ts`), and an invoice number that collides counts as used (IN-07).
 */
export const handleFor = (kind: Kind, id: string): string =>
  `${kind.toLowerCase()}_${lettersOf(`${kind}\n${id}`, limits.handleCharacters)}`;

/** Derives letters from a text, deterministically: 4.7 bits each. */
export function lettersOf(text: string, count: number): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  let drawn = '';
  while (drawn.length < count) {
    drawn += alphabet[Number(rest % 26n)];
    rest /= 26n;
  }
  return drawn;
}
