import { holdsCardNumber } from '../screening/card-data.ts';
import { isCardNumber } from '../screening/issuers.ts';

// The sandbox keeps no card number and no security code, not even of a request that it applies later.

/** First digits of every token number of the sandbox: a range reserved for tests. */
export const tokenRange = '400000';

/** Digits of a card number that a body may keep: those by which its issuer is known. */
const keptDigits = 8;
const number = /\d(?:[ -]?\d){11,}/g;
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
      if (typeof text !== 'string') return value;
      const isOne = name === 'number' ? text.search(number) >= 0 : holdsCardNumber(text);
      if (!isOne || text.startsWith(tokenRange)) return value;
      const without = text.replace(number, standIn);
      // A number in another spelling is not kept in part.
      return changed(holdsCardNumber(without) ? '' : without);
    });
    return isChanged ? JSON.stringify(kept) : body;
  } catch {
    return '{';
  }
}

/** As many digits, which are no card number. */
function standIn(written: string): string {
  const digits = written.replace(/\D/g, '');
  const zeros = digits.slice(0, keptDigits).padEnd(digits.length, '0');
  return isCardNumber(zeros) ? `${zeros.slice(0, -1)}1` : zeros;
}
