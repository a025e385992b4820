import { claimedCodes, claimedNumbers, unclaimed } from '../../src/screening/spellings.ts';
import { code, table } from './markdown.ts';

/** A number that no network issues: its check digit is wrong, so no page holds a card number. */
const sample = '4111110000001234';

export const claimedNumberTable = (): string =>
  table(
    ['Spelling', 'Example'],
    claimedNumbers.map(({ name, spell }) => [name, code(visible(spell(sample)))]),
  );

export const claimedCodeTable = (): string =>
  table(
    ['Language', 'Example'],
    claimedCodes.map(({ language, text }) => [language, text]),
  );

export const unclaimedTable = (): string =>
  table(
    ['Not found', 'Example'],
    unclaimed.map(({ name, text }) => [name, code(text)]),
  );

/** Characters that nobody sees, by their code. */
const visible = (text: string): string =>
  text.replace(/\u200b|\ufe0f|\u20e3/g, (sign) => `<${(sign.codePointAt(0) ?? 0).toString(16)}>`);
