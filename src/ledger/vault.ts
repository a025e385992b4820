import { reveal, type Secret } from '../core/secret.ts';

/** A secret's tenant and expiry (milliseconds since the epoch). */
export interface Keeping {
  readonly tenant: string;
  readonly expiresAt: number;
}

/** Secrets in the process's memory, behind opaque handles. Nothing is written to disk, and expired ones are deleted. */
export interface Vault<T> {
  /** Stores a secret and returns its handle, which reveals nothing about it. */
  put(secret: Secret<T>, keeping: Keeping): string;
  /** The secret, without removing it; undefined as for `take`. */
  find(handle: string, tenant: string, now: number): Secret<T> | undefined;
  /**
   * Returns a secret, once. Undefined if it was taken, has expired, or belongs to another tenant, which look the same.
   * Deletes everything that has expired at `now`.
   */
  take(handle: string, tenant: string, now: number): Secret<T> | undefined;
  /** Like `take`, but opened: only for the merchant's payment system, which may see the value. */
  redeem(handle: string, tenant: string, now: number): T | undefined;
  /** Like `redeem`, and can be undone. */
  lend(handle: string, tenant: string, now: number): Lent<T> | undefined;
}

/** A value that was handed out, unless what says so is not stored. */
export interface Lent<T> {
  readonly value: T;
  readonly putBack: () => void;
}

/** An empty vault. */
export function createVault<T>({ ids }: { readonly ids: { key(prefix: string): string } }): Vault<T> {
  const kept = new Map<string, Keeping & { readonly secret: Secret<T> }>();

  const forgetExpired = (now: number) => {
    for (const [handle, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(handle);
  };

  const find: Vault<T>['find'] = (handle, tenant, now) => {
    forgetExpired(now);
    const found = kept.get(handle);
    return found?.tenant === tenant ? found.secret : undefined;
  };
  const take: Vault<T>['take'] = (handle, tenant, now) => {
    const secret = find(handle, tenant, now);
    if (secret !== undefined) kept.delete(handle);
    return secret;
  };

  const lend: Vault<T>['lend'] = (handle, tenant, now) => {
    const row = kept.get(handle);
    const secret = take(handle, tenant, now);
    if (row === undefined || secret === undefined) return undefined;
    return { value: reveal(secret), putBack: () => void kept.set(handle, row) };
  };

  return {
    put: (secret, { tenant, expiresAt }) => {
      const handle = ids.key('secret');
      if (kept.has(handle)) throw new Error('The handle of a new secret is already in use: ids must not repeat.');
      kept.set(handle, { secret, tenant, expiresAt });
      return handle;
    },
    find,
    take,
    redeem: (...it) => lend(...it)?.value,
    lend,
  };
}
