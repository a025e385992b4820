import { createHmac, timingSafeEqual } from 'node:crypto';
import { reveal, type Secret } from './secret.ts';

/** What the header `v-c-signature` of a delivered event says. */
export interface WebhookSignature {
  /** When the delivery was signed, in milliseconds since the epoch. */
  readonly atMs: number;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/**
 * The header `v-c-signature` of a delivery: `t=<ms>;keyId=<uuid>;sig=<base64>`. The signature is HMAC-SHA-256 with the key, which is
 * Base64 text, over the time, a dot, and the body's very bytes.
 */
export function sign(key: Secret<string>, rawBody: Uint8Array | string, atMs: number, keyId: string): string {
  return `t=${atMs};keyId=${keyId};sig=${signatureOf(key, rawBody, atMs).toString('base64')}`;
}

/** Reads the header; null unless it is exactly as `sign` writes it, so that no two texts mean the same signature. */
export function parse(header: string): WebhookSignature | null {
  const [, at = '', keyId = '', signature = ''] = format.exec(header) ?? [];
  return at === '' ? null : { atMs: Number(at), keyId, signature: Buffer.from(signature, 'base64') };
}

/** Whether a delivery has the signature that its header names. It takes the same time whatever the signature is. */
export const isSigned = (key: Secret<string>, rawBody: Uint8Array | string, it: WebhookSignature): boolean =>
  it.signature.length === signatureBytes && timingSafeEqual(signatureOf(key, rawBody, it.atMs), it.signature);

const signatureBytes = 32;

/** 32 bytes are 43 characters of Base64 and "="; the last character has two unused bits, which are zero. */
const format =
  /^t=(0|[1-9]\d{0,14});keyId=([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12});sig=([A-Za-z\d+/]{42}[AEIMQUYcgkosw048]=)$/;

const signatureOf = (key: Secret<string>, rawBody: Uint8Array | string, atMs: number): Buffer =>
  createHmac('sha256', Buffer.from(reveal(key), 'base64'))
    .update(`${atMs}.`)
    .update(rawBody)
    .digest();
