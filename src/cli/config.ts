import { resolve } from 'node:path';
import { isRuleId, isTwofold, type Level, rules } from '../core/rules.ts';
import { sdkConfiguration } from '../domains/device/sdk-configuration.ts';
import { usualChannels } from '../engine/approval-channels.ts';
import { didYouMean } from '../engine/closest-name.ts';
import { defaultRates, type RateLimits, type Rates } from '../engine/rate-limiter.ts';
import { invalidPolicy, type SpendingPolicy } from '../engine/spending-policy.ts';
import { isThere } from '../files/check.ts';
import type { Choice } from '../mcp/tool-selection.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Configuration, Tenant } from './configuration.ts';
import { credentialsOf, secretFileOf, vaultKeyIn } from './credentials.ts';
import { addressOf, databaseOf, pathOf, portOf, refuseUnknownVariables } from './environment.ts';
import type { Settings } from './file.ts';
import { tenantIn, tenantsIn } from './file-tenants.ts';
import { configurationFile, configurationName, dataFolder, stateFolder } from './folders.ts';
import type { Options } from './options.ts';
import { profiles } from './profiles.ts';
import { webhookKeysOf } from './webhook-keys.ts';

/**
 * Reads the configuration file (the named one, or the one in the user's configuration folder) and the environment. The
 * working directory doesn't count: it may be a project that an agent edits. Throws BadConfiguration for the first
 * fault. The secrets are removed from the environment first, so no child process and no dump has them, even if
 * reading fails.
 */
export async function loadConfiguration(env: NodeJS.ProcessEnv, options: Options = {}): Promise<Configuration> {
  const secrets = secretsOf(env);
  const usual = configurationFile(env);
  const named = options.config === undefined ? pathOf(env, 'PURSER_CONFIG') : resolve(options.config);
  const file = named ?? (isThere(usual) ? usual : undefined);
  const ignored = ignoredBeside(file, usual);
  if (file === undefined) return { ...configurationOf(env, options, secrets, {}), ignored };
  const { readSettings } = await import('./file.ts'); // most starts have no file
  return { ...configurationOf(env, options, secrets, readSettings(file)), file, ignored };
}

/** A configuration file in the working directory that is ignored. */
function ignoredBeside(file: string | undefined, usual: string): Configuration['ignored'] {
  const found = resolve(configurationName);
  return found === file || !isThere(found) ? undefined : { found, usual };
}

/** The configuration from the environment alone, without a file. */
export function readConfiguration(env: NodeJS.ProcessEnv, options: Options = {}): Configuration {
  return configurationOf(env, options, secretsOf(env), {});
}

type Secrets = { readonly [N in 'PURSER_SHARED_SECRET' | 'PURSER_WEBHOOK_KEYS']: string | undefined };

/** Takes the secrets out of the environment, and then refuses what it has of unknown variables. */
function secretsOf(env: NodeJS.ProcessEnv): Secrets {
  const { PURSER_SHARED_SECRET, PURSER_WEBHOOK_KEYS } = env;
  delete env.PURSER_SHARED_SECRET;
  delete env.PURSER_WEBHOOK_KEYS;
  refuseUnknownVariables(env);
  return { PURSER_SHARED_SECRET, PURSER_WEBHOOK_KEYS };
}

