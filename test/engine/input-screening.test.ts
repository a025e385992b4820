import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { screenInput } from '../../src/engine/input-screening.ts';
import { checkSize } from '../../src/engine/size-limits.ts';
import { holdsCardNumber } from '../../src/screening/card-data.ts';
import { disguises, number, spaced } from '../support/disguises.ts';
import { shop } from './shop.ts';

describe('a card number', () => {
  it.each(disguises)('is found %s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(true);
  });

  it.each([
    ['another check digit', '4111110000001236'],
    ['another check digit behind nines', '4999999999999995'],
    ['12 digits', '400000000002'],
    ['20 digits', '40000000000000000002'],
    ['22 digits that hold one', `${number}000000`],
    ['beginnings that nobody has', '1111110000001231'],
    ['another beginning', '2111110000001239'],
    ['a UUID', '0b8f6a3e-6f0e-4c58-9b1e-2f2f4f0a7c11'],
    ['a moment', '2026-01-15T09:00:00.000Z'],
    ['letters between', [...number].join('a')],
    ['seven marks between', spaced('.......')],
    ['nothing', ''],
  ])('is not seen in %s', (_, text) => {
    expect(holdsCardNumber(text)).toBe(false);
  });

  it('is found wherever it stands, whatever stands around it', () => {
    const around = fc.string({ maxLength: 20 }).map((text) =>
      text
        .replace(/[\p{Nd}\p{No}\p{Nl}]/gu, '')
        .normalize('NFKC')
        .replace(/\d/g, ''),
    );
    fc.assert(
      fc.property(around, around, (before, after) => {
        expect(holdsCardNumber(`${before}x ${spaced(' ')} x${after}`)).toBe(true);
      }),
      { seed: 4217, numRuns: 300 },
    );
  });
});

describe('the look at arguments', () => {
  const found = { code: 'INVALID_ARGUMENT', rule: 'EN-05', instead: ['list_cards'] };

  it.each<[unknown, string]>([
    [number, 'arguments'],
    [{ description: number }, 'description'],
    [{ a: { b: [1, number] } }, 'a.b.1'],
    [{ amount: Number(number) }, 'amount'],
    [{ [number]: 1 }, 'arguments'],
    [{ a: { [number]: 1 } }, 'a'],
    [{ pan: 'x' }, 'arguments'],
    [{ a: { cvv: '1' } }, 'a'],
    ...[
      'PAN',
      'card_number',
      'cardNumber',
      'cvv2',
      'CVC',
      'cvc2',
      'securityCode',
      'security_code',
      'otp',
      'oneTimeCode',
    ].map((name): [unknown, string] => [{ [name]: '' }, 'arguments']),
    ...['one_time_password', 'oneTimePasscode', 'cryptogram'].map((name): [unknown, string] => [
      { [name]: '' },
      'arguments',
    ]),
    [{ note: 'the otp is 123456' }, 'note'],
    [{ note: 'One-time code: 1234' }, 'note'],
    [{ note: 'passcode 99999' }, 'note'],
    [{ note: 'verification code - 123456' }, 'note'],
    [{ note: 'CVV 123' }, 'note'],
    [{ note: 'security code is: 1234' }, 'note'],
  ])('refuses %j, names the place and repeats nothing', (given, field) => {
    const refusal = screenInput(given);
    expect(refusal).toMatchObject({ ...found, field });
    expect(JSON.stringify(refusal)).not.toMatch(/4111|123|99999/);
  });

  it.each([
    undefined,
    null,
    true,
    7,
    'Headphones',
    { panorama: 'x', description: 'expand', otpions: 1, japan: 1, otpcode: 1 },
    { note: 'code 123456', other: 'otp', third: 'cvv 12' },
    { note: 'the otp comes later in chapter 123' },
    [[], {}],
    ['4111', 'Harbour', '1100', '0000', '1235'],
    { amounts: [39.9, 40, 41.5, 42] },
  ])('lets %j pass', (given) => {
    expect(screenInput(given)).toBeUndefined();
  });

  it.each([
    '\n',
    '\r',
    '\t',
    '\u0000',
    '\u001b',
    '\u202e',
    '\u200b',
    '\u2066',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\u00ad',
    '\u{e0041}',
    '\ud800',
  ])('refuses what nobody can see: %j', (hidden) => {
    expect(screenInput({ description: `Head${hidden}phones` })).toMatchObject({ rule: 'EN-10', field: 'description' });
    expect(screenInput(hidden)).toMatchObject({ rule: 'EN-10', field: 'arguments' });
  });

  it('refuses a number that is taken apart over a list', () => {
    for (const labels of [
      ['4111', '1100', '0000', '1235'],
      ['41111100', '00001235'],
    ])
      expect(screenInput({ labels })).toMatchObject({ ...found, field: 'labels' });
  });

  it('refuses a text that is longer than any argument, without looking into it', () => {
    const longest = 'a'.repeat(limits.blobCharacters);
    expect([screenInput({ a: longest }), screenInput({ a: `${longest}a` })]).toMatchObject([
      undefined,
      { rule: 'EN-01', field: 'a', because: 'The argument is too long.' },
    ]);
    expect(screenInput(`${longest}a`)?.field).toBe('arguments');
  });
});

