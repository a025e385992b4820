import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

/** The printed form of a secret. */
const HIDDEN = '[secret]';

let open: <T>(secret: Secret<T>) => T;

/**
 * A value that must not be seen: a card number, a cryptogram, a one-time code, a key. It has no readable property, so
 * JSON, templates, `inspect`, spreading and cloning show nothing. Only `reveal` opens it.
 */
export class Secret<T> {
  readonly #value: T;

  static {
    open = (secret) => secret.#value;
  }

  constructor(value: T) {
    this.#value = value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** Opens a secret. Every file that imports this is listed in `test/house/secrets.test.ts`. */
export function reveal<T>(secret: Secret<T>): T {
  return open(secret);
}

/** Whether a text is the secret, compared in constant time. */
export const holds = (secret: Secret<string>, text: string): boolean =>
  timingSafeEqual(digestOf(open(secret)), digestOf(text));

/** Whether two secrets are equal, compared in constant time. */
export const isSame = (one: Secret<string>, other: Secret<string>): boolean => holds(one, open(other));

/**
 * Derives a hexadecimal key for one purpose. It reveals nothing about the secret, and the same secret always gives the
 * same key.
 */
export const keyFor = (secret: Secret<string>, purpose: string): string =>
  createHmac('sha256', open(secret)).update(purpose).digest('hex');

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
