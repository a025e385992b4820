import { Secret } from '../core/secret.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { secretIn } from './credentials.ts';
import type { Settings } from './file.ts';
import { tenantShape } from './tenant-name.ts';
import { webhookKeysOf } from './webhook-keys.ts';

/** The tenant where none is named. */
export const usualTenant = 'default';

/** The tenant of this process: the named one, or the first of several. */
export function tenantIn(named: string | undefined, tenants: Settings['tenants']): string {
  const [first = usualTenant] = Object.keys(tenants ?? {});
  const tenant = named ?? first;
  if (!tenantShape.test(tenant))
    throw new BadConfiguration(
      'The name of a tenant has up to 41 characters: a-z, 0-9, and after the first one - and _. Correct PURSER_TENANT or `tenant`.',
    );
  if (tenants === undefined || Object.hasOwn(tenants, tenant)) return tenant;
  throw new BadConfiguration('`tenant` must be one of `tenants`: correct PURSER_TENANT or `tenant`.');
}

/** The tenants of the file. With tenants, account settings at the top level are an error. */
export function tenantsIn(
  { tenants, credentials, merchant, passkey, webhooks }: Settings,
  isCredentialInEnvironment: boolean,
): Configuration['tenants'] {
  if (tenants === undefined) return undefined;
  if (Object.keys(tenants).length === 0) throw new BadConfiguration('`tenants` is empty: remove it.');
  if (isCredentialInEnvironment || [credentials, merchant, passkey, webhooks].some((it) => it !== undefined))
    throw new BadConfiguration(
      'Where there are `tenants`, move `credentials`, `merchant`, `passkey` and `webhooks` into them.',
    );
  return Object.fromEntries(
    Object.entries(tenants).map(([name, { credentials: own, webhooks: keyed, ...rest }]) => [
      name,
      { ...rest, credentials: own && ownCredentials(own), webhookKeys: webhookKeysOf(undefined, keyed) },
    ]),
  );
}

function ownCredentials({ merchantId, keyId, sharedSecretFile }: NonNullable<Settings['credentials']>) {
  return merchantId === undefined || keyId === undefined || sharedSecretFile === undefined
    ? undefined
    : { merchantId, keyId, sharedSecret: new Secret(secretIn(sharedSecretFile)) };
}
