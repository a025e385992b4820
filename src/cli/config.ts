import { isAbsolute, resolve } from 'node:path';
import { originOf } from '../client/origin.ts';
import { isRuleId, isTwofold, type Level, type RuleId } from '../core/rules.ts';
import { Secret } from '../core/secret.ts';
import { type Channel, usualChannels } from '../engine/approval-channels.ts';
import { invalidPolicy, type SpendingPolicy } from '../engine/spending-policy.ts';
import { isThere, UnsafeFile } from '../files/check.ts';
import { readBytes, readText } from '../files/read.ts';
import type { Choice } from '../mcp/tool-selection.ts';
import type { Settings } from './file.ts';
import { tenantIn, tenantsIn } from './file-tenants.ts';
import { configurationFile, configurationName, dataFolder, nowhere, stateFolder } from './folders.ts';

/** A setting that keeps Purser from starting: one line that says what to do. The command ends with code 2. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration';
}

/** Does something with a file. What is wrong with the file keeps Purser from starting. */
export function checkedFile<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UnsafeFile) throw new BadConfiguration(error.message, { cause: error });
    throw error;
  }
}

/** Settings that the environment may give, each in place of one of the file. */
export const variables = {
  PURSER_CONFIG:
    "Absolute path of the configuration file; `--config` wins. By default `purser/purser.config.yaml` in the user's configuration folder.",
  PURSER_ENVIRONMENT: '`environment`',
  PURSER_PROFILE: '`profile`',
  PURSER_TOOLSETS: '`toolsets`, with commas between them',
  PURSER_TOOLS: '`tools`, with commas between them',
  PURSER_EXCLUDE_TOOLS: '`excludeTools`, with commas between them',
  PURSER_ALLOW_LIVE: '`allowLive`: `true` or `false`',
  PURSER_BASE_URL: '`baseUrl`',
  PURSER_MERCHANT_ID: '`credentials.merchantId`',
  PURSER_KEY_ID: '`credentials.keyId`',
  PURSER_SHARED_SECRET: 'The shared secret itself; removed from the environment once read.',
  PURSER_SHARED_SECRET_FILE: '`credentials.sharedSecretFile`, absolute',
  PURSER_VAULT_KEY_FILE: '`vaultKeyFile`, absolute',
  PURSER_LEDGER_KEY_FILE: '`ledgerKeyFile`, absolute',
  PURSER_DATA: '`data`, absolute',
  PURSER_STATE: '`state`, absolute',
  PURSER_TENANT: '`tenant`',
  PURSER_SANDBOX_URL: '`sandbox.url`',
  PURSER_PORT: '`http.port`',
  PURSER_PUBLIC_URL: '`http.publicUrl`',
  DATABASE_URL:
    'Address of a PostgreSQL database: the ledger is then there, for several replicas, and not in a file; removed from the environment once read.',
} as const;

/** One tenant: what of the platform is its own. */
export type Tenant = Pick<Configuration, 'credentials' | 'merchant' | 'passkey'>;

export interface Configuration {
  /** The configuration file, where there is one. */
  readonly file: string | undefined;
  /** A configuration file in the working directory, which is never read unless somebody names it; and where it would be. */
  readonly ignored: { readonly found: string; readonly usual: string } | undefined;
  readonly environment: 'sandbox' | 'test' | 'live';
  /** Which tools there are. */
  readonly choice: Choice;
  readonly baseUrl: string | undefined;
  readonly signing: 'http-signature' | 'jwt';
  readonly agentPrefix: '/acp/v1' | '/icc/v1';
  readonly credentials:
    | { readonly merchantId: string; readonly keyId: string; readonly sharedSecret: Secret<string> }
    | undefined;
  /** The file that the shared secret came from, where it came from one. */
  readonly sharedSecretFile?: string | undefined;
  readonly merchant: Settings['merchant'];
  readonly passkey: Settings['passkey'];
  readonly levels: { readonly [R in RuleId]?: Level };
  readonly principals: 'separate' | 'together';
  /** The channels on which a person's decision counts. */
  readonly channels: readonly Channel[];
  readonly limits: readonly SpendingPolicy[];
  readonly mandates: readonly SpendingPolicy[];
  /** Patterns of the shop's own numbers, which are not taken for card numbers. */
  readonly ownNumbers: readonly string[];
  /** Where the anchor of the audit chain is kept, in place of the state folder. */
  readonly auditAnchorFile: string | undefined;
  /** Whether an anchor may be made for the ledger as it is now. */
  readonly initAnchor?: boolean | undefined;
  /** Holds the key of the ledger, in place of one in the data folder. */
  readonly ledgerKeyFile: string | undefined;
  /** Seals released credentials in the ledger; without it they are kept in memory alone. */
  readonly vaultKey: Secret<Buffer> | undefined;
  /** The PostgreSQL database that the ledger is in, where it is in one; it holds a password. */
  readonly databaseUrl: Secret<string> | undefined;
  /** Folder of the ledger; `:memory:` keeps nothing. */
  readonly data: string;
  /** Folder of what is kept apart from the data folder: anchors. */
  readonly state: string;
  /** The tenant that the command line, stdio and HTTP of this process serve. */
  readonly tenant: string;
  /** Every tenant that an engine serves, each with its own account; without it, `tenant` alone. */
  readonly tenants?: { readonly [name: string]: Partial<Tenant> } | undefined;
  readonly sandboxUrl: string | undefined;
  /** Hosts that a JWT may name when it calls the sandbox, besides the usual ones. */
  readonly requestHosts: readonly string[] | undefined;
  /** Days before a payment at which a new embedded sandbox tells the customer of it (D-20). */
  readonly noticeDays: number | undefined;
  readonly port: number;
  /** The address by which others reach the HTTP face, where a proxy stands before it. */
  readonly publicUrl: string | undefined;
}

