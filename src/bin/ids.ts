import { randomBytes, randomUUID } from 'node:crypto';
import type { Ports } from '../engine/settings.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** 28 letters of 26: 131 random bits. Letters alone, so that no handle looks like a card number. */
const handleLetters = 28;

export const realIds: Ports['ids'] = {
  handle: (prefix) => `${prefix}_${randomLetters(handleLetters)}`,
  uuid: () => randomUUID(),
};

/** Letters drawn evenly: bytes that would favour the first letters are thrown away. */
function randomLetters(count: number): string {
  let drawn = '';
  while (drawn.length < count)
    for (const byte of randomBytes(count))
      if (byte < 234 && drawn.length < count) drawn += letters[byte % letters.length];
  return drawn;
}