function configurationOf(
  env: NodeJS.ProcessEnv,
  options: Options,
  { PURSER_SHARED_SECRET: secret, PURSER_WEBHOOK_KEYS: webhookKeys }: Secrets,
  file: Settings,
): Configuration {
  const environment = environmentOf(env.PURSER_ENVIRONMENT ?? file.environment ?? 'sandbox');
  const configuration: Configuration = {
    file: undefined,
    ignored: undefined,
    environment,
    ...offeredBy(env, options, file, environment === 'live'),
    baseUrl: addressOf(env.PURSER_BASE_URL ?? file.baseUrl, 'PURSER_BASE_URL'),
    signing: file.signing ?? 'http-signature',
    agentPrefix: file.agentPrefix ?? '/acp/v1',
    credentials: credentialsOf(env, secret, file),
    sharedSecretFile: secret === undefined ? secretFileOf(env, file) : undefined,
    merchant: file.merchant,
    passkey: file.passkey,
    ...readerOf(file),
    webhookKeys: webhookKeysOf(webhookKeys, file.webhooks),
    levels: levelsOf(file.rules ?? {}),
    principals: file.principals ?? 'separate',
    channels: file.approvals?.channels ?? usualChannels[environment],
    rates: ratesOf(file),
    ...allowedBy(file),
    ownNumbers: file.screening?.ownNumbers ?? [],
    auditAnchorFile: file.auditAnchorFile,
    initAnchor: options.initAnchor,
    initAccount: options.initAccount,
    ledgerKeyFile: pathOf(env, 'PURSER_LEDGER_KEY_FILE') ?? file.ledgerKeyFile,
    vaultKey: vaultKeyIn(pathOf(env, 'PURSER_VAULT_KEY_FILE') ?? file.vaultKeyFile),
    databaseUrl: databaseOf(env),
    data: folderIn(options.data) ?? pathOf(env, 'PURSER_DATA') ?? file.data ?? dataFolder(env),
    state: pathOf(env, 'PURSER_STATE') ?? file.state ?? stateFolder(env),
    tenant: tenantIn(env.PURSER_TENANT ?? file.tenant, file.tenants),
    tenants: tenantsIn(
      file,
      webhookKeys !== undefined || ['PURSER_MERCHANT_ID', 'PURSER_KEY_ID'].some((name) => env[name] !== undefined),
    ),
    sandboxUrl: addressOf(env.PURSER_SANDBOX_URL ?? file.sandbox?.url, 'PURSER_SANDBOX_URL'),
    requestHosts: file.sandbox?.requestHosts,
    noticeDays: file.sandbox?.noticeDays,
    rateLimit: file.sandbox?.rateLimit,
    port: portOf(env.PURSER_PORT, file.http?.port),
    publicUrl: addressOf(env.PURSER_PUBLIC_URL ?? file.http?.publicUrl, 'PURSER_PUBLIC_URL'),
  };
  if (environment !== 'sandbox') requireForReal(configuration, liveAllowed(env.PURSER_ALLOW_LIVE, file.allowLive));
  return configuration;
}

/** A script whose variable is empty names no folder. */
function folderIn(given: string | undefined): string | undefined {
  if (given === '') throw new BadConfiguration('--data must name a folder, and it is empty.');
  return given;
}

function readerOf({ device }: Settings): Pick<Configuration, 'sdk' | 'sdkReleases'> {
  const { sdkReleases = [], ...sdk }: NonNullable<Settings['device']> = device ?? sdkConfiguration().parse({});
  return { sdk, sdkReleases };
}

function environmentOf(name: string): Configuration['environment'] {
  const known = (['sandbox', 'test', 'live'] as const).find((one) => one === name);
  if (known !== undefined) return known;
  throw new BadConfiguration(
    'The environment must be "sandbox", "test" or "live": correct PURSER_ENVIRONMENT or `environment`.',
  );
}

/** The selected tools, and whether operators can make their calls. In live mode the default is read-only. */
function offeredBy(
  env: NodeJS.ProcessEnv,
  options: Options,
  file: Settings,
  isLive: boolean,
): Pick<Configuration, 'choice' | 'hasOperatorCalls'> {
  const given = env.PURSER_PROFILE ?? file.profile ?? (isLive ? 'read-only' : 'full');
  const profile = profiles.find((one) => one === given);
  if (profile === undefined)
    throw new BadConfiguration(
      'The profile must be "full", "read-only" or "operator": correct PURSER_PROFILE or `profile`.',
    );
  const choice: Choice = {
    toolsets: namesIn(options.toolsets ?? env.PURSER_TOOLSETS) ?? file.toolsets ?? usualToolsets,
    tools: namesIn(options.tools ?? env.PURSER_TOOLS) ?? file.tools,
    excluded: namesIn(options.excludeTools ?? env.PURSER_EXCLUDE_TOOLS) ?? file.excludeTools,
    isReadOnly: options.readOnly === true || profile !== 'full',
  };
  return { choice, hasOperatorCalls: profile === 'operator' };
}