export const defaultPort = 8_377;

/**
 * Reads the configuration file (the named one, or the one in the user's configuration folder) and the environment. The
 * working directory has no say: it may be a project that an agent edits. Throws BadConfiguration, with one line, for the
 * first thing that is wrong. The shared secret is taken out of the environment first, so that no child process and no dump
 * has it, however the reading ends.
 */
export async function loadConfiguration(env: NodeJS.ProcessEnv, options: Options = {}): Promise<Configuration> {
  const secret = env.PURSER_SHARED_SECRET;
  delete env.PURSER_SHARED_SECRET;
  const usual = configurationFile(env);
  const named = options.config === undefined ? pathOf(env, 'PURSER_CONFIG') : resolve(options.config);
  const file = named ?? (isThere(usual) ? usual : undefined);
  const ignored = ignoredBeside(file, usual);
  if (file === undefined) return { ...configurationOf(env, options, secret, {}), ignored };
  const { readSettings } = await import('./file.ts'); // most start without one
  return { ...configurationOf(env, options, secret, readSettings(file)), file, ignored };
}

/** The file of the usual name in the working directory, unless it is the one that is read. */
function ignoredBeside(file: string | undefined, usual: string): Configuration['ignored'] {
  const found = resolve(configurationName);
  return found === file || !isThere(found) ? undefined : { found, usual };
}

/** A path in the environment, which outlives any folder that somebody happened to be in. */
function pathOf(env: NodeJS.ProcessEnv, name: keyof typeof variables): string | undefined {
  const path = env[name];
  if (path === undefined || path === nowhere || isAbsolute(path)) return path;
  throw new BadConfiguration(`${name} must be an absolute path: a relative one means another file in each folder.`);
}

/** The configuration that the environment alone gives; no file is looked for. */
export function readConfiguration(env: NodeJS.ProcessEnv, options: Options = {}): Configuration {
  const secret = env.PURSER_SHARED_SECRET;
  delete env.PURSER_SHARED_SECRET;
  return configurationOf(env, options, secret, {});
}

/** What a command may be told of the tools, in place of the environment and the file. */
export interface ToolOptions {
  /** Names with commas between them, as are the next two. */
  readonly toolsets?: string | undefined;
  readonly tools?: string | undefined;
  readonly excludeTools?: string | undefined;
  readonly readOnly?: boolean | undefined;
  /** Makes an anchor for the ledger as it is now. */
  readonly initAnchor?: boolean | undefined;
}

export interface Options extends ToolOptions {
  /** In place of `PURSER_DATA` and the file's folder. */
  readonly data?: string | undefined;
  /** The configuration file, in place of `PURSER_CONFIG`. */
  readonly config?: string | undefined;
}

