import type { Credentials } from '../client/signing.ts';
import { Secret } from '../core/secret.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { merchantNamed, type SeedCredentials, sandboxSeed } from '../sandbox/seed.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';

/** A tenant's account on the platform: its signing credentials and its merchant. */
export interface Account {
  readonly tenant: string;
  readonly credentials: Credentials;
  /** The credentials of its embedded sandbox. */
  readonly seed: SeedCredentials;
  /** The seed of its embedded sandbox's ids, unique to the tenant. */
  readonly world: number | undefined;
  readonly merchant: EngineSettings['merchant'];
  readonly passkey: Configuration['passkey'];
  readonly webhookKeys: Configuration['webhookKeys'];
}

/**
 * The account of each tenant, the one that this process serves first. Throws BadConfiguration if two tenants share an
 * account: each could then read and change the other's data.
 */
export function accountsOf(configuration: Configuration): readonly [Account, ...Account[]] {
  const { tenant: own, tenants, environment } = configuration;
  if (tenants !== undefined && tenants[own] === undefined)
    throw new BadConfiguration('`tenant` must be one of `tenants`: this process serves it.');
  const others = Object.keys(tenants ?? {}).filter((name) => name !== own);
  const account = (tenant: string): Account => {
    // Derived from the name alone, so the sandbox stays the same whichever tenant a process serves.
    const { world, ...seed } =
      tenants === undefined ? { world: undefined, ...sandboxSeed.credentials } : merchantNamed(tenant);
    const { credentials, merchant, passkey, webhookKeys = [] } = tenants?.[tenant] ?? configuration;
    if (tenants !== undefined && environment !== 'sandbox' && (credentials === undefined || merchant === undefined))
      throw new BadConfiguration('Give each of `tenants` its own `credentials` and `merchant`.');
    // The sandbox knows only its own merchants and never gets real keys.
    const real = environment === 'sandbox' ? undefined : credentials;
    const shown = merchant && { ...merchant, id: merchant.id ?? credentials?.merchantId ?? seed.merchantId };
    return {
      tenant,
      seed,
      world,
      credentials: real ?? sandboxCredentials(seed),
      merchant: shown ?? sandboxSeed.merchant,
      passkey,
      webhookKeys,
    };
  };
  const first = account(own);
  const accounts = others.map(account);
  if (others.length > 0 && environment === 'sandbox' && configuration.sandboxUrl !== undefined)
    throw new BadConfiguration(
      'A sandbox at `sandbox.url` has one merchant: remove `sandbox.url`, or configure one tenant.',
    );
  const ids = [first, ...accounts].map(({ credentials }) => credentials.merchantId);
  if (new Set(ids).size < ids.length)
    throw new BadConfiguration('Two tenants share a platform account: give each of `tenants` its own credentials.');
  const keyIds = [first, ...accounts].flatMap(({ webhookKeys }) => webhookKeys.map(({ keyId }) => keyId));
  if (new Set(keyIds).size < keyIds.length)
    throw new BadConfiguration('Two tenants have one webhook key: give each of `tenants` keys of its own.');
  return [first, ...accounts];
}

/** The sandbox credentials of a tenant, which are not accepted for another tenant. */
function sandboxCredentials(seed: SeedCredentials): Credentials {
  const { merchantId, keyId, secret } = seed;
  return { merchantId, keyId, sharedSecret: new Secret(secret) };
}
