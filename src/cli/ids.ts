import { randomBytes, randomUUID } from 'node:crypto';
import { limits } from '../core/limits.ts';
import type { Ports } from '../engine/settings.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';

export const realIds: Ports['ids'] = {
  handle: (prefix) => `${prefix}_${randomLetters(limits.handleCharacters)}`,
  key: (prefix) => `${prefix}_${randomLetters(limits.keyCharacters)}`,
  uuid: () => randomUUID(),
};

/** Uniformly distributed letters: bytes that would favour the first letters are dropped. */
function randomLetters(count: number): string {
  let drawn = '';
  while (drawn.length < count)
    for (const byte of randomBytes(count))
      if (byte < 234 && drawn.length < count) drawn += letters[byte % letters.length];
  return drawn;
}
