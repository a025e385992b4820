import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { limits } from '../core/limits.ts';
import type { Merchant } from './documents.ts';
import { sandboxSeed } from './seed.ts';
import { sha256 } from './world.ts';

/** A request as it was received, its body read. */
export interface Received {
  readonly method: string;
  /** Path with query, exactly as sent. */
  readonly target: string;
  /** The Host header. */
  readonly host: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Finds a merchant by key id. */
export type FindMerchant = (keyId: string) => Merchant | undefined;

/**
 * The merchant that signed a request, by either scheme (D-31). Null if anything is wrong: the platform does not say what.
 * @param wall the real time in milliseconds: signatures are checked against real time, never against the virtual clock
 */
export function authenticate(
  received: Received,
  wall: number,
  merchant: FindMerchant,
  requestHosts: readonly string[] = [],
): Promise<Merchant | null> {
  const bearer = /^Bearer (\S+)$/i.exec(received.headers.get('authorization') ?? '')?.[1];
  return bearer === undefined
    ? Promise.resolve(bySignature(received, wall, merchant))
    : byToken(bearer, received, wall, merchant, requestHosts);
}

const minuteSeconds = 60;
const minuteMilliseconds = minuteSeconds * 1000;

/** Whether a request must have a digest: it has a body, or its method allows one. */
const hasBody = ({ method, body }: Received): boolean => ['POST', 'PUT', 'PATCH'].includes(method) || body.length > 0;

function bySignature(received: Received, wall: number, findMerchant: FindMerchant): Merchant | null {
  const { headers } = received;
  const parts = signatureParts(headers.get('signature') ?? '');
  const merchant = findMerchant(parts?.keyid ?? '');
  if (parts === null || merchant === undefined) return null;
  const listed = parts.headers.split(' ');
  const signs = (name: string) => listed.includes(name);
  const facts = [
    parts.algorithm === 'HmacSHA256',
    new Set(listed).size === listed.length,
    signs('host') && signs('date') && signs('v-c-merchant-id'),
    signs('request-target') || signs('(request-target)'),
    signs('digest') === headers.has('digest') && (signs('digest') || !hasBody(received)),
    !signs('digest') || equal(headers.get('digest') ?? '', `SHA-256=${sha256(received.body)}`),
    Math.abs(wall - dateOf(headers.get('date') ?? '')) <= limits.signatureMinutes * minuteMilliseconds,
    headers.get('v-c-merchant-id') === merchant.id,
    equal(parts.signature, signatureOf(signingString(listed, received), merchant.secret)),
  ];
  return facts.every((holds) => holds) ? merchant : null;
}

/** One line for each listed header, in the order of the list. */
function signingString(listed: readonly string[], { method, target, host, headers }: Received): string {
  const requestTarget = `${method.toLowerCase()} ${target}`;
  const own: { readonly [name: string]: string | undefined } = {
    host,
    'request-target': requestTarget,
    '(request-target)': requestTarget,
  };
  return listed.map((name) => `${name}: ${own[name] ?? headers.get(name) ?? ''}`).join('\n');
}

const signatureOf = (text: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64');

const signatureForm = /^keyid="([^"]+)", ?algorithm="([^"]+)", ?headers="([^"]+)", ?signature="([^"]+)"$/;

function signatureParts(header: string) {
  const [, keyid, algorithm, headers, signature] = signatureForm.exec(header) ?? [];
  if (keyid === undefined || algorithm === undefined || headers === undefined || signature === undefined) return null;
  return { keyid, algorithm, headers, signature };
}

/** Milliseconds of an HTTP date. NaN if it is invalid, so every comparison is false. */
const dateOf = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;

async function byToken(
  token: string,
  received: Received,
  wall: number,
  findMerchant: FindMerchant,
  requestHosts: readonly string[],
): Promise<Merchant | null> {
  try {
    const merchant = findMerchant(decodeProtectedHeader(token).kid ?? '');
    if (merchant === undefined) return null;
    const { payload } = await jwtVerify(token, Buffer.from(merchant.secret, 'base64'), {
      algorithms: ['HS256'],
      currentDate: new Date(wall),
      issuer: merchant.id,
      requiredClaims: ['exp', 'iat'],
    });
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
    const skew = limits.signatureMinutes * minuteSeconds;
    const facts = [
      payload['v-c-merchant-id'] === merchant.id,
      // A token issued in the future, or valid for years, is refused.
      iat * 1000 <= wall + limits.signatureMinutes * minuteMilliseconds,
      exp - iat <= skew,
      payload['request-method'] === received.method.toLowerCase(),
      payload['request-resource-path'] === received.target,
      isRequestHost(payload['request-host'], requestHosts),
      !hasBody(received) || payload['digest-algorithm'] === 'SHA-256',
      !hasBody(received) || equal(String(payload.digest), sha256(received.body)),
    ];
    return facts.every((holds) => holds) ? merchant : null;
  } catch {
    // The platform's response is the same, whatever is wrong with the token.
    return null;
  }
}

/** Whether a token names a host of this platform: clients sign the name they are configured with. */
function isRequestHost(host: unknown, more: readonly string[]): boolean {
  if (typeof host !== 'string') return false;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return [...sandboxSeed.hosts, ...more].includes(name) || usualHost.test(name);
}

/** How public clients name the hosts of a card platform: `api.…` and `apitest.…`. */
const usualHost = /^api(?:test)?\.[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

/** Compares two texts in constant time. */
function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
