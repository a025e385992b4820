import { createHmac } from 'node:crypto';
import { reveal, Secret } from '../core/secret.ts';

/** The public key of ledgers in tests. */
export const noKey = new Secret(Buffer.alloc(32));

/** A keyed hash that only a holder of the ledger's key can compute: HMAC-SHA-256, in hex. */
export const seal = (key: Secret<Buffer>, text: string): string =>
  createHmac('sha256', reveal(key)).update(text).digest('hex');
