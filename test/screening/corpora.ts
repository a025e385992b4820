import { randomBytes } from 'node:crypto';

// Texts of everyday business that hold no card data, made at random. Each kind is a generator from a source of randomness.

export type Random = () => number;

/** A generator with a seed (mulberry32), so that a corpus can be made again. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const fresh = (): number => randomBytes(4).readUInt32BE();

const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1));
const pick = <T>(random: Random, all: readonly T[]): T => all[whole(random, 0, all.length - 1)] as T; // never empty
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => String(whole(random, 0, 9))).join('');
const two = (it: number) => String(it).padStart(2, '0');
const date = (random: Random) => `20${whole(random, 20, 31)}${two(whole(random, 1, 12))}${two(whole(random, 1, 28))}`;

/** Product names with letters that security codes have, too. */
const products = (random: Random): string => {
  const name = pick(random, ['CSC', 'CVC']);
  const model = `${name} ${whole(random, 1, 99) * 10}${pick(random, ['', '', '-2', ' Pro', ' XL'])}`;
  const what = pick(random, ['lock', 'pump', 'valve', 'cable', 'helmet', 'compressor', 'Schloss', 'Pumpe', 'cadenas']);
  return pick(random, [
    model,
    `${model} ${what}`,
    `${what} ${model}`,
    `2 x ${model}, black`,
    `Spare part for ${model} (${what})`,
  ]);
};

/** Identifiers and digests of twenty bytes. */
const identifiers = (random: Random): string =>
  Buffer.from(Array.from({ length: 20 }, () => whole(random, 0, 255))).toString('base64url');

/** German bank accounts: a bank's code of eight digits, an account of ten, check digits by ISO 7064. */
const ibans = (random: Random): string => {
  const account = `${whole(random, 1, 8)}${digits(random, 7)}${digits(random, 10)}`;
  const check = two(98 - Number(BigInt(`${account}131400`) % 97n));
  const iban = `DE${check}${account}`;
  return pick(random, [
    iban,
    `IBAN ${grouped(iban)}`,
    grouped(iban),
    `Please pay to ${grouped(iban)}, BIC COBADEFFXXX.`,
  ]);
};
const grouped = (it: string) => (it.match(/.{1,4}/g) ?? []).join(' ');

/** Article numbers, of prefixes in use. */
const articles = (random: Random): string => {
  const body = `${pick(random, ['40', '42', '45', '49', '50', '30', '37', '54', '57', '64', '69', '76', '87', '97'])}${digits(random, 10)}`;
  const sum = [...body].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  const ean = `${body}${(10 - (sum % 10)) % 10}`;
  return pick(random, [ean, `EAN ${ean}`, `GTIN: ${ean}, 2 pieces`, `${ean[0]} ${ean.slice(1, 7)} ${ean.slice(7)}`]);
};

/** Lists of phone numbers as several countries write them. */
const phones = (random: Random): string => {
  const one = pick<(random: Random) => string>(random, [
    (it) => `+49 ${whole(it, 151, 179)} ${digits(it, 7)}`,
    (it) => `0${whole(it, 30, 89)} ${digits(it, 8)}`,
    (it) => `0${whole(it, 151, 179)}/${digits(it, 7)}`,
    (it) => `+44 7${digits(it, 3)} ${digits(it, 6)}`,
    (it) => `0044 7${digits(it, 3)} ${digits(it, 6)}`,
    (it) => `+1 ${whole(it, 201, 989)}-${whole(it, 200, 999)}-${digits(it, 4)}`,
    (it) => `(${whole(it, 201, 989)}) ${whole(it, 200, 999)}-${digits(it, 4)}`,
    (it) => `0${whole(it, 1, 7)} ${[1, 2, 3, 4].map(() => digits(it, 2)).join(' ')}`,
    (it) => `+852 ${whole(it, 5, 6)}${digits(it, 3)} ${digits(it, 4)}`,
    (it) => `${whole(it, 6, 9)}${digits(it, 3)} ${digits(it, 4)}`,
  ]);
  const all = Array.from({ length: whole(random, 2, 5) }, () => one(random));
  return `${pick(random, ['', 'Tel. ', 'Call '])}${all.join(pick(random, [', ', '; ', ' / ', ' or ', ' und ']))}`;
};

/** Order numbers of sixteen digits as shop systems count them. */
const orders = (random: Random): string => {
  const number = pick<(random: Random) => string>(random, [
    (it) => `${date(it)}${digits(it, 8)}`,
    (it) => `20${whole(it, 20, 31)}${digits(it, 12)}`,
    (it) => `000000${digits(it, 10)}`,
    (it) => `10000${digits(it, 11)}`,
    (it) => `${whole(it, 1_700_000_000_000, 1_899_999_999_999)}${digits(it, 3)}`,
    (it) => `9${digits(it, 15)}`,
  ])(random);
  return pick(random, [number, `Order ${number}`, `order no. ${number}, two parcels`, `#${number}`]);
};

/** Keys of authenticators. */
const keys = (random: Random): string => {
  const key = Array.from({ length: whole(random, 16, 52) }, () =>
    pick(random, [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567']),
  );
  return pick(random, [key.join(''), key.join('').toLowerCase(), `Key: ${key.join('')}`]);
};

/** Text of e-mails as it is sent: letters with accents by their bytes, and lines that go on. */
const mail = (random: Random): string =>
  Array.from({ length: whole(random, 5, 30) }, () =>
    pick(random, [
      'Gr=C3=BC=C3=9Fe',
      'caf=C3=A9',
      'a=3Db',
      '=3D=3D',
      `=\r\n${digits(random, 4)}`,
      'No=2E 7',
      '=30=32=2F24',
    ]),
  ).join(pick(random, [' ', '']));

/** Words for numbers within sentences of several languages, and compounds of letters alone. */
const counts = (random: Random): string =>
  Array.from({ length: whole(random, 3, 25) }, () =>
    pick(random, [
      'один кабель',
      'два',
      'три лампи',
      "п'ять",
      'четыре',
      'four cables',
      'one',
      'sechs',
      'Donaudampfschifffahrtsgesellschaftskapitän',
    ]),
  ).join(pick(random, [' ', ', ', '']));

/** Order numbers of sixteen digits drawn evenly: one in 25 is a possible card number. The operator names their pattern. */
export const drawnOrders = (random: Random): string => `SO-${digits(random, 16)}`;
export const drawnPattern = 'SO-################';

export const harmless: Readonly<Record<string, (random: Random) => string>> = {
  'product names with CSC and CVC': products,
  'identifiers of 20 bytes in base64url': identifiers,
  'German IBANs': ibans,
  'EAN-13 article numbers': articles,
  'lists of phone numbers': phones,
  'order numbers of 16 digits': orders,
  'keys in Base32': keys,
  'mail in quoted-printable': mail,
  'counts in words': counts,
};

/** A number with a valid check digit that begins so. */
export const cardNumber = (random: Random): string => {
  const [begins, length] = pick(random, [
    ['4', 16],
    ['51', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['3528', 16],
    ['6011', 16],
    ['36', 14],
  ] as const);
  const body = `${begins}${digits(random, length - begins.length - 1)}`;
  const sum = [...body].toReversed().reduce((all, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
};
