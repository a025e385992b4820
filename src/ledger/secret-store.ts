import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { reveal, Secret } from '../core/secret.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { createVault, type Keeping, type Lent } from './vault.ts';

type Rows = LedgerTransaction['sealed'];

/**
 * Stores the secrets of responses until the merchant's payment system redeems them once, and those of requests until
 * they need not be sent again: in this process's memory, or sealed in the ledger for other replicas and restarts.
 */
export interface SecretStore {
  /** Stores a secret and returns its handle. It is stored if and only if the transaction of `rows` commits. */
  put(rows: Rows, secret: Secret<unknown>, keeping: Keeping): Promise<string>;
  /** The secret, without removing it; undefined if it is missing, has expired or belongs to another tenant. */
  find(rows: Rows, handle: string, tenant: string, now: number): Promise<Secret<unknown> | undefined>;
  /** Deletes a secret, if it exists. */
  forget(rows: Rows, handle: string, tenant: string, now: number): Promise<void>;
  /**
   * Returns the value, once; undefined if it was taken, has expired or belongs to another tenant. `putBack`: for a transaction of `rows` that
   * was not kept.
   */
  redeem(rows: Rows, handle: string, tenant: string, now: number): Promise<Lent<unknown> | undefined>;
}

interface Ids {
  key(prefix: string): string;
}

/** Stores secrets in memory only. After a crash they must be released again, but no disk ever contains them. */
export function memorySecretStore({ ids }: { readonly ids: Ids }): SecretStore {
  const vault = createVault<unknown>({ ids });
  return {
    put: async (_, secret, keeping) => vault.put(secret, keeping),
    find: async (_, handle, tenant, now) => vault.find(handle, tenant, now),
    forget: async (_, handle, tenant, now) => void vault.take(handle, tenant, now),
    redeem: async (_, handle, tenant, now) => vault.lend(handle, tenant, now),
  };
}

const algorithm = 'aes-256-gcm';
/** Bytes of the key, of the nonce, and of the authentication tag. */
const sizes = { key: 32, nonce: 12, tag: 16 } as const;

/**
 * Stores secrets in the ledger, sealed with AES-256-GCM under a key outside the ledger. Tenant, handle and expiry are
 * authenticated: a sealed text moved to another row doesn't open.
 */
export function sealedSecretStore({
  ids,
  key,
  random,
}: {
  readonly ids: Ids;
  /** The content of the key file: at least 32 bytes. */
  readonly key: Secret<Buffer>;
  readonly random: (bytes: number) => Buffer;
}): SecretStore {
  const sealing = new Secret(Buffer.from(hkdfSync('sha256', reveal(key), '', 'purser vault', sizes.key)));
  const unsealed = (
    handle: string,
    tenant: string,
    row: { readonly sealed: string; readonly expiresAt: number },
  ): unknown => {
    const bytes = Buffer.from(row.sealed, 'base64');
    const decipher = createDecipheriv(algorithm, reveal(sealing), bytes.subarray(0, sizes.nonce))
      .setAAD(boundTo(tenant, handle, row.expiresAt))
      .setAuthTag(bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag));
    const body = decipher.update(bytes.subarray(sizes.nonce + sizes.tag));
    return JSON.parse(Buffer.concat([body, finished(decipher)]).toString('utf8'));
  };
  return {
    put: async (rows, secret, { tenant, expiresAt }) => {
      const handle = ids.key('secret');
      const nonce = random(sizes.nonce);
      const cipher = createCipheriv(algorithm, reveal(sealing), nonce).setAAD(boundTo(tenant, handle, expiresAt));
      const body = Buffer.concat([cipher.update(JSON.stringify(reveal(secret)), 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
      await rows.put({ handle, sealed, expiresAt });
      return handle;
    },
    redeem: async (rows, handle, tenant, now) => {
      const row = await rows.take(handle, now);
      // Its row comes back by itself.
      return row && { value: unsealed(handle, tenant, row), putBack: () => undefined };
    },
    find: async (rows, handle, tenant, now) => {
      const row = await rows.find(handle, now);
      return row && new Secret(unsealed(handle, tenant, row));
    },
    forget: async (rows, handle, _, now) => void (await rows.take(handle, now)),
  };
}

/** Throws for text that was sealed with another key, or was changed since; the operator reads why. */
function finished(decipher: { final(): Buffer }): Buffer {
  try {
    return decipher.final();
  } catch (cause) {
    throw new Error(
      'A secret in the ledger does not open with this vault key, and stays there: name the key that sealed it in PURSER_VAULT_KEY_FILE or `vaultKeyFile`. If it is the same key, somebody has changed the ledger.',
      { cause },
    );
  }
}

const boundTo = (tenant: string, handle: string, expiresAt: number): Buffer =>
  Buffer.from(JSON.stringify([tenant, handle, expiresAt]));
