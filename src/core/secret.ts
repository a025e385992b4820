import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

/** What a secret shows of itself, wherever it is printed. */
const HIDDEN = '[secret]';

let open: <T>(secret: Secret<T>) => T;

/**
 * A value that must not be seen: a card number, a cryptogram, a one-time code, a key. It has no readable property, so
 * that JSON, templates, `inspect`, spreading and cloning show nothing; only `reveal` opens it.
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

/** Opens a secret. Whoever imports this stands in the table of `test/house/secrets.test.ts`, which looks for others. */
export function reveal<T>(secret: Secret<T>): T {
  return open(secret);
}

/** Whether a text is the secret. It takes the same time whatever the text is. */
export const holds = (secret: Secret<string>, text: string): boolean =>
  timingSafeEqual(digestOf(open(secret)), digestOf(text));

/** Whether two secrets are the same. */
export const isSame = (one: Secret<string>, other: Secret<string>): boolean => holds(one, open(other));

/** A key of its own for one purpose, hexadecimal. It tells nothing about the secret; whoever has that one makes the same key. */
export const keyFor = (secret: Secret<string>, purpose: string): string =>
  createHmac('sha256', open(secret)).update(purpose).digest('hex');

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
