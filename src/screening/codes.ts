import { once } from '../core/once.ts';

// Card codes and one-time codes: short numbers that only their name identifies. The patterns expect text without
// accents.

/** Names of the security code on a card. */
const printed = [
  'cvv2?|cvc2|cvn2?|card (?:verification|security) (?:code|value|number)',
  'prufziffern?|(?:karten)?prufnummer|sicherheits(?:code|nummer)|kartenprufziffer',
  'cryptogramme(?: visuel)?|code (?:de securite|cvv)',
  'codigo (?:de seguridad|cvv)|numero de seguridad',
];
/** Names of a one-time code. */
const oneTime = [
  't?otp|one[- ]?time[- ]?(?:code|pass(?:word|code)?|pin)|pass[- ]?code|(?:verification|security|authenti(?:cation|cator)|3-?d[- ]?secure|3ds|sms)[- ]?code',
  'einmal-?(?:passwort|kennwort|code|pin)|(?:bestatigungs|verifizierungs|freigabe|sms-)code|(?:sms|push|chip|photo|m)-?tan',
  'code (?:de (?:verification|confirmation|validation)|a usage unique)|mot de passe (?:a usage )?unique',
  'codigo de (?:verificacion|confirmacion|un solo uso)|(?:clave|contrasena) (?:dinamica|de un solo uso)',
];
/** Names of a cardholder's PIN. */
const pin = ['geheimzahl|code secret|clave secreta'];
/** Ambiguous names: CSC and CVC also name locks and pumps. They count only beside a sign, a verb or a card. */
const shared = 'csc|cvc';
/** Chinese names, which stand right before or close to the digits, because Chinese has no blanks between words. */
const chinese =
  '验证码|驗證碼|校验码|校驗碼|安全码|安全碼|动态码|動態碼|一次性密[码碼]|动态密码|動態密碼|短信码|[卡背]后?三位[数數]|密码|密碼';

/** Words that may come between a name and its code. */
const between = [
  'is|was|are|the|on|of|at|in|as|it|its|a|my|your|his|her|their|this|that|for|from|by|via|with|i|we|you|he|she|they|me|us|got|get|received|sent|gave|entered|reads?|says?|shows?|cards?|back|front|reverse|side|number|no|nr|code|digits?|sms|text|texted|message|phone|mobile|bank|app|email|mail|here',
  'ist|lautet|war|der|die|das|dem|den|meine?r?|ihre?|auf|von|vom|per|ruckseite|karte|nummer',
  'est|etait|le|la|les|du|de|des|mon|ma|votre|recu|par|sur|au|dos|carte|numero',
  'es|era|el|mi|su|al|en|por|recibido|dorso|tarjeta',
].join('|');

const edge = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';
const named = (names: readonly string[]) => `${edge}(?:${names.join('|')})${end}`;
/** Up to twelve such words. */
const gap = `(?:[^\\p{L}\\p{N}]{1,6}(?:${between})${end}){0,12}`;
/** A number of digits, with at most one blank or dash between any two. */
const digits = (from: number, to: number) => `${edge}\\d(?:[ -]?\\d){${from - 1},${to - 1}}(?![ -]?\\d|\\p{L})`;
const code = digits(3, 8);
const any = named([...printed, ...oneTime]);
const sent = 'sms|text message|texted|authenticator';
const isWord = 'is|was|as|ist|est|es';
const threeDigits =
  '(?:three|3|four|4|drei|vier|trois|quatre|tres|cuatro)[- ](?:digits?|numbers?|ziffern|stellen|chiffres|cifras|digitos)';
const back = '(?:back|front|reverse|ruckseite|dos|verso|dorso|reverso)';
const card = '(?:cards?|karte|carte|tarjeta|exp(?:ir(?:y|es))?|valid)';

