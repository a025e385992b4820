import { Secret } from '../core/secret.ts';
import { BadConfiguration, type Configuration, secretIn } from './config.ts';
import type { Settings } from './file.ts';

/** The tenant of this process: the named one, or the first of several. */
export function tenantIn(named: string | undefined, tenants: Settings['tenants']): string {
  const [first = 'default'] = Object.keys(tenants ?? {});
  const tenant = named ?? first;
  if (tenants === undefined || Object.hasOwn(tenants, tenant)) return tenant;
  throw new BadConfiguration('`tenant` must be one of `tenants`: correct PURSER_TENANT or `tenant`.');
}

/** The tenants of the file. What is one tenant's own may then not be given for all. */
export function tenantsIn(
  { tenants, credentials, merchant, passkey }: Settings,
  isCredentialInEnvironment: boolean,
): Configuration['tenants'] {
  if (tenants === undefined) return undefined;
  if (Object.keys(tenants).length === 0) throw new BadConfiguration('`tenants` names nobody: leave it out.');
  if (isCredentialInEnvironment || [credentials, merchant, passkey].some((it) => it !== undefined))
    throw new BadConfiguration('Where there are `tenants`, move `credentials`, `merchant` and `passkey` into them.');
  return Object.fromEntries(
    Object.entries(tenants).map(([name, { credentials: own, ...rest }]) => [
      name,
      { ...rest, credentials: own && ownCredentials(own) },
    ]),
  );
}

function ownCredentials({ merchantId, keyId, sharedSecretFile }: NonNullable<Settings['credentials']>) {
  return merchantId === undefined || keyId === undefined || sharedSecretFile === undefined
    ? undefined
    : { merchantId, keyId, sharedSecret: new Secret(secretIn(sharedSecretFile)) };
}
