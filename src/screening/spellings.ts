// What the screening finds and what it doesn't. docs/screening.md is generated from these rows, and tests try each.

const groups = (number: string): readonly string[] => number.match(/.{1,4}/g) ?? [];
const bytes = (number: string): readonly string[] => Buffer.from(number).toString('hex').match(/../g) ?? [];
const digits = (all: string) => (number: string) => [...number].map((digit) => [...all][Number(digit)]).join('');
const codes = (form: (code: number) => string) => (number: string) =>
  [...number].map((digit) => form(digit.charCodeAt(0))).join('');
const words = 'zero one two three four five six seven eight nine'.split(' ');
const russianWords = 'ноль один два три четыре пять шесть семь восемь девять'.split(' ');
const ukrainianWords = 'нуль один два три чотири п’ять шість сім вісім дев’ять'.split(' ');
const inWords =
  (all: readonly string[], joint = ' ') =>
  (number: string) =>
    [...number].map((digit) => all[Number(digit)]).join(joint);

function base32(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const fives = bits.match(/.{1,5}/g) ?? [];
  return fives.map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** The spellings of a card number that are found. */
export const claimedNumbers: readonly {
  readonly name: string;
  readonly spell: (number: string) => string;
  /** Only sixteen-digit numbers are grouped like this. */
  readonly sixteenOnly?: true;
}[] = [
  { name: 'digits without a break', spell: (it) => it },
  { name: 'groups of four with blanks, dashes, dots or slashes', spell: (it) => groups(it).join('-') },
  { name: 'groups with up to six signs between', spell: (it) => groups(it).join(' --- ') },
  {
    name: 'groups as members of a list',
    spell: (it) =>
      groups(it)
        .map((one) => `"${one}"`)
        .join(', '),
  },
  { name: 'groups with a word between', spell: (it) => groups(it).join(' and ') },
  { name: 'digit by digit', spell: (it) => [...it].join(' - ') },
  {
    name: 'the sums of a list',
    spell: (it) =>
      groups(it)
        .map((one) => `${one.slice(0, 2)}.${one.slice(2)}`)
        .join(', '),
    sixteenOnly: true,
  },
  { name: 'digits of other scripts', spell: digits('٠١٢٣٤٥٦٧٨٩') },
  { name: 'full-width digits', spell: digits('０１２３４５６７８９') },
  { name: 'circled digits', spell: digits('⓪①②③④⑤⑥⑦⑧⑨') },
  { name: 'filled circles', spell: digits('⓿❶❷❸❹❺❻❼❽❾') },
  { name: 'digits with marks or invisible characters between', spell: (it) => [...it].join('\u200b') },
  { name: 'keycaps', spell: (it) => [...it].map((digit) => `${digit}\ufe0f\u20e3`).join('') },
  { name: 'Chinese digits', spell: digits('零一二三四五六七八九') },
  {
    name: 'digits in words: English, German, French, Spanish',
    spell: inWords(words),
  },
  { name: 'digits in Russian words', spell: inWords(russianWords) },
  { name: 'digits in Ukrainian words', spell: inWords(ukrainianWords) },
  { name: 'digits in words without blanks', spell: inWords(words, '') },
  { name: 'percent-encoding', spell: codes((code) => `%${code.toString(16)}`) },
  { name: 'HTML entities', spell: codes((code) => `&#${code};`) },
  { name: 'JSON escapes', spell: codes((code) => `\\u00${code.toString(16)}`) },
  { name: 'Base64, in either alphabet', spell: (it) => Buffer.from(`card ${it}`).toString('base64') },
  { name: 'Base32', spell: (it) => base32(`card ${it}`) },
  { name: 'quoted-printable', spell: codes((code) => `=${code.toString(16)}`) },
  {
    name: 'UTF-7, and UTF-16 in Base64 or hex',
    spell: (it) => `+${Buffer.from(it, 'utf16le').swap16().toString('base64').replaceAll('=', '')}-`,
  },
  { name: 'hex', spell: (it) => bytes(it).join('') },
  { name: 'hex by bytes', spell: (it) => bytes(it).join(' ') },
  {
    name: 'hex by bytes, as programs write them',
    spell: (it) =>
      bytes(it)
        .map((byte) => `0x${byte}`)
        .join(', '),
  },
  { name: 'character codes', spell: codes((code) => `${code},`) },
];

/** The named codes that are found, with one example each. */
export const claimedCodes: readonly { readonly language: string; readonly text: string }[] = [
  { language: 'English', text: 'CVV 123' },
  { language: 'English', text: 'CSC: 123' },
  { language: 'English', text: 'CVC 123, card ending 1111' },
  { language: 'English', text: 'the security code on the back of my card is 123' },
  { language: 'English', text: 'three digits on the back: 123' },
  { language: 'English', text: '123, the 3 digits on the reverse' },
  { language: 'English', text: 'one-time password 482913' },
  { language: 'English', text: 'PIN 1234' },
  { language: 'English', text: 'my pin is 1234' },
  { language: 'German', text: 'Prüfziffer 123' },
  { language: 'German', text: 'Kartenprüfnummer: 123' },
  { language: 'German', text: 'Der Sicherheitscode lautet 123' },
  { language: 'German', text: 'Einmalpasswort 482913' },
  { language: 'German', text: '482913 ist meine SMS-TAN' },
  { language: 'German', text: 'Geheimzahl 1234' },
  { language: 'French', text: 'cryptogramme visuel 123' },
  { language: 'French', text: 'le code de sécurité est 123' },
  { language: 'French', text: 'code à usage unique : 482913' },
  { language: 'French', text: 'code secret 1234' },
  { language: 'Spanish', text: 'código de seguridad 123' },
  { language: 'Spanish', text: 'el código de verificación es 482913' },
  { language: 'Spanish', text: 'clave dinámica 482913' },
  { language: 'Spanish', text: 'NIP 1234' },
  { language: 'Chinese', text: '验证码482913' },
  { language: 'Chinese', text: '安全码是 123' },
  { language: 'Chinese', text: '卡背面三位数 123' },
  { language: 'Chinese', text: '482913是您的验证码' },
];

/** What the screening misses. It backs up the types that keep card data out, and is not the protection itself. */
export const unclaimed: readonly { readonly name: string; readonly text: string }[] = [
  { name: 'a number backwards', text: '1280064321249294' },
  { name: 'another cipher, or letters between digits', text: '4a9a2a9a4a2a1a2a3a4a6a0a0a8a2a1' },
  { name: 'groups of different lengths as members of a list', text: '49294, 212346, 00821' },
  { name: 'halves as members of a list, because phone numbers are listed like this', text: '49294212, 34600821' },
  {
    name: 'digits in words of other languages',
    text: 'quattro nove due nove quattro due uno due tre quattro sei zero zero otto due uno',
  },
  {
    name: 'words for numbers above nine',
    text: 'forty-nine twenty-nine forty-two twelve thirty-four sixty eight twenty-one',
  },
  {
    name: 'sums in words',
    text: 'four thousand nine hundred twenty-nine, four thousand two hundred twelve, three thousand four hundred sixty, eight hundred twenty-one',
  },
  {
    name: 'two layers of encoding',
    text: Buffer.from(Buffer.from('card 4929421234600821').toString('base64')).toString('base64'),
  },
  { name: 'a code without a name', text: '482913' },
  { name: 'names of codes in other languages', text: 'kod zabezpieczający 123' },
  {
    name: 'CSC and CVC without a sign, a verb or a card beside them, because they also name locks and pumps',
    text: 'CVC 300',
  },
  {
    name: 'a cryptogram without padding or in hex, and without a name',
    text: '12029fbe0332333fed14ac0b7311' + '19cca0eeca28',
  },
];
