import { reveal, type Secret } from '../core/secret.ts';

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
      return secret && reveal(secret);
    },
  };
}
