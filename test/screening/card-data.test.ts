import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsCardData, holdsCardNumber } from '../../src/screening/card-data.ts';
import { isSplit } from '../../src/screening/split.ts';
import { encodings } from '../promises/encodings.ts';

const number = '4929421234600821';
const cryptogram = 'EAunvgMyM/vtFALxczEZzKDuyug=';
const bytes = Buffer.from(cryptogram, 'base64');

describe('what must be refused', () => {
  it.each([
    // Numbers.
    '4929 / 4212 / 3460 / 0821',
    '4929   4212   3460   0821',
    '4929 -- 4212 -- 3460 -- 0821',
    '4929 ... 4212 ... 3460 ... 0821',
    '[4929], [4212], [3460], [0821]',
    '49294212 --- 34600821',
    '4 - 9 - 2 - 9 - 4 - 2 - 1 - 2 - 3 - 4 - 6 - 0 - 0 - 8 - 2 - 1',
    '3700 / 000000 / 00002',
    'It is 4929 / 4212 / 3460 / 0821, valid until 12 / 31.',
    '"4929", "4212", "3460", "0821"',
    '4929&nbsp;4212&nbsp;3460&nbsp;0821',
    // Codes of a card.
    'CVV 123',
    'cvv2: 1234',
    'CSC: 123',
    'CSC is 123',
    'card ending 1111, CVC 123',
    'cvc 123, exp 12/31',
    'CVC is 123',
    'the CVV on the back is 123',
    'my card verification value: 123',
    'the security code on the back of my card is 123',
    '123 is the CVV',
    '123 (CVV)',
    '123 = cvc',
    '123 cvv',
    'ＣＶＶ １２３',
    'C\u200bVV 1\u200b23',
    // Codes for one use.
    'otp 1234',
    'OTP: 482 913',
    'OTP 4-8-2-9-1-3',
    'My OTP from the bank is 482913.',
    'code I got by SMS is 482913',
    'the code that I received by text message: 482913',
    '482913 is the code I got by SMS',
    'SMS code 482913',
    '482913 is your verification code',
    '482913 is my one-time password.',
    'Use 482913 as the OTP.',
    'the 3-D Secure code is 482913',
    'one-time PIN 48291',
    'otp%3A%20482913',
    // Cryptograms.
    cryptogram,
    `cryptogram ${cryptogram.replace('=', '')}`,
    `TAVV=${bytes.toString('base64url')}`,
    `cryptogram ${bytes.toString('hex')}`,
    `CAVV: ${bytes.toString('hex').toUpperCase()}`,
    `AAV ${bytes.toString('base64url')}`,
    `AEVV: ${bytes.toString('hex')}`,
  ])('%s', (text) => {
    expect(holdsCardData(text)).toBe(true);
    expect(holdsCardData(`Please: ${text}`)).toBe(true);
  });

  // A mirror image is as likely an order number; two needles for a search hold but a part; two are bytes and no text.
  const others = ['reversed', 'base64, one byte later', 'base64, two bytes later'];
  it.each(Object.entries(encodings).filter(([name]) => !others.includes(name) && !name.startsWith('UTF-16')))(
    'a number that is written so: %s',
    (_, encode) => {
      const written = String(encode(number));
      expect([holdsCardNumber(written), holdsCardNumber(`card ${written} please`)]).toEqual([true, true]);
    },
  );

  it('a number within a longer text in Base64 or hex, wherever it stands there', () => {
    for (const before of ['', 'x', 'xx', 'xxx'])
      for (const coding of ['base64', 'base64url', 'hex'] as const) {
        const coded = Buffer.from(`${before}card ${number}, thanks`).toString(coding);
        expect([holdsCardNumber(coded), holdsCardNumber(`a${coded}`)]).toEqual([true, true]);
      }
  });

  it.each(['base64', 'base64url', 'hex', 'upper-case hex', 'URL-encoded in full', 'HTML entities', 'JSON escapes'])(
    'a code and a cryptogram that are written so: %s',
    (name) => {
      for (const secret of ['my otp is 482913', cryptogram])
        expect(holdsCardData(`see ${encodings[name]?.(secret)}`)).toBe(true);
    },
  );
});

