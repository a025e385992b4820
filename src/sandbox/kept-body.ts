import { luhnDigit } from './luhn.ts';

// The sandbox keeps no card number and no security code, not even of a request that it applies later.

/** First digits of every token number of the sandbox: a range reserved for tests. */
export const tokenRange = '400000';

/** Digits of a card number that a body may keep: those by which its issuer is known. */
const keptDigits = 8;
const number = /\d(?:[^\p{L}\p{N}]{0,3}\d){11,}/gu;
/** A text that is a number and nothing else, as cards have them. */
const whole = /^\s*[2-6](?:[^\p{L}\p{N}]{0,3}\d){12,18}\s*$/u;
/** Members that hold a security code, or a card that is encrypted. */
const secrets: readonly string[] = ['securityCode', 'fluidData'];

/** The body of a request that is stored: as it is, but without card data. A body that is no JSON is refused anyway, and not kept. */
export function keptBody(body: string): string {
  if (body === '') return body;
  let isChanged = false;
  const changed = <T>(value: T): T => {
    isChanged = true;
    return value;
  };
  try {
    const kept: unknown = JSON.parse(body, (name, value: unknown) => {
      if (secrets.includes(name)) return changed(typeof value === 'object' ? { kept: 'nothing' } : undefined);
      const text = typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string' || !isNumber(name, text)) return value;
      return changed(text.replace(number, standIn));
    });
    return isChanged ? JSON.stringify(kept) : body;
  } catch {
    return '{';
  }
}

/** Whether a member may be a card number: it is called a number, or its check digit is that of one. */
function isNumber(name: string, text: string): boolean {
  if (text.startsWith(tokenRange)) return false;
  const digits = text.replace(/\D/g, '');
  return name === 'number' || (whole.test(text) && isValid(digits));
}

const isValid = (digits: string): boolean => luhnDigit(digits.slice(0, -1)) === digits.slice(-1);

/** As many digits, which are no card number. */
function standIn(written: string): string {
  const digits = written.replace(/\D/g, '');
  const zeros = digits.slice(0, keptDigits).padEnd(digits.length, '0');
  return isValid(zeros) ? `${zeros.slice(0, -1)}1` : zeros;
}
