import { isAbsolute } from 'node:path';
import { originOf } from '../client/origin.ts';
import { Secret } from '../core/secret.ts';
import { closestName } from '../engine/closest-name.ts';
import { BadConfiguration } from './bad-configuration.ts';
import { nowhere } from './folders.ts';

/** Environment variables. Each overrides a setting of the file. */
export const variables = {
  PURSER_CONFIG:
    "Absolute path of the configuration file; `--config` wins. By default `purser/purser.config.yaml` in the user's configuration folder.",
  PURSER_ENVIRONMENT: '`environment`',
  PURSER_PROFILE: '`profile`',
  PURSER_TOOLSETS: '`toolsets`, comma-separated',
  PURSER_TOOLS: '`tools`, comma-separated',
  PURSER_EXCLUDE_TOOLS: '`excludeTools`, comma-separated',
  PURSER_ALLOW_LIVE: '`allowLive`: `true` or `false`',
  PURSER_BASE_URL: '`baseUrl`',
  PURSER_MERCHANT_ID: '`credentials.merchantId`',
  PURSER_KEY_ID: '`credentials.keyId`',
  PURSER_SHARED_SECRET: 'The shared secret itself; removed from the environment once read.',
  PURSER_SHARED_SECRET_FILE: '`credentials.sharedSecretFile`, absolute',
  PURSER_WEBHOOK_KEYS:
    'Keys of `webhooks.keys`: `<key id>=<key in Base64>`, with commas between several; removed from the environment once read.',
  PURSER_VAULT_KEY_FILE: '`vaultKeyFile`, absolute',
  PURSER_LEDGER_KEY_FILE: '`ledgerKeyFile`, absolute',
  PURSER_DATA: '`data`, absolute',
  PURSER_STATE: '`state`, absolute',
  PURSER_TENANT: '`tenant`',
  PURSER_SANDBOX_URL: '`sandbox.url`',
  PURSER_PORT: '`http.port`',
  PURSER_PUBLIC_URL: '`http.publicUrl`',
  DATABASE_URL:
    'URL of a PostgreSQL database for the ledger, which several replicas can share; removed from the environment once read.',
} as const;

/** Variables of the project's own scripts, which set nothing. */
export const ownVariables = {
  PURSER_MUTATED: 'Which part of the code `npm run mutation` changes.',
} as const;

/** Throws for an unknown `PURSER_` variable: a misspelled setting would silently have no effect. */
export function refuseUnknownVariables(env: NodeJS.ProcessEnv): void {
  const known = [...Object.keys(variables), ...Object.keys(ownVariables)];
  const stranger = Object.keys(env).find(
    (name) => name.startsWith('PURSER_') && env[name] !== undefined && !known.includes(name),
  );
  if (stranger === undefined) return;
  const longer = Object.keys(variables).filter((name) => name.startsWith(stranger));
  const meant = closestName(stranger, Object.keys(variables)) ?? (longer.length === 1 ? longer[0] : undefined);
  throw new BadConfiguration(
    `There is no variable ${stranger}: correct its name${meant === undefined ? '' : ` (did you mean ${meant}?)`}, or remove it; docs/configuration.md lists every variable.`,
  );
}

/** A path in the environment. It must be absolute, because the working directory varies. */
export function pathOf(env: NodeJS.ProcessEnv, name: keyof typeof variables): string | undefined {
  const path = env[name];
  if (path === undefined || path === nowhere || isAbsolute(path)) return path;
  throw new BadConfiguration(`${name} must be an absolute path: a relative one depends on the working directory.`);
}

/** A secret from the environment, which is removed from it. */
function taken(env: NodeJS.ProcessEnv, name: string): Secret<string> | undefined {
  const found = env[name];
  delete env[name];
  return found === undefined || found === '' ? undefined : new Secret(found);
}

/**
 * The database's URL. Throws where it asks for a verified connection, and a variable of Node's would let any machine with a certificate
 * pass for the database.
 */
export function databaseOf(env: NodeJS.ProcessEnv): Secret<string> | undefined {
  const asksVerified = isVerified(env.DATABASE_URL ?? '');
  const url = taken(env, 'DATABASE_URL');
  if (url === undefined || env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' || !asksVerified) return url;
  throw new BadConfiguration(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 would let any machine pass for the database: remove it, and name the authority of its certificate as sslrootcert in DATABASE_URL.',
  );
}

/** Whether a database's URL asks for TLS with a certificate that is verified. */
function isVerified(url: string): boolean {
  if (!URL.canParse(url)) return false; // it is refused when it is used
  const { searchParams: asks } = new URL(url);
  const mode = asks.get('sslmode');
  return mode === null ? /^(?:true|1)$/.test(asks.get('ssl') ?? '') : mode !== 'disable' && mode !== 'no-verify';
}

/** The address of a platform or of Purser: scheme, host and port; https except on this machine; without a password. */
export function addressOf(url: string | undefined, variable: string): string | undefined {
  if (url === undefined) return undefined;
  try {
    return originOf(url);
  } catch (error) {
    // The message does not repeat the address.
    throw new BadConfiguration(`${error instanceof Error ? error.message : ''} Correct ${variable} or its setting.`);
  }
}

const defaultPort = 8_377;

export function portOf(given: string | undefined, filed: number | undefined): number {
  if (given === undefined) return filed ?? defaultPort;
  return portIn(given, 'PURSER_PORT');
}

/** Parses a port. */
export function portIn(given: string, name: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new BadConfiguration(`${name} must be a number from 0 to 65535.`);
}
