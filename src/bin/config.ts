import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { originOf } from '../client/origin.ts';
import { isCurrency } from '../contract/currencies.ts';
import { isRuleId, type Level, type RuleId } from '../contract/rules.ts';
import { scopes, type Terms, termsFault } from '../guards/money.ts';
import { Secret } from '../ledger/vault.ts';

/** A setting that keeps Purser from starting: one line that says what to do. The command ends with code 2. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration';
}

const text = z.string().min(1).max(255);

/** Terms of a limit or a standing mandate. A currency is always named. */
const terms = z.strictObject({
  name: text.describe('How answers, audit and budgets call it; unique.'),
  tools: z.array(text).min(1).describe('The tools it is about.'),
  currency: z
    .string()
    .refine(isCurrency, 'is not an ISO 4217 currency')
    .describe('Three letters; amounts below are in it.'),
  perCall: text.optional().describe('Most of one call: decimal text.'),
  total: text.optional().describe('Most of all calls of a scope together.'),
  count: z.int().min(0).optional().describe('Most calls of a scope.'),
  per: z
    .array(z.enum(scopes))
    .default([])
    .describe('The scope: by shopper, instruction, session, day, or several together.'),
  payees: z.array(text).optional().describe('Only these merchants.'),
  instruments: z.array(text).optional().describe('Only these cards, by handle.'),
  until: z.iso.datetime({ offset: true }).optional().describe('Nothing after that.'),
});

/** What `purser.config.yaml` may hold. Secrets never stand in it, only the paths of files that hold them. */
export const fileShape = z.strictObject({
  environment: z
    .enum(['sandbox', 'test', 'live'])
    .optional()
    .describe('Which platform: the embedded sandbox (default), the test one, or the live one.'),
  allowLive: z.boolean().optional().describe('Must be true for `live`, besides everything else it needs.'),
  baseUrl: z.url().optional().describe('Address of the platform, for `test` and `live`.'),
  signing: z.enum(['http-signature', 'jwt']).optional().describe('How requests are signed with the shared secret.'),
  agentPrefix: z.enum(['/acp/v1', '/icc/v1']).optional().describe('Path prefix of the agent operations.'),
  credentials: z
    .strictObject({
      merchantId: text.optional().describe('Merchant or organization id.'),
      keyId: text.optional().describe('Id of the shared secret key.'),
      sharedSecretFile: text.optional().describe('Path of a file that holds the shared secret and nothing else.'),
    })
    .optional(),
  merchant: z
    .strictObject({
      id: text.optional().describe('Merchant id shown in payments.'),
      name: text.describe('Merchant name shown in payments and approvals.'),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .describe('Two-letter country.'),
      url: z.url().describe('Address of the shop.'),
      categoryCode: text.optional(),
      domainName: text.optional(),
      language: text.optional(),
    })
    .optional(),
  passkey: z
    .strictObject({
      tokenRequesterId: text.describe('From the platform account manager.'),
      relationshipId: text.describe('From the platform account manager.'),
    })
    .optional(),
  rules: z
    .record(z.string(), z.enum(['refuse', 'warn', 'off']))
    .optional()
    .describe('Level of a rule, by its id.'),
  limits: z.array(terms).optional().describe('What calls must stay within, whoever approves them.'),
  mandates: z.array(terms).optional().describe('What is approved beforehand: within them nobody is asked.'),
  auditAnchorFile: text
    .optional()
    .describe('File, best on another disk, in which the head of the audit chain is noted and held against the chain.'),
  vaultKeyFile: text
    .optional()
    .describe(
      'File of at least 32 random bytes: released credentials are then kept sealed in the ledger, not in memory.',
    ),
  data: text.optional().describe('Folder of the ledger.'),
  tenant: text.optional().describe('Tenant of calls over stdio.'),
  sandbox: z
    .strictObject({ url: z.url().optional().describe('A sandbox that runs elsewhere, instead of the embedded one.') })
    .optional(),
  http: z
    .strictObject({
      port: z.int().min(0).max(65_535).optional().describe('Port of `purser serve`; 0 for any that is free.'),
    })
    .optional(),
});
type File = z.output<typeof fileShape>;

