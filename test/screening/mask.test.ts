import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { masked } from '../../src/screening/mask.ts';

/** Secrets without a sign that a mask would leave standing. */
const secrets = [
  'AgAAAAAAABk4DWZ4C28yUQAAAAA=',
  'EAunvgMyM/vtFALxczEZzKDuyug=',
  '4111110000001234',
  '4111 1100 0000 1234',
  'k7Hq2Zr9Lm4Tx8Wc1Vb6Nd3Pf5Js0Gy7Ae2Ru9Io4Kl8',
] as const;

/** The longest piece of a secret that a text still shows, blanks left out. */
function shown(text: string, secret: string): number {
  const plain = text.replaceAll(' ', '');
  const whole = secret.replaceAll(' ', '');
  for (let length = whole.length; length > 0; length--)
    for (let from = 0; from + length <= whole.length; from++)
      if (plain.includes(whole.slice(from, from + length))) return length;
  return 0;
}

describe('text from outside', () => {
  it('shows no piece of a secret, wherever it stands and however little of it is looked at', () => {
    const seed = Date.now() % 1_000_000;
    const where = fc.oneof(
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: limits.maskedCharacters - 100, max: limits.maskedCharacters + 20 }),
    );
    fc.assert(
      fc.property(where, fc.constantFrom(...secrets), fc.constantFrom(' ', '~ ', '\u200b'), (at, secret, filler) => {
        const text = `${filler.repeat(at).slice(0, at - 1)} ${secret} !!`;
        expect([text.length, shown(masked(text), secret)]).toEqual([text.length, 0]);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('is looked at only so far, and its end goes where a secret may be cut in two', () => {
    const most = limits.maskedCharacters;
    expect(masked('~'.repeat(most))).toHaveLength(most);
    expect(masked('~'.repeat(most + 1))).toHaveLength(most - limits.edgeCharacters);
    expect(masked('~'.repeat(5_000_000))).toHaveLength(most - limits.edgeCharacters);
  });

  it('shows no digit of a number that a mail program has written over lines', () => {
    const written = [...'4173173173173178'].map((digit) => `=3${digit}=\r\n`).join('');
    for (const text of [written, `Take ${written} now`]) expect(masked(text)).not.toMatch(/\d/);
  });

  it('stays as it is where it holds none', () => {
    const text = 'Order 1234 of 2026-01-15 for 40.00 GBP was declined: see details[0].amount_of_the_instruction.';
    expect(masked(text)).toBe(text);
  });
});
