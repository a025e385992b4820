import { Secret } from '../core/secret.ts';
import { readBytes, readText } from '../files/read.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { pathOf } from './environment.ts';
import type { Settings } from './file.ts';

export function credentialsOf(
  env: NodeJS.ProcessEnv,
  given: string | undefined,
  file: Settings,
): Configuration['credentials'] {
  const merchantId = env.PURSER_MERCHANT_ID ?? file.credentials?.merchantId;
  const keyId = env.PURSER_KEY_ID ?? file.credentials?.keyId;
  const path = secretFileOf(env, file);
  const secret = given ?? (path === undefined ? undefined : secretIn(path));
  return merchantId === undefined || keyId === undefined || secret === undefined
    ? undefined
    : { merchantId, keyId, sharedSecret: new Secret(secret) };
}

const vaultKeyBytes = 32;

export function vaultKeyIn(path: string | undefined): Secret<Buffer> | undefined {
  if (path === undefined) return undefined;
  const key = checkedFile(() => readBytes('vaultKey', path));
  if (key.length >= vaultKeyBytes) return new Secret(key);
  throw new BadConfiguration(
    `The vault key file ${path} holds fewer than ${vaultKeyBytes} bytes: head -c 32 /dev/urandom > ${path}`,
  );
}

export const secretFileOf = (env: NodeJS.ProcessEnv, file: Settings): string | undefined =>
  pathOf(env, 'PURSER_SHARED_SECRET_FILE') ?? file.credentials?.sharedSecretFile;

export function secretIn(path: string): string {
  const secret = checkedFile(() => readText('sharedSecret', path)).trim();
  if (secret === '') throw new BadConfiguration(`The shared secret file ${path} is empty: put the secret into it.`);
  return secret;
}