/** Settings that the environment may give, each in place of one of the file. */
export const variables = {
  PURSER_CONFIG: 'Path of the configuration file; by default `purser.config.yaml` in the working directory.',
  PURSER_ENVIRONMENT: '`environment`',
  PURSER_ALLOW_LIVE: '`allowLive`: `true` or `false`',
  PURSER_BASE_URL: '`baseUrl`',
  PURSER_MERCHANT_ID: '`credentials.merchantId`',
  PURSER_KEY_ID: '`credentials.keyId`',
  PURSER_SHARED_SECRET: 'The shared secret itself; removed from the environment once read.',
  PURSER_SHARED_SECRET_FILE: '`credentials.sharedSecretFile`',
  PURSER_VAULT_KEY_FILE: '`vaultKeyFile`',
  PURSER_DATA: '`data`',
  PURSER_SANDBOX_URL: '`sandbox.url`',
  PURSER_PORT: '`http.port`',
} as const;

export interface Configuration {
  readonly environment: 'sandbox' | 'test' | 'live';
  readonly baseUrl: string | undefined;
  readonly signing: 'http-signature' | 'jwt';
  readonly agentPrefix: '/acp/v1' | '/icc/v1';
  readonly credentials:
    | { readonly merchantId: string; readonly keyId: string; readonly sharedSecret: Secret<string> }
    | undefined;
  /** The file that the shared secret came from, where it came from one. */
  readonly sharedSecretFile?: string | undefined;
  readonly merchant: File['merchant'];
  readonly passkey: File['passkey'];
  readonly levels: { readonly [R in RuleId]?: Level };
  readonly limits: readonly Terms[];
  readonly mandates: readonly Terms[];
  /** Where the head of the audit chain is noted. */
  readonly auditAnchorFile: string | undefined;
  /** Seals released credentials in the ledger; without it they are kept in memory alone. */
  readonly vaultKey: Secret<Buffer> | undefined;
  /** Folder of the ledger; `:memory:` keeps nothing. */
  readonly data: string;
  readonly tenant: string;
  readonly sandboxUrl: string | undefined;
  readonly port: number;
}

export const defaultPort = 8_377;

/**
 * Reads file and environment. Throws BadConfiguration, with one line, for the first thing that is wrong. The shared secret
 * is taken out of the environment first, so that no child process and no dump has it, however the reading ends.
 */
export function readConfiguration(
  env: NodeJS.ProcessEnv,
  options: { readonly data?: string | undefined } = {},
): Configuration {
  const secret = env.PURSER_SHARED_SECRET;
  delete env.PURSER_SHARED_SECRET;
  const file = readFile(env.PURSER_CONFIG);
  const environment = environmentOf(env.PURSER_ENVIRONMENT ?? file.environment ?? 'sandbox');
  const configuration: Configuration = {
    environment,
    baseUrl: addressOf(env.PURSER_BASE_URL ?? file.baseUrl, 'PURSER_BASE_URL'),
    signing: file.signing ?? 'http-signature',
    agentPrefix: file.agentPrefix ?? '/acp/v1',
    credentials: credentialsOf(env, secret, file),
    sharedSecretFile: secret === undefined ? secretFileOf(env, file) : undefined,
    merchant: file.merchant,
    passkey: file.passkey,
    levels: levelsOf(file.rules ?? {}),
    ...allowedBy(file),
    auditAnchorFile: file.auditAnchorFile,
    vaultKey: vaultKeyIn(env.PURSER_VAULT_KEY_FILE ?? file.vaultKeyFile),
    data: options.data ?? env.PURSER_DATA ?? file.data ?? usualData(env),
    tenant: file.tenant ?? 'default',
    sandboxUrl: addressOf(env.PURSER_SANDBOX_URL ?? file.sandbox?.url, 'PURSER_SANDBOX_URL'),
    port: portOf(env.PURSER_PORT, file.http?.port),
  };
  if (environment !== 'sandbox') requireForReal(configuration, liveAllowed(env.PURSER_ALLOW_LIVE, file.allowLive));
  return configuration;
}

function readFile(named: string | undefined): File {
  const path = named ?? 'purser.config.yaml';
  if (!existsSync(path)) {
    if (named !== undefined)
      throw new BadConfiguration(`There is no configuration file ${path}: correct PURSER_CONFIG.`);
    return {};
  }
  const read = fileShape.safeParse(yaml(path) ?? {});
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const where = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  const what = issue?.code === 'unrecognized_keys' ? 'is not a setting' : said(issue);
  throw new BadConfiguration(`${path}: ${where.join('.') || 'the file'} ${what}; the README lists every setting.`);
}

