import { describe, expect, it } from 'vitest';
import { screenInput } from '../../src/engine/input-screening.ts';
import { holdsCardData, holdsCardNumber } from '../../src/screening/card-data.ts';
import { masked } from '../../src/screening/mask.ts';
import { claimedCodes, claimedNumbers, unclaimed } from '../../src/screening/spellings.ts';
import { cardNumber, fresh, seeded } from './corpora.ts';

const seed = fresh();
const groups = (number: string) => number.match(/.{1,4}/g) ?? [];

describe('a claimed spelling of a card number', () => {
  it.each(claimedNumbers.map((row) => [row.name, row] as const))('is found: %s', (_, { spell, sixteenOnly }) => {
    const random = seeded(seed);
    const numbers = Array.from({ length: 200 }, () => cardNumber(random)).filter(
      ({ length }) => sixteenOnly !== true || length === 16,
    );
    const missed = numbers.filter(
      (number) => !holdsCardNumber(spell(number)) || !holdsCardNumber(`Note: ${spell(number)}.`),
    );
    expect([seed, missed]).toEqual([seed, []]);
    // What is shown of a text from outside holds none of it either.
    expect(numbers.filter((number) => holdsCardData(masked(spell(number))))).toEqual([]);
  });
});

/** With figures that are not its own, before or after. */
const amongOthers = (it: string): readonly string[] => [
  ...[`${it}, 12/28`, `${it} / 12/28`, `${it}; 123`, `${it}|12|28`],
  ...[`7, ${it}`, `40.00, ${it}`],
];
/** Sums are only taken for groups of a number where a list holds nothing else. */
const besideOthers = claimedNumbers.filter(({ name }) => name !== 'the sums of a list');

describe('a card number beside its expiry, its code or another figure', () => {
  it.each(besideOthers.map((row) => [row.name, row] as const))('is found: %s', (_, { spell, sixteenOnly }) => {
    const random = seeded(seed);
    const missed = Array.from({ length: 40 }, () => cardNumber(random))
      .filter(({ length }) => sixteenOnly !== true || length === 16)
      .map(spell)
      .flatMap(amongOthers)
      .filter((text) => !holdsCardNumber(text) || holdsCardData(masked(text)));
    expect([seed, missed]).toEqual([seed, []]);
  });

  it.each([2, 3, 4, 6])('is found in groups of %d between dashes, as without the others', (size) => {
    const random = seeded(seed);
    const missed = Array.from({ length: 40 }, () => cardNumber(random))
      .map((number) => (number.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(' - '))
      .filter((alone) => holdsCardNumber(alone))
      .flatMap((alone) => amongOthers(alone).filter((text) => !holdsCardNumber(text)));
    expect([seed, missed]).toEqual([seed, []]);
  });
});

it('is found in the digits of every script, also where those of several follow one another', () => {
  // Unicode lists the decimal digits of each script in order, so every tenth of them is a zero.
  const digits = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter((it) =>
    /^\p{Nd}$/u.test(it),
  );
  const scripts = Array.from({ length: digits.length / 10 }, (_, at) => digits.slice(10 * at, 10 * at + 10));
  const missed = scripts.filter((script) => {
    const number = '4929421234600821'.replace(/\d/g, (digit) => script[Number(digit)] ?? '');
    return !holdsCardNumber(number);
  });
  expect(missed.map(([zero]) => zero)).toEqual([]);
});

it.each(claimedCodes)('a claimed name of a code is found: $text ($language)', ({ text }) => {
  expect([holdsCardData(text), holdsCardData(`Bitte / s'il vous plaît: ${text}`)]).toEqual([true, true]);
});

it.each(unclaimed)('what is not claimed is not found, so docs/screening.md says so: $name', ({ text }) => {
  expect(holdsCardData(text)).toBe(false);
});

describe('a number that is split over fields of one call', () => {
  const number = '4929421234600821';
  it.each([
    ['two fields', { description: number.slice(0, 8), note: number.slice(8) }],
    ['two fields in the other order', { description: number.slice(4), note: number.slice(0, 4) }],
    [
      'the end of one and the beginning of another',
      { description: `card ${groups(number).slice(0, 2).join(' ')}`, note: `${number.slice(8)} thanks` },
    ],
    ['fields of objects in a list', { lines: [{ name: number.slice(0, 12) }, { name: number.slice(12) }] }],
    ['four fields', { a: number.slice(0, 4), b: number.slice(4, 8), c: number.slice(8, 12), d: number.slice(12) }],
    [
      'fields with others between',
      { a: number.slice(4), b: 'Harbour Audio, 12', c: 'order 77', d: number.slice(0, 4) },
    ],
  ])('is refused: %s', (_, call) => {
    expect(screenInput(call)).toMatchObject({ rule: 'EN-05' });
    expect(JSON.stringify(screenInput(call))).not.toContain(number.slice(0, 6));
  });

  it('is not claimed where it is cut elsewhere than between groups', () => {
    expect(screenInput({ a: number.slice(0, 7), b: number.slice(7) })).toBeUndefined();
  });

  it('but amounts, dates and ids beside each other are not a number', () => {
    expect(
      screenInput({ a: '4929.42', b: '12.34', until: '2026-01-15', reference: 'order-1234', total: '4600821.00' }),
    ).toBeUndefined();
  });
});
