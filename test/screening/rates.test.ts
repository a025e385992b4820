import { expect, it } from 'vitest';
import { screenInput } from '../../src/engine/input-screening.ts';
import { holdsCardData } from '../../src/screening/card-data.ts';
import { isOwnNumberPattern, ownNumbers } from '../../src/screening/look-alikes.ts';
import { drawnOrders, drawnPattern, fresh, harmless, seeded } from './corpora.ts';

const size = 2_000;
const most = 0.005;
const seed = fresh();

/** The share of a corpus that is taken for card data. */
const share = (make: (random: () => number) => string, isFound: (text: string) => boolean): number => {
  const random = seeded(seed);
  return Array.from({ length: size }, () => make(random)).filter(isFound).length / size;
};

it.each(Object.entries(harmless).map(([kind, make]) => ({ kind, make })))('$kind pass', ({ kind, make }) => {
  const refused = share(make, (text) => holdsCardData(text));
  console.info(`${kind}: ${(refused * 100).toFixed(2)} % of ${size} refused (seed ${seed})`);
  expect(refused).toBeLessThanOrEqual(most);
});

it("the shop's own numbers pass once their pattern is named, and a card number beside them does not", () => {
  const own = ownNumbers([drawnPattern]);
  const bare = share(drawnOrders, (text) => holdsCardData(text));
  const named = share(drawnOrders, (text) => holdsCardData(text, own));
  console.info(
    `order numbers drawn evenly: ${(bare * 100).toFixed(2)} % refused, ${(named * 100).toFixed(2)} % with their pattern named`,
  );
  expect(named).toBe(0);
  expect(bare).toBeLessThanOrEqual(0.06);
  expect([
    holdsCardData('SO-4929421234600821', own),
    holdsCardData('SO-4929421234600821, card 4929421234600821', own),
    holdsCardData('4929421234600821', own),
    holdsCardData('SO-49294212346008211', own),
    screenInput({ note: 'order SO-4929421234600821' }, '', own),
    screenInput({ note: 'SO 4929421234600821' }, '', own)?.rule,
  ]).toEqual([false, true, true, false, undefined, 'EN-05']);
});

it('a pattern needs a letter: one that is only digits would let card numbers pass', () => {
  expect(
    [
      drawnPattern,
      'order ######',
      'RE-Ü-####',
      '################',
      '4### #### #### ####',
      'SO-1234',
      'a#',
      '(a+)+#',
    ].map(isOwnNumberPattern),
  ).toEqual([true, true, true, false, false, false, false, false]);
});

it('ordinary calls are not refused for digits in neighbouring fields', () => {
  const random = seeded(seed);
  const number = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const calls = Array.from({ length: size }, () => ({
    reference: `${number(6)}`,
    customer_reference: number(4 + Math.floor(random() * 5)),
    lines: [
      { sku: number(4 + Math.floor(random() * 9)), amount: '45.00', quantity: '2' },
      { sku: `A${number(5)}`, amount: '4111.11', quantity: '1' },
    ],
    due: '2026-12-31',
    phone: `+49 151 ${number(7)}`,
  }));
  const refused = calls.filter((call) => screenInput(call) !== undefined).length / size;
  console.info(`calls with digits in many fields: ${(refused * 100).toFixed(2)} % of ${size} refused (seed ${seed})`);
  expect(refused).toBeLessThanOrEqual(2 * most);
});