it('says what is wrong in whole sentences, and what leads out', () => {
  const told = { code: 'INVALID_ARGUMENT', instead: [] };
  expect([
    screenInput({ a: number }),
    screenInput({ a: 'b\n' }),
    screenInput({ a: 'b'.repeat(limits.blobCharacters + 1) }),
  ]).toEqual([
    {
      ...told,
      rule: 'EN-05',
      field: 'a',
      because:
        "This looks like a card number, security code or one-time code. Never pass those in the conversation: cards have handles, and customers give codes to the merchant's app.",
      instead: ['list_cards'],
    },
    {
      ...told,
      rule: 'EN-10',
      field: 'a',
      because:
        'The text has an invisible character: a line break, a control, a bidirectional mark or half a character.',
    },
    { ...told, rule: 'EN-01', field: 'a', because: 'The argument is too long.' },
  ]);
});

describe('the bulk of arguments', () => {
  const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  it('is bounded in depth', () => {
    const { argumentLevels: most } = limits;
    expect([checkSize(deep(most + 1)), checkSize(deep(most + 2)), checkSize(deep(100_000))]).toMatchObject([
      undefined,
      { rule: 'EN-01', field: 'arguments' },
      { rule: 'EN-01' },
    ]);
  });

  it('is bounded in number, over all levels together', () => {
    const { argumentElements: most } = limits;
    const list = (count: number) => Array.from({ length: count }, () => 1);
    expect([
      checkSize(list(most)),
      checkSize(list(most + 1)),
      checkSize([list(most - 2), 1]),
      checkSize([list(most - 1), 1]),
    ]).toMatchObject([undefined, { rule: 'EN-01' }, undefined, { rule: 'EN-01' }]);
    expect(checkSize(list(most + 1))?.because).toBe(
      'Arguments may have at most 2000 properties, 16 levels and 65536 characters.',
    );
  });

  it('is bounded in characters, of all texts together', () => {
    const { argumentCharacters: most } = limits;
    const half = 'x'.repeat(most / 2);
    expect([
      checkSize([half, [half]]),
      checkSize([half, [half, 'x']]),
      checkSize({ x: 'x'.repeat(most + 1) }),
    ]).toMatchObject([undefined, { rule: 'EN-01' }, { rule: 'EN-01' }]);
  });

  it('is bounded in characters, of the names of properties, too', () => {
    const { argumentCharacters: most } = limits;
    expect([
      checkSize({ ['x'.repeat(most)]: 1 }),
      checkSize({ ['x'.repeat(most)]: 'x' }),
      checkSize([{ ['x'.repeat(most / 2)]: { ['x'.repeat(most / 2)]: {} } }]),
      checkSize([{ ['x'.repeat(most / 2)]: { ['x'.repeat(most / 2 + 1)]: {} } }]),
    ]).toMatchObject([undefined, { rule: 'EN-01' }, undefined, { rule: 'EN-01' }]);
  });

  it.each([undefined, null, 'text', 1, {}])('of %j is none', (given) => {
    expect(checkSize(given)).toBeUndefined();
  });
});

it('is asked of every call, before its shape: nothing of what is found is kept or sent', async () => {
  const it = await shop();
  const told = await it.call('preview_call', { tool: 'enroll_card', arguments: { card: `card ${spaced('-')}` } });
  expect(told).toMatchObject({ outcome: 'refused', error: { rule: 'EN-05', field: 'arguments' } });
  const kept = JSON.stringify([told, await it.audit(), await it.operations()]);
  expect([kept.includes('4111'), it.sent]).toEqual([false, []]);
});