/** The default toolset: buying for a shopper. Models choose better from a short list. Own choice. */
const usualToolsets = ['purchase'];

/** Splits comma-separated names. */
const namesIn = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function levelsOf(given: Readonly<Record<string, Level>>): Configuration['levels'] {
  const stranger = Object.keys(given).find((id) => !isRuleId(id));
  const promise = Object.keys(given).find((id) => id.startsWith('EN-'));
  if (promise !== undefined)
    throw new BadConfiguration(`${promise} is always enforced and has no level: remove it from \`rules\`.`);
  const single = Object.keys(given).find((id) => given[id] === 'published' && !isTwofold(id));
  if (single !== undefined)
    throw new BadConfiguration(`${single} has only one published form: set it to refuse, warn or off in \`rules\`.`);
  if (stranger === undefined) return given;
  throw new BadConfiguration(
    `There is no rule ${stranger}${didYouMean(stranger, Object.keys(rules))}: correct \`rules\`; docs/rules.md lists all rules.`,
  );
}

/** The usual rates, and in their place what the file has. */
function ratesOf({ rates = {} }: Settings): RateLimits {
  const changed = (usual: Rates, given: NonNullable<Settings['rates']>['principal'] = {}): Rates => ({
    ...usual,
    ...Object.fromEntries(
      Object.entries(given).flatMap(([effect, rate]) =>
        rate === undefined ? [] : [[effect, { burst: rate.burst, everyMilliseconds: 60_000 / rate.perMinute }]],
      ),
    ),
  });
  return {
    conversation: changed(defaultRates.conversation, rates.conversation),
    principal: changed(defaultRates.principal, rates.principal),
  };
}

/** The limits and mandates, each valid and uniquely named: budgets are stored by name. */
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
      throw new BadConfiguration(`Two limits or mandates are named "${terms.name}"; each needs a unique name.`);
  }
  return { limits, mandates };
}

function liveAllowed(given: string | undefined, filed: boolean | undefined): boolean {
  if (given === undefined) return filed === true;
  if (given === 'true' || given === 'false') return given === 'true';
  throw new BadConfiguration('PURSER_ALLOW_LIVE must be "true" or "false".');
}

/** Requires what a platform with real money needs. */
function requireForReal({ environment, baseUrl, tenants, ...own }: Configuration, allowed: boolean): void {
  const all: readonly Partial<Tenant>[] = Object.values(tenants ?? { own });
  const missing = [
    ...(environment === 'live' && !allowed ? ['PURSER_ALLOW_LIVE=true'] : []),
    ...(baseUrl === undefined ? ['PURSER_BASE_URL'] : []),
    ...(all.some(({ credentials }) => credentials === undefined)
      ? tenants === undefined
        ? ['PURSER_MERCHANT_ID', 'PURSER_KEY_ID', 'PURSER_SHARED_SECRET_FILE']
        : ['`credentials` of each of `tenants`']
      : []),
    ...(all.some(({ merchant }) => merchant === undefined)
      ? [tenants === undefined ? '`merchant` in purser.config.yaml' : '`merchant` of each of `tenants`']
      : []),
  ];
  if (missing.length > 0) throw new BadConfiguration(`The environment "${environment}" needs ${listed(missing)}.`);
  if (!baseUrl?.startsWith('https://'))
    throw new BadConfiguration(`The environment "${environment}" needs a base URL that begins with https://.`);
}

/** "a", "a and b", "a, b and c". */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