function configurationOf(
  env: NodeJS.ProcessEnv,
  options: Options,
  secret: string | undefined,
  file: Settings,
): Configuration {
  const environment = environmentOf(env.PURSER_ENVIRONMENT ?? file.environment ?? 'sandbox');
  const configuration: Configuration = {
    file: undefined,
    ignored: undefined,
    environment,
    choice: choiceOf(env, options, file, environment === 'live'),
    baseUrl: addressOf(env.PURSER_BASE_URL ?? file.baseUrl, 'PURSER_BASE_URL'),
    signing: file.signing ?? 'http-signature',
    agentPrefix: file.agentPrefix ?? '/acp/v1',
    credentials: credentialsOf(env, secret, file),
    sharedSecretFile: secret === undefined ? secretFileOf(env, file) : undefined,
    merchant: file.merchant,
    passkey: file.passkey,
    levels: levelsOf(file.rules ?? {}),
    principals: file.principals ?? 'separate',
    channels: file.approvals?.channels ?? usualChannels[environment],
    ...allowedBy(file),
    ownNumbers: file.screening?.ownNumbers ?? [],
    auditAnchorFile: file.auditAnchorFile,
    initAnchor: options.initAnchor,
    ledgerKeyFile: pathOf(env, 'PURSER_LEDGER_KEY_FILE') ?? file.ledgerKeyFile,
    vaultKey: vaultKeyIn(pathOf(env, 'PURSER_VAULT_KEY_FILE') ?? file.vaultKeyFile),
    databaseUrl: taken(env, 'DATABASE_URL'),
    data: options.data ?? pathOf(env, 'PURSER_DATA') ?? file.data ?? dataFolder(env),
    state: pathOf(env, 'PURSER_STATE') ?? file.state ?? stateFolder(env),
    tenant: tenantIn(env.PURSER_TENANT ?? file.tenant, file.tenants),
    tenants: tenantsIn(
      file,
      ['PURSER_MERCHANT_ID', 'PURSER_KEY_ID'].some((name) => env[name] !== undefined),
    ),
    sandboxUrl: addressOf(env.PURSER_SANDBOX_URL ?? file.sandbox?.url, 'PURSER_SANDBOX_URL'),
    requestHosts: file.sandbox?.requestHosts,
    noticeDays: file.sandbox?.noticeDays,
    port: portOf(env.PURSER_PORT, file.http?.port),
    publicUrl: addressOf(env.PURSER_PUBLIC_URL ?? file.http?.publicUrl, 'PURSER_PUBLIC_URL'),
  };
  if (environment !== 'sandbox') requireForReal(configuration, liveAllowed(env.PURSER_ALLOW_LIVE, file.allowLive));
  return configuration;
}

/** A secret of the environment, which is taken out of it. */
function taken(env: NodeJS.ProcessEnv, name: string): Secret<string> | undefined {
  const found = env[name];
  delete env[name];
  return found === undefined || found === '' ? undefined : new Secret(found);
}

function environmentOf(name: string): Configuration['environment'] {
  const known = (['sandbox', 'test', 'live'] as const).find((one) => one === name);
  if (known !== undefined) return known;
  throw new BadConfiguration(
    'The environment must be "sandbox", "test" or "live": correct PURSER_ENVIRONMENT or `environment`.',
  );
}

/** The choice of tools. Real cards are a reason to begin with the tools that change nothing. */
function choiceOf(env: NodeJS.ProcessEnv, options: Options, file: Settings, isLive: boolean): Choice {
  const profile = env.PURSER_PROFILE ?? file.profile ?? (isLive ? 'read-only' : 'full');
  if (profile !== 'full' && profile !== 'read-only')
    throw new BadConfiguration('The profile must be "full" or "read-only": correct PURSER_PROFILE or `profile`.');
  return {
    toolsets: namesIn(options.toolsets ?? env.PURSER_TOOLSETS) ?? file.toolsets ?? usualToolsets,
    tools: namesIn(options.tools ?? env.PURSER_TOOLS) ?? file.tools,
    excluded: namesIn(options.excludeTools ?? env.PURSER_EXCLUDE_TOOLS) ?? file.excludeTools,
    isReadOnly: options.readOnly === true || profile === 'read-only',
  };
}

/** What agents get where nothing is said: to buy for a shopper. From a short list a model chooses better. Own choice. */
const usualToolsets = ['purchase'];