describe('what must pass', () => {
  it.each([
    // Order numbers, references, handles, ids.
    'order-1234',
    'Order 100045',
    'SO-2026-000123',
    'order 7003928475610293',
    'order 1029384756102938',
    'PO 4500012345, line 10',
    'invoice 2026-0000123',
    '4929421234600822',
    'instruction_qwertyuiopasd',
    'instr_qwertyuiopasdfghjklzxcvbnmqw',
    'credentials_abcdefghijklmnopqrstuvwxyzab',
    'op_aaaaaaaaaaaaaaaaaaaaaaaaaaaa, card_ada, shopper_ada',
    'pi_3MtwBwLkdIwHu7ix28a3tqPa',
    '0b8f6a3e-6f0e-4c58-9b1e-2f2f4f0a7c11',
    'FACE00000000000000000000000D0009',
    'AB695DA801DD1BB6E05341588E0A3BDC',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '507f1f77bcf86cd799439011',
    // Dates, moments, times.
    '2026-01-15',
    '15/01/2026 09:30',
    '2026-01-15T09:00:00.000Z',
    '2026-01-15 09:00:00.000 to 2026-02-15 09:00:00.000',
    '2026-01-15, 2026-02-15, 2026-03-15, 2026-04-15',
    'valid 01/2026 - 12/2031',
    '1767225600',
    '1767225600000',
    // Phones.
    '+44 7700 900009',
    '+49 1512 3456789',
    '+4915123456788',
    '+49 (0) 30 / 123 456 - 78',
    '0044 7700 900009 or 0044 7700 900010',
    '(020) 7946 0018',
    // Sums and lists.
    '39.90 EUR',
    '1,234,567.89 USD',
    '12 x 3.49 = 41.88',
    'between 100.00 and 250.00 GBP',
    '10, 20, 30, 40, 50, 60, 70',
    'sizes 38, 39, 40, 41, 42, 43',
    'shelf 12 / 14 / 16 / 18 / 20 / 22 / 24',
    '1920 x 1080, 2560 x 1440',
    '10.0.0.1, 192.168.100.200',
    '978-3-16-148410-0',
    // Words beside numbers.
    'code 123456',
    'discount code 20261',
    'merchant category code 5732',
    'postal code 10115',
    'PIN code 560001',
    'the otp comes later in chapter 123',
    'verification code sent to the number ending 1234',
    'the security code has 3 digits',
    'CVV on file since 2024',
    'order 4711: the OTP was wrong',
    'the OTP of order 12 was sent twice',
    'Show "Otpisnotacode 1234"',
    'QR code by email, gate 1234',
    // Texts that look coded.
    'Headphones%20black%20100',
    'Caf&#233; &amp; Bar 1234',
    'TheQuickBrownFoxJumpsOverThe',
    'Sony-WH-1000XM5-Headphones-Black-Edition',
    Buffer.from('Harbour Audio, over-ear, black').toString('base64'),
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'https://shop.example.com/orders/2026/01/15/4711?item=12&size=42',
  ])('%s', (text) => {
    expect(holdsCardData(text)).toBe(false);
  });

  it('sums of money in a row, whatever they are', () => {
    const sum = fc.integer({ min: 1, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2));
    const between = fc.constantFrom(', ', ' ', ' + ', ' / ', ' - ', '; ');
    fc.assert(
      fc.property(fc.array(sum, { minLength: 2, maxLength: 8 }), between, (all, sign) => {
        expect(holdsCardData(`Items: ${all.join(sign)}`)).toBe(false);
      }),
      { seed: 4217, numRuns: 500 },
    );
  });

  it('a number of another length than its beginning has, whatever its check digit', () => {
    const wrong = { '34': 16, '37': 14, '40': 15, '51': 15, '2221': 15, '2720': 13, '2220': 16, '2721': 16, '39': 13 };
    const right = { '34': 15, '37': 15, '40': 16, '51': 16, '2221': 16, '2720': 16, '39': 14, '35': 16, '62': 19 };
    const found = (all: object) =>
      Object.entries(all).map(([begins, length]) => holdsCardNumber(checked(begins, length)));
    expect([found(wrong), found(right)]).toEqual([Array(9).fill(false), Array(9).fill(true)]);
  });
});

/** So many digits that begin so and have the right check digit. */
function checked(begins: string, length: number): string {
  const digits = begins.padEnd(length - 1, '0');
  const sum = [...digits].toReversed().reduce((all, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

it('is read in the time of its length, however it is built', () => {
  const hostile = [
    '4 - ',
    '4929 / ',
    'otp is my ',
    '%34',
    '&#52;',
    '3434',
    'NDky',
    'code sms ',
    '1 is as the ',
    'card cvc ',
    'csc 1 ',
    'pin my ',
    '背面',
    '12 and ',
    'DE12 ',
    'four ',
    'three digits ',
  ];
  for (const part of hostile) {
    const text = part.repeat(Math.floor(8_192 / part.length));
    const begun = performance.now();
    holdsCardData(text);
    expect([part, performance.now() - begun < 1_000]).toEqual([part, true]);
  }
});

it('reads a word of any length once: no pattern starts anew at each of its letters', () => {
  // With a pattern whose time grows with the square of the length, this ends long after the limit of every test.
  expect(holdsCardData('a'.repeat(200_000))).toBe(false);
});

it.each(['1 ', '12 34 1 ', '7'])('reads fields of digits alone once, however many: %s', (part) => {
  // From each digit to the end, this ends long after the limit of every test.
  const digits = part.repeat(Math.ceil(200_000 / part.length));
  expect(isSplit({ a: `${digits}x`, b: `x${digits}`, c: `${digits}--` })).toBe(false);
});

it.each(['7'.repeat(100), '7 '.repeat(100)])('finds two halves beside any number of digits', (digits) => {
  expect(isSplit({ a: '49294212', b: `34600821 x ${digits}` })).toBe(true);
  expect(isSplit({ a: `${digits} x 49294212`, b: '34600821' })).toBe(true);
  expect(isSplit({ a: '49294212', b: `34600821 ${'7'.repeat(100)}x` })).toBe(true);
});