/** What is wrong with a value, without the value. */
const said = (issue: z.ZodError['issues'][number] | undefined): string =>
  issue?.code === 'invalid_value'
    ? `must be one of ${issue.values.map(String).join(', ')}`
    : issue?.code === 'invalid_type'
      ? `must be ${issue.expected}`
      : /^(is|must)\b/.test(issue?.message ?? '')
        ? String(issue?.message)
        : 'has not the form it needs';

function yaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // The parser's own message quotes the text.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new BadConfiguration(
      line === undefined
        ? `${path} can't be read: make it a file that this user may read.`
        : `${path} is not YAML: correct line ${line}.`,
    );
  }
}

function environmentOf(name: string): Configuration['environment'] {
  const known = z.enum(['sandbox', 'test', 'live']).safeParse(name);
  if (known.success) return known.data;
  throw new BadConfiguration(
    'The environment must be "sandbox", "test" or "live": correct PURSER_ENVIRONMENT or `environment`.',
  );
}

function levelsOf(given: Readonly<Record<string, Level>>): Configuration['levels'] {
  const stranger = Object.keys(given).find((id) => !isRuleId(id));
  if (stranger === undefined) return given;
  throw new BadConfiguration(`There is no rule ${stranger}: correct \`rules\`; the README lists every rule.`);
}

/** Limits and mandates, each sound in itself and no two of one name: a name is what a budget is kept under. */
function allowedBy(file: File): { readonly limits: readonly Terms[]; readonly mandates: readonly Terms[] } {
  const limits = file.limits ?? [];
  const mandates = file.mandates ?? [];
  const all: readonly Terms[] = [...limits, ...mandates];
  for (const terms of all) {
    const fault = termsFault(terms);
    if (fault !== null) throw new BadConfiguration(`The terms "${terms.name}": ${fault}`);
    if (all.filter(({ name }) => name === terms.name).length > 1)
      throw new BadConfiguration(`Two limits or mandates are named "${terms.name}"; each needs a name of its own.`);
  }
  return { limits, mandates };
}

function credentialsOf(env: NodeJS.ProcessEnv, given: string | undefined, file: File): Configuration['credentials'] {
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
  if (!existsSync(path))
    throw new BadConfiguration(`There is no vault key file ${path}: correct PURSER_VAULT_KEY_FILE.`);
  const key = readFileSync(path);
  if (key.length >= vaultKeyBytes) return new Secret(key);
  throw new BadConfiguration(
    `The vault key file ${path} holds fewer than ${vaultKeyBytes} bytes: head -c 32 /dev/urandom > ${path}`,
  );
}

const secretFileOf = (env: NodeJS.ProcessEnv, file: File): string | undefined =>
  env.PURSER_SHARED_SECRET_FILE ?? file.credentials?.sharedSecretFile;

function secretIn(path: string): string {
  const secret = textOf(path);
  if (secret === undefined)
    throw new BadConfiguration(
      `The shared secret file ${path} can't be read: correct PURSER_SHARED_SECRET_FILE or its rights.`,
    );
  if (secret === '') throw new BadConfiguration(`The shared secret file ${path} is empty: write the secret into it.`);
  return secret;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // the caller says which file, and what to do
  }
}

/** The address of a platform: scheme, host and port, https but on this machine. It may hold no password. */
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
function requireForReal({ environment, baseUrl, credentials, merchant }: Configuration, allowed: boolean): void {
  const missing = [
    ...(environment === 'live' && !allowed ? ['PURSER_ALLOW_LIVE=true'] : []),
    ...(baseUrl === undefined ? ['PURSER_BASE_URL'] : []),
    ...(credentials === undefined ? ['PURSER_MERCHANT_ID, PURSER_KEY_ID and PURSER_SHARED_SECRET_FILE'] : []),
    ...(merchant === undefined ? ['`merchant` in purser.config.yaml'] : []),
  ];
  if (missing.length > 0) throw new BadConfiguration(`The environment "${environment}" needs ${missing.join(', ')}.`);
  if (!baseUrl?.startsWith('https://'))
    throw new BadConfiguration(`The environment "${environment}" needs a base URL that begins with https://.`);
}

function portOf(given: string | undefined, filed: number | undefined): number {
  if (given === undefined) return filed ?? defaultPort;
  return portIn(given, 'PURSER_PORT');
}

/** A port as somebody wrote it. */
export function portIn(given: string, name: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new BadConfiguration(`${name} must be a number from 0 to 65535.`);
}

/** The platform's usual folder for a program's data. */
function usualData(env: NodeJS.ProcessEnv): string {
  const home = homedir();
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
  };
  return join(folders[process.platform] ?? env.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'purser');
}