/** Names with commas between them. */
const namesIn = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function levelsOf(given: Readonly<Record<string, Level>>): Configuration['levels'] {
  const stranger = Object.keys(given).find((id) => !isRuleId(id));
  const promise = Object.keys(given).find((id) => id.startsWith('EN-'));
  if (promise !== undefined)
    throw new BadConfiguration(`${promise} is a promise of Purser itself and has no level: take it out of \`rules\`.`);
  const single = Object.keys(given).find((id) => given[id] === 'published' && !isTwofold(id));
  if (single !== undefined)
    throw new BadConfiguration(`${single} is stated in one way only: set it to refuse, warn or off in \`rules\`.`);
  if (stranger === undefined) return given;
  throw new BadConfiguration(`There is no rule ${stranger}: correct \`rules\`; docs/rules.md lists those there are.`);
}

/** Limits and mandates, each sound in itself and no two of one name: a name is what a budget is kept under. */
function allowedBy(file: Settings): {
  readonly limits: readonly SpendingPolicy[];
  readonly mandates: readonly SpendingPolicy[];
} {
  const limits = file.limits ?? [];
  const mandates = file.mandates ?? [];
  const all: readonly SpendingPolicy[] = [...limits, ...mandates];
  for (const terms of all) {
    const fault = invalidPolicy(terms);
    if (fault !== null) throw new BadConfiguration(`The terms "${terms.name}": ${fault}`);
    if (all.filter(({ name }) => name === terms.name).length > 1)
      throw new BadConfiguration(`Two limits or mandates are named "${terms.name}"; each needs a name of its own.`);
  }
  return { limits, mandates };
}

function credentialsOf(
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

function vaultKeyIn(path: string | undefined): Secret<Buffer> | undefined {
  if (path === undefined) return undefined;
  const key = checkedFile(() => readBytes('vaultKey', path));
  if (key.length >= vaultKeyBytes) return new Secret(key);
  throw new BadConfiguration(
    `The vault key file ${path} holds fewer than ${vaultKeyBytes} bytes: head -c 32 /dev/urandom > ${path}`,
  );
}

const secretFileOf = (env: NodeJS.ProcessEnv, file: Settings): string | undefined =>
  pathOf(env, 'PURSER_SHARED_SECRET_FILE') ?? file.credentials?.sharedSecretFile;

export function secretIn(path: string): string {
  const secret = checkedFile(() => readText('sharedSecret', path)).trim();
  if (secret === '') throw new BadConfiguration(`The shared secret file ${path} is empty: write the secret into it.`);
  return secret;
}

/** The address of a platform, or of Purser: scheme, host and port, https but on this machine. It may hold no password. */
function addressOf(url: string | undefined, variable: string): string | undefined {
  if (url === undefined) return undefined;
  try {
    return originOf(url);
  } catch (error) {
    // Its message does not repeat the address.
    throw new BadConfiguration(`${error instanceof Error ? error.message : ''} Correct ${variable} or its setting.`);
  }
}

function liveAllowed(given: string | undefined, filed: boolean | undefined): boolean {
  if (given === undefined) return filed === true;
  if (given === 'true' || given === 'false') return given === 'true';
  throw new BadConfiguration('PURSER_ALLOW_LIVE must be "true" or "false".');
}

/** What a platform with real money behind it needs before Purser starts. */
function requireForReal({ environment, baseUrl, tenants, ...own }: Configuration, allowed: boolean): void {
  const all: readonly Partial<Tenant>[] = Object.values(tenants ?? { own });
  const missing = [
    ...(environment === 'live' && !allowed ? ['PURSER_ALLOW_LIVE=true'] : []),
    ...(baseUrl === undefined ? ['PURSER_BASE_URL'] : []),
    ...(all.some(({ credentials }) => credentials === undefined)
      ? tenants === undefined
        ? ['PURSER_MERCHANT_ID', 'PURSER_KEY_ID', 'PURSER_SHARED_SECRET_FILE']
        : ['`credentials` of every one of `tenants`']
      : []),
    ...(all.some(({ merchant }) => merchant === undefined)
      ? [tenants === undefined ? '`merchant` in purser.config.yaml' : '`merchant` of every one of `tenants`']
      : []),
  ];
  if (missing.length > 0) throw new BadConfiguration(`The environment "${environment}" needs ${listed(missing)}.`);
  if (!baseUrl?.startsWith('https://'))
    throw new BadConfiguration(`The environment "${environment}" needs a base URL that begins with https://.`);
}

/** "a", "a and b", "a, b and c". */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

function portOf(given: string | undefined, filed: number | undefined): number {
  if (given === undefined) return filed ?? defaultPort;
  return portIn(given, 'PURSER_PORT');
}

/** A port as somebody wrote it. */
export function portIn(given: string, name: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new BadConfiguration(`${name} must be a number from 0 to 65535.`);
}
