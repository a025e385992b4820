import { createHash } from 'node:crypto';
import type { Kind } from '../guards/facts.ts';

const letters = 28;
const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The handle of a thing that the platform has and that anybody may come across: always the same for one id, so that a thing
 * that is listed twice is known once. Letters alone never look like a card number.
 */
export function handleFor(kind: Kind, id: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(`${kind}\n${id}`).digest('hex')}`);
  let drawn = '';
  while (drawn.length < letters) {
    drawn += alphabet[Number(rest % 26n)];
    rest /= 26n;
  }
  return `${kind.toLowerCase()}_${drawn}`;
}
