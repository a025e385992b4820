import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { isSigned, parse, sign } from '../../src/core/webhook-signature.ts';

const keyText = 'cHVyc2VyLXdlYmhvb2stdGVzdC1rZXktMzItYnl0ZXM=';
const key = new Secret(keyText);
const keyId = '5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60';
const atMs = 1_762_848_000_123;
const body = '{"eventType":"tms.token.created","payload":{"data":{"name":"Zoë"}}}';

/** The scheme once more, written out: independent of the code under test. */
const byHand = (raw: Buffer, at: string, secret = keyText): string =>
  createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(Buffer.concat([Buffer.from(`${at}.`), raw]))
    .digest('base64');

describe('the signature of a delivered event', () => {
  // From openssl, not from our code:
  //   printf '%s' '1762848000123.{"eventType":…}' | openssl dgst -sha256 -hmac 'purser-webhook-test-key-32-bytes' -binary | base64
  it('is what the public description of the scheme says', () => {
    expect(sign(key, body, atMs, keyId)).toBe(
      `t=1762848000123;keyId=${keyId};sig=TqFpJvlfPQOJK0Zb7gZhYJi2hP2S7Jk+ZJUmvifgs8Q=`,
    );
  });

  it.each([
    ['text', body],
    ['nothing', ''],
    ['bytes that are no text', Buffer.from([0, 255, 10, 13, 46])],
  ])('covers %s, byte by byte', (_, raw) => {
    expect(sign(key, raw, atMs, keyId)).toBe(`t=${atMs};keyId=${keyId};sig=${byHand(Buffer.from(raw), String(atMs))}`);
  });

  it('is read back, and holds for that key, time and body alone', () => {
    const read = parse(sign(key, body, atMs, keyId));
    expect(read).toEqual({ atMs, keyId, signature: Buffer.from(byHand(Buffer.from(body), String(atMs)), 'base64') });
    if (read === null) throw new Error('the header was not read');
    expect(isSigned(key, body, read)).toBe(true);
    expect(isSigned(key, `${body} `, read)).toBe(false);
    expect(isSigned(key, body, { ...read, atMs: atMs + 1 })).toBe(false);
    expect(isSigned(new Secret('b3RoZXIga2V5IG9mIHRoZSB0ZXN0cw=='), body, read)).toBe(false);
    expect(isSigned(key, body, { ...read, signature: new Uint8Array(31) })).toBe(false);
  });

  it('does not survive a flipped bit, in the header or in the body', () => {
    const header = sign(key, body, atMs, keyId);
    const flips = (text: Buffer) =>
      Array.from({ length: text.length * 8 }, (_, bit) => {
        const copy = Buffer.from(text);
        copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return copy;
      });
    // A bit of the key's id names another key; the receiver has one key for each id.
    const passed = flips(Buffer.from(header)).filter((flipped) => {
      const read = parse(flipped.toString('latin1'));
      return read !== null && read.keyId === keyId && isSigned(key, body, read);
    });
    expect(passed).toEqual([]);
    const read = parse(header);
    expect(flips(Buffer.from(body)).filter((flipped) => read === null || isSigned(key, flipped, read))).toEqual([]);
  });

  it.each([
    '',
    `t=${atMs}`,
    `t=01;keyId=${keyId};sig=${'A'.repeat(43)}=`,
    `t=-1;keyId=${keyId};sig=${'A'.repeat(43)}=`,
    `t=1e3;keyId=${keyId};sig=${'A'.repeat(43)}=`,
    `t=${'9'.repeat(16)};keyId=${keyId};sig=${'A'.repeat(43)}=`,
    `t=1;keyId=other;sig=${'A'.repeat(43)}=`,
    `t=1;keyId=${keyId};sig=${'A'.repeat(42)}B=`,
    `t=1;keyId=${keyId};sig=${'A'.repeat(43)}`,
    `t=1;keyId=${keyId};sig=${'A'.repeat(44)}=`,
    `t=1;t=2;keyId=${keyId};sig=${'A'.repeat(43)}=`,
    `keyId=${keyId};t=1;sig=${'A'.repeat(43)}=`,
    `t=1; keyId=${keyId}; sig=${'A'.repeat(43)}=`,
    `t=1;keyId=${keyId};sig=${'A'.repeat(43)}=\n`,
  ])('is not read from %j', (header) => {
    expect(parse(header)).toBeNull();
  });
});
