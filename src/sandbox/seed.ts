import { createHash } from 'node:crypto';
import { shoppers } from './shoppers.ts';

// The merchant of a fresh sandbox. Everything is made up: example domains and keys without worth.

const merchant = {
  id: 'harbour_audio_test',
  name: 'Harbour Audio',
  country: 'GB',
  url: 'https://shop.harbour-audio.example.com',
  categoryCode: '5732',
  domainName: 'shop.harbour-audio.example.com',
  language: 'en-GB',
  processing: 'common',
} as const;

/** The key that requests to the sandbox are signed with. It protects nothing, and its text says so. */
const credentials = {
  merchantId: merchant.id,
  keyId: '00000000-0000-4000-8000-00000000cafe',
  secret: Buffer.from('purser sandbox: this is no secret').toString('base64'),
} as const;

export interface SeedCredentials {
  readonly merchantId: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Another merchant with a sandbox of its own: its credentials, and the seed of its world. */
export function merchantNamed(name: string): SeedCredentials & { readonly world: number } {
  const digest = createHash('sha256').update(name).digest('hex');
  return {
    merchantId: `${merchant.id}_${name}`,
    keyId: `00000000-0000-4000-8000-${digest.slice(0, 12)}`,
    secret: Buffer.from(`purser sandbox of ${name}: this is no secret`).toString('base64'),
    world: Number.parseInt(digest.slice(0, 8), 16),
  };
}

/** Hosts a signed token may name, without their port. */
const hosts = ['sandbox.purser.test', 'localhost', '127.0.0.1', '[::1]'] as const;

/** The merchant, shoppers, cards and keys of a fresh sandbox, in the platform's format. */
export const sandboxSeed = {
  merchant,
  credentials,
  hosts,
  shoppers,
} as const;