/** The patterns are large, so they are made at the first text that may hold a code: most have none of the words below. */
const patterns = once((): readonly RegExp[] => [
  // A name, then the code: "otp: 1234", "the CVV on the back is 123".
  new RegExp(
    [
      `${any}\\D{0,12}\\d{3,8}${end}`,
      `${any}${gap}[^\\p{L}\\p{N}]{0,6}${code}`,
      `${edge}code(?=\\D{0,60}\\b(?:${sent})\\b)${gap}[^\\p{L}\\p{N}]{0,6}${code}`,
      // The code, then its name: "482913 is the code I got by SMS", "123 (CVV)".
      `${code}(?:[^\\p{L}\\p{N}]{1,3}(?:${isWord})${end})${gap}[^\\p{L}\\p{N}]{1,6}(?:${any}|code(?=\\D{0,40}\\b(?:${sent})\\b))`,
      `${code} ?[(=:]{1,2} ?${named([...printed, ...oneTime, shared])}`,
      `${edge}\\d{3,4} (?:${printed.join('|')})${end}`,
      // An ambiguous name with a sign, a verb or a card close by.
      `${edge}(?:${shared})(?: ?[:=#] ?|(?:[^\\p{L}\\p{N}]{1,3}(?:code|number|nr|no))?[^\\p{L}\\p{N}]{1,3}(?:${isWord})[^\\p{L}\\p{N}]{1,3})${digits(3, 4)}`,
      `(?<=${edge}${card}${end}.{0,80})${edge}(?:${shared})[^\\p{L}\\p{N}]{1,3}${digits(3, 4)}`,
      `${edge}(?:${shared})[^\\p{L}\\p{N}]{1,3}${digits(3, 4)}(?=.{0,80}${edge}${card}${end})`,
      // The place where the code is printed.
      `${edge}${threeDigits}\\D{0,40}${edge}${back}${end}\\D{0,20}${digits(3, 4)}`,
      `${digits(3, 4)}\\D{1,20}${threeDigits}\\D{0,40}${edge}${back}${end}`,
      // "Pin" in small letters is also a badge: "my pin is 1234", "pin: 1234".
      `${named(pin)}${gap}[^\\p{L}\\p{N}]{0,6}${digits(4, 4)}`,
      `${edge}pin(?:[- ]?(?:code|number|nummer))? ?[:=#] ?${digits(4, 4)}`,
      `${edge}(?:my|your|his|her|their|card|bank|meine?|mon|mi) pin${end}${gap}[^\\p{L}\\p{N}]{0,6}${digits(4, 4)}`,
      `${edge}pin(?:[- ]?(?:code|number|nummer))?[^\\p{L}\\p{N}]{1,3}(?:${isWord})[^\\p{L}\\p{N}]{1,3}${digits(4, 4)}`,
      // Chinese.
      `(?:${chinese})\\D{0,8}\\d{3,8}(?!\\d)`,
      `(?<!\\d)\\d{3,8}(?!\\d)\\D{0,3}[是为為]\\D{0,6}(?:${chinese})`,
      `背面\\D{0,6}[三3]位\\D{0,8}\\d{3}(?!\\d)`,
    ].join('|'),
    'isu',
  ),
  new RegExp(`${edge}(?:PIN|NIP)(?:[- ]?(?:CODE|Code|code|NUMBER|number))?[^\\p{L}\\p{N}]{1,3}${digits(4, 4)}`, 'u'),
]);
const everyPattern = once(() => patterns().map((it) => new RegExp(it, `g${it.flags}`)));

/** What every match contains: three digits with at most one blank or dash between two, and one of the words that the patterns name. */
const threeTogether = /\d[ -]?\d[ -]?\d/;
const anyWord = new RegExp(
  [...printed, ...oneTime, ...pin, shared, 'code|pin|nip', threeDigits, chinese, '[三3]位'].join('|'),
  'iu',
);
const mayHoldCode = (text: string): boolean => threeTogether.test(text) && anyWord.test(text);

/** Whether a text contains a named code. */
export const holdsCode = (plain: string): boolean => mayHoldCode(plain) && patterns().some((it) => it.test(plain));

/** Replaces every match of a named code, including its name. */
export const replaceCodes = (text: string, replacement: (found: string) => string): string =>
  mayHoldCode(text)
    ? everyPattern().reduce((rest, pattern) => rest.replace(pattern, (found) => replacement(found)), text)
    : text;
