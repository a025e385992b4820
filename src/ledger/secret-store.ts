import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { reveal, Secret } from '../core/secret.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { createVault, type Keeping } from './vault.ts';

type Rows = LedgerTransaction['sealed'];

/**
 * Where the secrets of an answer are kept until the merchant's payment system redeems them, once: in the memory of this
 * process, or sealed in the ledger, so that another replica or a restart finds them.
 */
export interface SecretStore {
  /** Keeps a value and answers its handle. It is kept if and only if the transaction of `rows` is. */
  put(rows: Rows, value: unknown, keeping: Keeping): Promise<string>;
  /** Hands the value out, once; undefined where it was taken, has expired or belongs to another tenant. */
  redeem(rows: Rows, handle: string, tenant: string, now: number): Promise<unknown>;
}

interface Ids {
  key(prefix: string): string;
}

/** Keeps secrets in memory alone: what a crash takes costs one more release, and no disk ever saw it. */
export function memorySecretStore({ ids }: { readonly ids: Ids }): SecretStore {
  const vault = createVault<unknown>({ ids });
  return {
    put: async (_, value, keeping) => vault.put(new Secret(value), keeping),
    redeem: async (_, handle, tenant, now) => vault.redeem(handle, tenant, now),
  };
}

const algorithm = 'aes-256-gcm';
/** Bytes: of the key, of the number used once, and of the tag that tells of any change. */
const sizes = { key: 32, nonce: 12, tag: 16 } as const;

/**
 * Keeps secrets in the ledger, sealed with AES-256-GCM under a key that is not in the ledger. Tenant, handle and expiry are
 * bound in: a sealed text moved to another row does not open.
 */
export function sealedSecretStore({
  ids,
  key,
  random,
}: {
  readonly ids: Ids;
  /** What the key file holds: at least 32 bytes. */
  readonly key: Secret<Buffer>;
  readonly random: (bytes: number) => Buffer;
}): SecretStore {
  const sealing = new Secret(Buffer.from(hkdfSync('sha256', reveal(key), '', 'purser vault', sizes.key)));
  return {
    put: async (rows, value, { tenant, expiresAt }) => {
      const handle = ids.key('secret');
      const nonce = random(sizes.nonce);
      const cipher = createCipheriv(algorithm, reveal(sealing), nonce).setAAD(boundTo(tenant, handle, expiresAt));
      const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
      await rows.put({ handle, sealed, expiresAt });
      return handle;
    },
    redeem: async (rows, handle, tenant, now) => {
      const row = await rows.take(handle, now);
      if (row === undefined) return undefined;
      const bytes = Buffer.from(row.sealed, 'base64');
      const decipher = createDecipheriv(algorithm, reveal(sealing), bytes.subarray(0, sizes.nonce))
        .setAAD(boundTo(tenant, handle, row.expiresAt))
        .setAuthTag(bytes.subarray(sizes.nonce, sizes.nonce + sizes.tag));
      const body = decipher.update(bytes.subarray(sizes.nonce + sizes.tag));
      return JSON.parse(Buffer.concat([body, decipher.final()]).toString('utf8'));
    },
  };
}

const boundTo = (tenant: string, handle: string, expiresAt: number): Buffer =>
  Buffer.from(JSON.stringify([tenant, handle, expiresAt]));
