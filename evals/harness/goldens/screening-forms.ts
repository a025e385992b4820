import { holdsCardData } from '../../../src/screening/card-data.ts';
import { ownNumbers } from '../../../src/screening/look-alikes.ts';
import { masked } from '../../../src/screening/mask.ts';
import { blankedNumbers } from '../../../src/screening/stretched.ts';
import { found, numberOf, verdict } from './screening-verdicts.ts';

// Every name of a code and of a cryptogram, every word of a digit, and every way in which programs write a character.

/** The names of codes, each in a language; what a name looks like is in src/screening/codes.ts. */
// biome-ignore format: a table
const codeNames: readonly string[] = [
  'cvv', 'CVV2', 'cvc2', 'cvn', 'cvn2', 'card verification code', 'card security value', 'card security number', 'security code',
  'Prüfziffer', 'Prüfziffern', 'Prüfnummer', 'Kartenprüfnummer', 'Sicherheitscode', 'Sicherheitsnummer', 'Kartenprüfziffer',
  'cryptogramme', 'cryptogramme visuel', 'code de sécurité', 'code cvv', 'código de seguridad', 'código cvv', 'número de seguridad',
  'OTP', 'TOTP', 'one-time code', 'one time passcode', 'onetime pin', 'passcode', 'pass code', 'verification code', 'authentication code',
  'authenticator code', '3-D Secure code', '3d secure code', '3DS code', 'SMS code', 'Einmalpasswort', 'Einmal-Kennwort', 'Einmalcode',
  'Einmal-PIN', 'Bestätigungscode', 'Verifizierungscode', 'Freigabecode', 'SMS-Code', 'smsTAN', 'SMS-TAN', 'pushTAN', 'chipTAN',
  'photoTAN', 'mTAN', 'm-TAN', 'code de vérification', 'code de confirmation', 'code de validation', 'code à usage unique',
  'mot de passe unique', 'mot de passe à usage unique', 'código de verificación', 'código de confirmación', 'código de un solo uso',
  'clave dinámica', 'contraseña de un solo uso', 'Geheimzahl', 'code secret', 'clave secreta', 'PIN', 'NIP', 'PIN code', 'CSC', 'CVC',
  '验证码', '驗證碼', '校验码', '校驗碼', '安全码', '安全碼', '动态码', '動態碼', '一次性密码', '一次性密碼', '动态密码', '動態密碼',
  '短信码', '卡背后三位数', '背三位數', '密码', '密碼', 'word',
];

/** Each name of a code, with what stands between it and the code. */
const namedCodes: readonly (readonly [name: string, texts: (code: string) => readonly string[]])[] = codeNames.map(
  (name) => [name, (code) => [`${name} ${code}`, `${name}: ${code}`, `${name} is ${code}`, `${code} (${name})`]],
);

/** Texts with several codes, and codes that are no codes. */
const severalCodes: readonly string[] = [
  'CVV 123, then CVV 456',
  'PIN 1234 and PIN 5678',
  'OTP 482913; CVV 123; PIN 1234',
  '482913 is my OTP and 123 is my CVV',
  '验证码482913，验证码482914',
];

/** Names of cryptograms, before one that nothing else tells. */
const cryptogramNames = [
  'cryptogram',
  'cryptogramme',
  'aavv',
  'aav',
  'aevv',
  'cavv',
  'davv',
  'tavv',
  'ucaf',
  'xavv',
  'word',
];

/** Every word of a digit, by digit. */
const digitWords: readonly (readonly string[])[] = [
  ['zero', 'oh', 'nought', 'null', 'zéro', 'cero', 'ноль', 'нуль'],
  ['one', 'eins', 'un', 'uno', 'один', 'одна'],
  ['two', 'zwei', 'zwo', 'deux', 'dos', 'два', 'две', 'дві'],
  ['three', 'drei', 'trois', 'tres', 'три'],
  ['four', 'vier', 'quatre', 'cuatro', 'четыре', 'чотири'],
  ['five', 'fünf', 'cinq', 'cinco', 'пять', 'п’ять'],
  ['six', 'sechs', 'seis', 'шесть', 'шість'],
  ['seven', 'sieben', 'sept', 'siete', 'семь', 'сім'],
  ['eight', 'acht', 'huit', 'ocho', 'восемь', 'вісім'],
  ['nine', 'neun', 'neuf', 'nueve', 'девять', 'дев’ять'],
];

