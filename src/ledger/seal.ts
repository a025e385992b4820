import { createHmac } from 'node:crypto';
import { reveal, Secret } from '../core/secret.ts';

/** A key that everybody knows. */
export const noKey = new Secret(Buffer.alloc(32));

/** What only a holder of the ledger's key can compute of a text: HMAC-SHA-256, in hex. */
export const seal = (key: Secret<Buffer>, text: string): string =>
  createHmac('sha256', reveal(key)).update(text).digest('hex');
