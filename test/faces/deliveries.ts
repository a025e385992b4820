import { createHmac } from 'node:crypto';
import { Secret } from '../../src/core/secret.ts';
import type { DeliveryOptions } from '../../src/http/platform-events.ts';
import type { World } from './support.ts';

// The platform as it delivers events. Signatures are made here as its documents describe them, not by the code under test.

/** Keys of these tests: one that is in use, and the one that follows it. */
export const keys = {
  now: { keyId: '5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60', key: 'cHVyc2VyLXdlYmhvb2stdGVzdC1rZXktMzItYnl0ZXM=' },
  next: { keyId: '0b9a63de-41c1-4e4e-8f5b-6c1c0a7f1d11', key: 'dGhlLW5leHQta2V5LW9mLXRoZXNlLXRlc3RzLTEyMzQ=' },
} as const;
export type KeyName = keyof typeof keys;

export const begins = Date.UTC(2026, 0, 15, 9);

/** How a face of a test takes deliveries, on a clock that stands still. */
export const taken = (more: Partial<DeliveryOptions> = {}): DeliveryOptions => ({
  clock: { now: () => begins },
  keyOf: (keyId) => {
    const found = Object.values(keys).find((it) => it.keyId === keyId);
    return found && new Secret<string>(found.key);
  },
  ...more,
});

/** The header `v-c-signature` of a body. */
export function signatureOf(body: string | Uint8Array, at: number = begins, name: KeyName = 'now'): string {
  const { keyId, key } = keys[name];
  const signed = Buffer.concat([Buffer.from(`${at}.`), Buffer.from(body as Uint8Array)]);
  const digest = createHmac('sha256', Buffer.from(key, 'base64')).update(signed).digest('base64');
  return `t=${at};keyId=${keyId};sig=${digest}`;
}

export const path = '/webhooks/platform';
export const headersOf = (body: string | Uint8Array, signature = signatureOf(body)): Record<string, string> => ({
  'content-type': 'application/json',
  'v-c-signature': signature,
});

/** Posts a delivery; answers the status. */
export async function post(
  { face }: Pick<World, 'face'>,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = headersOf(body),
): Promise<number> {
  return (await face.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))).status;
}
