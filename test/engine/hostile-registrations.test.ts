import { describe, expect, it } from 'vitest';
import { variationsWith } from '../../evals/harness/replay/variations.ts';
import { limits } from '../../src/core/limits.ts';
import { registerReceipt, registerShopper } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { nested } from '../support/nested.ts';
import { bought, world } from './support.ts';

// What the merchant's systems post is stored or refused, and ends neither with an exception, whatever one of its fields is.

// Texts of JSON, as they arrive.
const unstorable: readonly (readonly [name: string, value: unknown])[] = [
  ['half', JSON.parse(String.raw`"Zo\ud83d"`)],
  ['named by half', JSON.parse(String.raw`{"Zo\ud83d":"Ada"}`)],
  ['beyond all numbers', JSON.parse('1e400')],
  ['deep', nested(limits.argumentLevels + 1)],
  ['very deep', nested(100_000)],
];
const odd: typeof unstorable = [
  ['null', null],
  ['-0', -0],
  ['a list', []],
  ['an object', {}],
  ['inherited', 'constructor'],
  ['a prototype', JSON.parse('{"__proto__":{"displayName":"Eve"}}')],
];

const shopper = { handle: 'shopper_hostile', ...sandboxSeed.shoppers.shopper_ada };
const receiptOf = (instruction: string) => ({
  instruction,
  ...{ transactionType: 'PURCHASE', transactionStatus: 'APPROVED', amount: '40.00', currency: 'GBP' },
});

describe.each([
  ['a shopper session', registerShopper, () => shopper],
  ['a receipt', registerReceipt, receiptOf],
])('%s', (_, register, bodyOf) => {
  it('is refused where it could not be stored, and the fault is where it is', async () => {
    const it = await world();
    const body = bodyOf(await bought(it));
    const varied = variationsWith(body, () => unstorable);
    expect(varied.length).toBeGreaterThan(20);
    for (const { what, body } of varied.filter(({ what }) => unstorable.some(([name]) => what.endsWith(` ${name}`)))) {
      const [, path = '', wrong] = /^(\S+) (.*)$/.exec(what) ?? [];
      const told = await register(it.parts, 'default', body);
      const field = path.replaceAll('[]', '.0');
      expect([what, told]).toEqual([
        what,
        {
          ok: false,
          faults: [
            { field: wrong?.endsWith('deep') ? 'registration' : field, rule: 'EN-01', because: expect.any(String) },
          ],
        },
      ]);
    }
    expect((await it.parts.ledger.verify()).ok).toBe(true);
  });

  it('is stored or refused, whatever else one of its fields is', async () => {
    const it = await world();
    const body = bodyOf(await bought(it));
    for (const { what, body: other } of variationsWith(body, () => odd)) {
      const told = await register(it.parts, 'default', other);
      expect([what, typeof told.ok]).toEqual([what, 'boolean']);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect((await it.parts.ledger.verify()).ok).toBe(true);
  });
});
