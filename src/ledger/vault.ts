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

/** Whose secret it is, and until when (milliseconds since the epoch) it may be taken. */
export interface Keeping {
  readonly tenant: string;
  readonly expiresAt: number;
}

/** Secrets of the running process behind opaque handles. Nothing is ever written to disk. */
export interface Vault<T> {
  /** Keeps a secret and answers its handle, which says nothing about it. */
  put(secret: Secret<T>, keeping: Keeping): string;
  /**
   * Hands a secret out, once. Undefined if it was taken, has expired, or belongs to another tenant, who can't tell
   * these apart. Forgets whatever has expired at `now`.
   */
  take(handle: string, tenant: string, now: number): Secret<T> | undefined;
  /** As `take`, but opened: for the merchant's own payment system alone, which may have what it holds. */
  redeem(handle: string, tenant: string, now: number): T | undefined;
}

/** An empty vault. There is no way to look into it without taking. */
export function createVault<T>({ ids }: { readonly ids: { key(prefix: string): string } }): Vault<T> {
  const kept = new Map<string, Keeping & { readonly secret: Secret<T> }>();

  const forgetExpired = (now: number) => {
    for (const [handle, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(handle);
  };

  const take: Vault<T>['take'] = (handle, tenant, now) => {
    forgetExpired(now);
    const found = kept.get(handle);
    if (found?.tenant !== tenant) return undefined;
    kept.delete(handle);
    return found.secret;
  };

  return {
    put: (secret, { tenant, expiresAt }) => {
      const handle = ids.key('secret');
      if (kept.has(handle)) throw new Error('The handle of a new secret was given before: ids must not repeat.');
      kept.set(handle, { secret, tenant, expiresAt });
      return handle;
    },
    take,
    redeem: (handle, tenant, now) => {
      const secret = take(handle, tenant, now);
      return secret && open(secret);
    },
  };
}