const hex = (code: number): string => code.toString(16);
/** How programs write a character. */
const escapes: readonly (readonly [name: string, written: (code: number) => string])[] = [
  ['percent', (code) => `%${hex(code)}`],
  ['an entity', (code) => `&#${code};`],
  ['an entity without its end', (code) => `&#${code}`],
  ['an entity in hex', (code) => `&#x${hex(code)};`],
  ['an entity with zeros', (code) => `&#00${code};`],
  ['an escape of JSON', (code) => `\\u00${hex(code)}`],
  ['an escape in braces', (code) => `\\u{${hex(code)}}`],
  ['a byte of a program', (code) => `\\x${hex(code)}`],
  ['quoted-printable', (code) => `=${hex(code)}`],
  ['quoted-printable over lines', (code) => `=${hex(code)}=\n`],
  ['a number in hex', (code) => `0x${hex(code)} `],
  ['a number in octal', (code) => `\\${code.toString(8)}`],
  ['a blank of HTML behind it', (code) => `${String.fromCharCode(code)}&nbsp;`],
];

const shortOwn = ownNumbers(['O-####', 'AB#/##']);
const beginLikeOwn = ['', ' ', '-', '.', '/', '  ', ' - ', 'x', ', '].flatMap((joint) => {
  const number = numberOf('4', 16);
  return [
    `O-${number.slice(0, 4)}${joint}${number.slice(4)}`,
    `AB${number.slice(0, 1)}/${number.slice(1, 3)}${joint}${number.slice(3)}`,
  ];
});
const likeOwn = (text: string): string =>
  `${found(holdsCardData(text, shortOwn))}, ${JSON.stringify(blankedNumbers(text, shortOwn).replaceAll('\u0000', '·'))}`;

/** The lengths of a code at which it is found, by how it stands beside its name. */
function byLength([name, texts]: (typeof namedCodes)[number]): string {
  const lengths = Array.from({ length: 10 }, (_, at) => at + 1);
  const ways = texts('').map((_, way) =>
    lengths.filter((length) => holdsCardData(texts('4829135706'.slice(0, length))[way] ?? '')),
  );
  const [shown = ''] = texts('482913');
  return `  ${name}: ${ways.map((it) => (it.length === 0 ? 'none' : it.join(' '))).join('; ')}, masked ${JSON.stringify(masked(shown))}`;
}

function cryptogramsOf(name: string): string {
  const base64 = `${'A'.repeat(26)}A`;
  const far = (letters: number) => found(holdsCardData(`${name}${'. '.repeat(letters / 2)}${base64}`));
  const inHex = [38, 39, 40, 41].map((length) => found(holdsCardData(`${name}: ${'0a'.repeat(21).slice(0, length)}`)));
  const inBase64 = [`${base64.slice(1)}`, base64, `${base64}A`].map((it) => found(holdsCardData(`${name}: ${it}`)));
  return `  ${name}: ${[...inBase64, 'in hex', ...inHex, 'far', far(40), far(42)].join(', ')}`;
}

/** A number of a card in English words, one of which is replaced by each word of its digit. */
function amongDigits(all: readonly string[], digit: number): string {
  const number = numberOf(`4${digit}`, 16);
  const of = (word: string) =>
    [...number].map((it, at) => (at === 1 ? word : (digitWords[Number(it)]?.[0] ?? ''))).join(' ');
  return `  ${digit}: ${[...all, 'word'].map((word) => `${word} ${found(holdsCardData(of(word)))}`).join(', ')}`;
}

const escapedAs = ([name, written]: (typeof escapes)[number]): string => {
  const text = [...numberOf('4', 16)].map((digit) => written(digit.charCodeAt(0))).join('');
  return `  ${name}: ${verdict(text)}`;
};

/** What is listed, by title. */
export const forms: readonly (readonly [title: string, lines: () => readonly string[]])[] = [
  ['names of codes, and the lengths at which a code is found beside them:', () => namedCodes.map(byLength)],
  ['several codes:', () => severalCodes.map((text) => `  ${text}: ${verdict(text)}`)],
  ['names of cryptograms, in Base64 and in hex, by length and distance:', () => cryptogramNames.map(cryptogramsOf)],
  ['words of digits:', () => digitWords.map(amongDigits)],
  ['characters as programs write them:', () => escapes.map(escapedAs)],
  ["numbers of cards that begin like a merchant's own:", () => beginLikeOwn.map((it) => `  ${it}: ${likeOwn(it)}`)],
];
