import type { Credentials } from '../client/signing.ts';
import { Secret } from '../core/secret.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { merchantNamed, type SeedCredentials, sandboxSeed } from '../sandbox/seed.ts';
import { BadConfiguration, type Configuration } from './config.ts';

/** What one tenant is to the platform: whose credentials sign, and who the merchant is. */
export interface Account {
  readonly tenant: string;
  readonly credentials: Credentials;
  /** What its embedded sandbox knows it by. */
  readonly seed: SeedCredentials;
  /** What the ids of its embedded sandbox are derived from: no two tenants have the same ids. */
  readonly world: number | undefined;
  readonly merchant: EngineSettings['merchant'];
  readonly passkey: Configuration['passkey'];
}

/**
 * The account of each tenant, those of the faces of this process first. Throws BadConfiguration where two tenants would
 * share one: each could then read and change what is the other's.
 */
export function accountsOf(configuration: Configuration): readonly [Account, ...Account[]] {
  const { tenant: own, tenants, environment } = configuration;
  if (tenants !== undefined && tenants[own] === undefined)
    throw new BadConfiguration('`tenant` must be one of `tenants`: it is the one that this process serves.');
  const others = Object.keys(tenants ?? {}).filter((name) => name !== own);
  const account = (tenant: string): Account => {
    // By its name alone, so that a tenant's sandbox knows it again whichever tenant a process serves.
    const { world, ...seed } =
      tenants === undefined ? { world: undefined, ...sandboxSeed.credentials } : merchantNamed(tenant);
    const { credentials, merchant, passkey } = tenants?.[tenant] ?? configuration;
    if (tenants !== undefined && environment !== 'sandbox' && (credentials === undefined || merchant === undefined))
      throw new BadConfiguration('Give every one of `tenants` its own `credentials` and `merchant`.');
    // The sandbox knows its own merchants alone, and real keys are none of its business.
    const real = environment === 'sandbox' ? undefined : credentials;
    const shown = merchant && { ...merchant, id: merchant.id ?? credentials?.merchantId ?? seed.merchantId };
    return {
      tenant,
      seed,
      world,
      credentials: real ?? sandboxCredentials(seed),
      merchant: shown ?? sandboxSeed.merchant,
      passkey,
    };
  };
  const first = account(own);
  const accounts = others.map(account);
  if (others.length > 0 && environment === 'sandbox' && configuration.sandboxUrl !== undefined)
    throw new BadConfiguration('A sandbox at `sandbox.url` has one merchant: leave it out, or configure one tenant.');
  const ids = [first, ...accounts].map(({ credentials }) => credentials.merchantId);
  if (new Set(ids).size < ids.length)
    throw new BadConfiguration('Two tenants have one platform account: give each of `tenants` credentials of its own.');
  return [first, ...accounts];
}

/** What calls of a tenant's embedded sandbox are signed with: its key opens no other tenant's. */
function sandboxCredentials(seed: SeedCredentials): Credentials {
  const { merchantId, keyId, secret } = seed;
  return { merchantId, keyId, sharedSecret: new Secret(secret) };
}
