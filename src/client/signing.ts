import { createHash, createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { limits } from '../core/limits.ts';
import { reveal, type Secret } from '../core/secret.ts';

/** The time, in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** The source of new identifiers. */
export interface Ids {
  uuid(): string;
}

/** The merchant's credentials. `sharedSecret` is Base64 text. */
export interface Credentials {
  readonly merchantId: string;
  readonly keyId: string;
  readonly sharedSecret: Secret<string>;
}

export type HeaderMap = { readonly [name: string]: string };

/** A request before sending: its full URL and the exact bytes of its body. */
export interface Signable {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderMap;
  readonly body?: Uint8Array | string;
  /** Whether the request must have the headers `Authorization` and `keyId` (DC-01, D-56). */
  readonly namesKey?: boolean;
}

/** Returns the headers to send: the given ones and those of the signature. Names are lower-case. */
export type Signer = (request: Signable) => Promise<HeaderMap>;

/**
 * HTTP Signature with the shared secret, as the platform's published clients send it: the headers
 * `date`, `host`, `digest` (with a body), `v-c-merchant-id` and `signature`.
 */
export function createHttpSignature({
  credentials,
  clock,
}: {
  readonly credentials: Credentials;
  readonly clock: Clock;
}): Signer {
  const { merchantId, keyId } = checked(credentials);
  return async ({ method, url, headers, body, namesKey = false }) => {
    const { host, pathname, search } = new URL(url);
    const date = httpDate(clock.now());
    const digest = body === undefined ? undefined : `SHA-256=${sha256(body)}`;
    const signed = [
      ['host', host],
      ['date', date],
      ['request-target', `${method.toLowerCase()} ${pathname}${search}`],
      ...(digest === undefined ? [] : [['digest', digest]]),
      ['v-c-merchant-id', merchantId],
    ];
    const text = signed.map(([name, value]) => `${name}: ${value}`).join('\n');
    const proof = createHmac('sha256', keyOf(credentials)).update(text).digest('base64');
    const list = signed.map(([name]) => name).join(' ');
    const signature = `keyid="${keyId}", algorithm="HmacSHA256", headers="${list}", signature="${proof}"`;
    return {
      ...headers,
      host,
      date,
      ...(digest === undefined ? {} : { digest }),
      'v-c-merchant-id': merchantId,
      'v-c-sdk-telemetry-merchant-id': merchantId,
      signature,
      ...(namesKey ? { authorization: `Signature ${signature}`, keyid: keyId } : {}),
    };
  };
}

/** JWT with the shared secret, as the platform's published clients send it: one header, `authorization`. */
export function createJwt({ credentials, clock, ids }: { credentials: Credentials; clock: Clock; ids: Ids }): Signer {
  const { merchantId, keyId } = checked(credentials);
  return async ({ method, url, headers, body, namesKey = false }) => {
    const { host, pathname, search } = new URL(url);
    const iat = Math.floor(clock.now() / 1000);
    const token = await new SignJWT({
      ...(body === undefined ? {} : { digest: sha256(body), 'digest-algorithm': 'SHA-256' }),
      iat,
      exp: iat + limits.tokenSeconds,
      'request-host': host,
      'request-resource-path': pathname + search,
      'request-method': method.toLowerCase(),
      iss: merchantId,
      jti: ids.uuid(),
      'v-c-jwt-version': '2',
      'v-c-merchant-id': merchantId,
    })
      .setProtectedHeader({ typ: 'JWT', alg: 'HS256', kid: keyId })
      .sign(keyOf(credentials));
    return { ...headers, authorization: `Bearer ${token}`, ...(namesKey ? { keyid: keyId } : {}) };
  };
}

/** Throws if the credentials can't sign, without repeating any of them. */
function checked(credentials: Credentials): Credentials {
  const name = /^[\w.-]{1,64}$/;
  if (!name.test(credentials.merchantId))
    throw new Error('The merchant id may only have letters, digits, "_", "." and "-".');
  if (!name.test(credentials.keyId)) throw new Error('The key id may only have letters, digits, "_", "." and "-".');
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(reveal(credentials.sharedSecret)))
    throw new Error('The shared secret is not a key in Base64.');
  return credentials;
}

const keyOf = ({ sharedSecret }: Credentials): Buffer => Buffer.from(reveal(sharedSecret), 'base64');

const sha256 = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('base64');

/** A date in RFC 7231 format, for example `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString();
