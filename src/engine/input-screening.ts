import { limits } from '../core/limits.ts';
import { holdsCardData, holdsCardNumber } from '../screening/card-data.ts';
import { noOwnNumbers, type OwnNumbers } from '../screening/look-alikes.ts';
import { inOneText, isSplit } from '../screening/split.ts';
import { toldFor } from './argument-faults.ts';
import { type Refusal, Refused } from './refusal.ts';
import { withoutSecretArguments } from './secret-arguments.ts';
import { checkSize } from './size-limits.ts';
import type { Tool } from './tool.ts';

/**
 * Screens raw arguments before they are parsed: size, invisible characters, card data. A secret argument is only
 * checked for size. Throws Refused.
 */
export function screenArguments(tool: Tool, raw: unknown, own?: OwnNumbers): void {
  const found = checkSize(raw) ?? screenInput(withoutSecretArguments(tool, raw), '', own);
  // The field is cut to the names that the tool declares, because an unknown name may be a secret.
  if (found !== undefined) throw new Refused(toldFor(found, tool));
}

/**
 * Screens the model's text for card data. It backs up the types, which have no argument for such data. A finding is
 * refused without being repeated or stored. `own` excludes the shop's own numbers.
 */
export const screenInput = (value: unknown, field = '', own: OwnNumbers = noOwnNumbers): Refusal | undefined =>
  screenValue(value, field, own) ?? (isSplit(value, own) ? found(field) : undefined);

function screenValue(value: unknown, field: string, own: OwnNumbers): Refusal | undefined {
  if (typeof value === 'string') {
    if (value.length > limits.blobCharacters) return tooMuch(field);
    if (!value.isWellFormed() || invisible.test(value)) return hidden(field);
    return holdsCardData(value, own) ? found(field) : undefined;
  }
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? found(field) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const isTold = Array.isArray(value) ? !/\d/.test(field) : word.test(name);
    const path = [field, isTold ? name : ''].filter((step) => step !== '').join('.');
    const fault = secretNames.test(name)
      ? found(field === '' ? 'arguments' : field)
      : (screenValue(name, field, own) ?? screenValue(member, path, own));
    if (fault !== undefined) return fault;
  }
  return Array.isArray(value) && holdsCardNumber(inOneText(value)) ? found(field) : undefined;
}

/** A name that may be part of a path; `toldFor` decides whether it is shown. */
const word = /^[a-z_]{1,30}$/i;
/** Argument names that are refused whatever their value. */
export const secretNames =
  /^(pan|card_?number|cvv2?|cvc2?|security_?code|otp|one_?time_?(pass)?(code|word)|cryptogram)$/i;

const found = (field: string): Refusal => ({
  code: 'INVALID_ARGUMENT',
  rule: 'EN-05',
  field: field || 'arguments',
  because:
    "This looks like a card number, security code or one-time code. Never pass those in the conversation: cards have handles, and customers give codes to the merchant's app.",
  instead: ['list_cards'],
});

/**
 * Invisible characters: controls and line breaks, bidirectional marks, zero widths, joiners, fillers, and variation selectors except
 * the emoji one.
 */
const invisibleOne = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\ufe0f`;
export const invisible = new RegExp(invisibleOne, 'u');
const everyInvisible = new RegExp(`(?:${invisibleOne})+`, 'gu');

/** A text on one line, without invisible characters. */
export const oneLine = (text: string): string => text.toWellFormed().replace(everyInvisible, ' ');

const tooMuch = (field: string): Refusal => ({
  code: 'INVALID_ARGUMENT',
  rule: 'EN-01',
  field: field || 'arguments',
  because: 'The argument is too long.',
  instead: [],
});

const hidden = (field: string): Refusal => ({
  code: 'INVALID_ARGUMENT',
  rule: 'EN-10',
  field: field || 'arguments',
  because: 'The text has an invisible character: a line break, a control, a bidirectional mark or half a character.',
  instead: [],
});
