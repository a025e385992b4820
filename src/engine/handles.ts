import { createHash } from 'node:crypto';
import { limits } from '../core/limits.ts';
import type { Kind } from '../domains/facts.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The handle of a thing that exists on the platform. One id always has the same handle, so a thing that is listed twice is stored
 * once. Letters alone never look like a card number. Should two ids ever get one handle, the second is refused: nothing is stored
 * over another thing (`src/engine/finish.ts`), and an invoice number that collides counts as used (IN-07).
 */
export const handleFor = (kind: Kind, id: string): string =>
  `${kind.toLowerCase()}_${lettersOf(`${kind}\n${id}`, limits.handleCharacters)}`;

/**
 * The code of a new plan or subscription that the agent gives none: 47 bits that nobody else would choose, so that the thing
 * is found by it where the answer was lost. As many letters as a code can have, so that no consecutive one follows it (D-49).
 */
export const codeFor = (correlationId: string): string =>
  lettersOf(`code\n${correlationId}`, limits.billingCodeCharacters).toUpperCase();

/** So many letters that stand for a text. */
function lettersOf(text: string, count: number): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  let drawn = '';
  while (drawn.length < count) {
    drawn += alphabet[Number(rest % 26n)];
    rest /= 26n;
  }
  return drawn;
}
