import { describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { bought, change, order, payment, world } from './support.ts';

/** A test number that passes the check digit, and nobody's. */
const number = '4111111111111111';
const groups = ['4111', '1111', '1111', '1111'];
const digitsFrom = (zero: number) => [...number].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

/** Ways to write a card number. */
const written: readonly (readonly [string, unknown])[] = [
  // How it is spelt is in input-screening.test.ts, and in test/screening.
  ['plain', number],
  ['a number, not a text', Number(number)],
  ['full-width', digitsFrom(0xff10)],
  ['zero widths between', groups.join('\u200b')],
  ['in a sentence', `please pay with ${number}, thanks`],
  ['in JSON text', JSON.stringify({ card: { n: number } })],
  ['in an address', `https://shop.example.com/?card=${number}&x=1`],
  ['with its expiry behind it', `${number} 12/31`],
  ['in a list', ['x', number]],
  ['deep inside', { a: { b: [{ c: number }] } }],
  ['as a key', { [number]: 'x' }],
  ['as a spaced key', { [groups.join(' ')]: 'x' }],
];

/** A valid argument of a text, where the number is put. */
const places: readonly (readonly [string, (value: unknown) => object])[] = [
  ['find_shopper', (name) => ({ name })],
  ['initiate_purchase', (description) => order({ description })],
  ['initiate_purchase', (reference) => order({ reference })],
  ['initiate_purchase', (limit) => order({ limit })],
  ['preview_call', (description) => ({ tool: 'initiate_purchase', arguments: order({ description }) })],
];

describe('card data in an argument', () => {
  it.each(written)('is refused and not repeated: %s', async (_, value) => {
    const it = await world();
    for (const [tool, args] of places) {
      const said = await it.call(tool, args(value));
      expect(said).toMatchObject({ outcome: 'refused', error: { code: 'INVALID_ARGUMENT' } });
      expect(['EN-05', 'EN-10']).toContain(said.error?.rule);
      expect(JSON.stringify(said)).not.toMatch(/4\D{0,3}1\D{0,3}1\D{0,3}1\D{0,3}1/);
    }
    expect(JSON.stringify((await it.audit()).map(({ body }) => body))).not.toMatch(/4\D{0,3}1\D{0,3}1\D{0,3}1\D{0,3}1/);
    expect([await it.operations(), await it.effects()]).toEqual([[], []]);
  });

  it.each([
    ['pan', 'x'],
    ['cardNumber', 'x'],
    ['cvv', '1'],
    ['cvc2', '1'],
    ['security_code', 'x'],
    ['otp', 'x'],
    ['cryptogram', 'x'],
  ])('is refused by the name of the argument alone: %s', async (name, value) => {
    const it = await world();
    expect(await it.call('find_shopper', { [name]: value })).toMatchObject({ error: { rule: 'EN-05' } });
  });

  it.each(['otp 123456', 'the verification code is 4821', 'CVV: 123', 'one-time password 0000'])(
    'is refused where it is named: %s',
    async (description) => {
      const it = await world();
      expect(await it.call('initiate_purchase', order({ description }))).toMatchObject({ error: { rule: 'EN-05' } });
    },
  );

  it('that is spread over nested names is not put together again by the refusal', async () => {
    const it = await world();
    const said = await it.call('find_shopper', { 4111: { 1111: { 1111: { 1111: number } } } });
    expect(said).toMatchObject({ error: { rule: 'EN-05', field: 'arguments' } });
  });

  it.each(['order-2026-01-15', '+44 20 7946 0958', '1234567890123', '9999999999999999', 'INV 0001 0002'])(
    'is not seen where there is none: %s',
    async (description) => {
      const it = await world();
      await it.call('enroll_card', { card: 'card_ada' });
      expect((await it.call('initiate_purchase', order({ description }))).outcome).toBe('needs_approval');
    },
  );
});

describe('an argument that nobody knows', () => {
  it('is refused by every tool, at the top and inside', async () => {
    const it = await world();
    for (const { name } of tools) {
      const said = await it.call(name, { unheard_of: 1 });
      expect([name, said]).toMatchObject([
        name,
        { outcome: 'refused', error: { code: 'INVALID_ARGUMENT', rule: 'EN-01', field: 'unheard_of' } },
      ]);
    }
    const nested = order({ limit: { amount: '1.00', currency: 'GBP', extra: 1 } });
    expect(await it.call('initiate_purchase', nested)).toMatchObject({
      error: { rule: 'EN-01', field: 'limit.extra' },
    });
    expect([await it.operations(), await it.effects()]).toEqual([[], []]);
  });

  it.each([
    ['at the top', (key: string) => ({ [key]: 'x' })],
    ['beside what is right', (key: string) => order({ [key]: 'x' })],
    ['inside another', (key: string) => order({ limit: { amount: '1.00', currency: 'GBP', [key]: 1 } })],
    ['around a card number', (key: string) => ({ [key]: { [key]: number } })],
    ['around what nobody sees', (key: string) => ({ [key]: 'a\u200bb' })],
    ['around others', (key: string) => ({ limit: { [key]: { [key]: 1 } } })],
  ])('is never repeated where it could be a secret: %s', async (_, args) => {
    const it = await world();
    const key = 'correcthorsebatterystaple';
    const previewed = { tool: 'initiate_purchase', arguments: args(key) };
    for (const said of [
      await it.call('initiate_purchase', args(key)),
      await it.call('find_shopper', args(key)),
      await it.call('preview_call', previewed),
    ])
      expect(JSON.stringify(said)).not.toContain(key);
    const audit = await it.audit();
    expect(audit.filter(({ event }) => event === 'refused').length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(audit)).not.toContain(key);
  });

  it.each([
    [{ descripton: 'x' }, 'description', 'initiate_purchase'],
    [{ Limit: 1 }, 'limit', 'initiate_purchase'],
    [{ limit: { amount: '1.00', currency: 'GBP', currrency: 'GBP' } }, 'limit.currency', 'limit of initiate_purchase'],
  ])('is answered with the name that was meant, where it is a slip of it: %j', async (args, field, begins) => {
    const it = await world();
    const said = await it.call('initiate_purchase', order(args));
    expect(said.error).toMatchObject({ rule: 'EN-01', field });
    expect(said.said.startsWith(begins)).toBe(true);
    expect(said.said).toContain(`"${field.split('.').at(-1)}"`);
  });

  it('is named by every tool, with the arguments that there are where they are few', async () => {
    const it = await world();
    for (const { name, inputSchema } of tools) {
      const { said } = await it.call(name, { unheard_of: 1 });
      const has = Object.keys(inputSchema.shape);
      expect([name, said]).toEqual([name, expect.stringContaining('"unheard_of"')]);
      if (has.length <= 8) for (const one of has) expect([name, said]).toEqual([name, expect.stringContaining(one)]);
    }
    const nested = order({ limit: { amount: '1.00', currency: 'GBP', surcharge: '1.00' } });
    const { said } = await it.call('initiate_purchase', nested);
    for (const name of ['"surcharge"', 'amount', 'currency']) expect(said).toContain(name);
  });

  it.each([
    'a1',
    'x'.repeat(16),
    'one_two_three_four_five',
    'with space',
    '__proto__x',
    'Zażółć',
    '<b>',
    'a-b',
    'ABCD_E',
  ])('is not named where its name is no plain words: %s', async (name) => {
    const it = await world();
    expect((await it.call('find_shopper', { [name]: 1 })).said).not.toContain(name);
  });

  it.each(['deviceInformation', 'assuranceData', 'consentData', 'receipt', 'merchantId', 'instructionId', 'tenant'])(
    'is refused where the model would author what it must not: %s',
    async (name) => {
      const it = await world();
      const instruction = await bought(it);
      const before = await it.effects();
      for (const [tool, args] of [
        ['initiate_purchase', order()],
        ['update_purchase', change(instruction)],
        ['retrieve_credentials', payment(instruction)],
        ['confirm_transaction', { instruction }],
      ] as const)
        expect(await it.call(tool, { ...args, [name]: 'x' })).toMatchObject({
          outcome: 'refused',
          error: { rule: 'EN-01' },
        });
      expect(await it.effects()).toEqual(before);
    },
  );

  it.each([null, 'text', 7, [], [order()], true])(
    'is refused where there are no arguments at all: %j',
    async (args) => {
      const it = await world();
      expect((await it.call('initiate_purchase', args)).outcome).toBe('refused');
    },
  );

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('is refused under the name %s', async (name) => {
    const it = await world();
    const args = JSON.parse(`{"card":"card_ada","${name}":{"x":1}}`);
    expect(await it.call('enroll_card', args)).toMatchObject({ outcome: 'refused' });
    expect(await it.effects()).toEqual([]);
  });

  it.each(['2026-02-30T09:00:00Z', '01-02-2027', '2026-01-15T24:00:00Z', '2026-01-16', 'Jan 16 2026', '1800000000'])(
    'is refused where it is a day that does not exist, or is written otherwise: %s',
    async (until) => {
      const it = await world();
      expect(await it.call('initiate_purchase', order({ until }))).toMatchObject({
        outcome: 'refused',
        error: { code: 'INVALID_ARGUMENT', field: 'until', rule: 'EN-01' },
      });
    },
  );
});
