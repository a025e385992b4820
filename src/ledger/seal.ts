import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { reveal, type Secret } from '../core/secret.ts';

/** A keyed hash that only a holder of the ledger's key can compute: HMAC-SHA-256, in hex. */
export const seal = (key: Secret<Buffer>, text: string): string =>
  createHmac('sha256', keyObjectOf(key)).update(text).digest('hex');

/** Node.js copies a key of bytes for every hash, and a key object only once. */
const keyObjects = new WeakMap<Secret<Buffer>, KeyObject>();

function keyObjectOf(key: Secret<Buffer>): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(reveal(key));
  keyObjects.set(key, known);
  return known;
}
