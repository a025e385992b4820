import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
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
  readonly merchant: File['merchant'];
  readonly passkey: File['passkey'];
  readonly levels: { readonly [R in RuleId]?: Level };
  readonly limits: readonly Terms[];
  readonly mandates: readonly Terms[];
  /** Folder of the ledger; `:memory:` keeps nothing. */
  readonly data: string;
  readonly tenant: string;
  readonly sandboxUrl: string | undefined;
  readonly port: number;
}

export const defaultPort = 8_377;

/** Reads file and environment. Throws BadConfiguration, with one line, for the first thing that is wrong. */
export function readConfiguration(
  env: NodeJS.ProcessEnv,
  options: { readonly data?: string | undefined } = {},
): Configuration {
  const file = readFile(env.PURSER_CONFIG);
  const environment = environmentOf(env.PURSER_ENVIRONMENT ?? file.environment ?? 'sandbox');
  const configuration: Configuration = {
    environment,
    baseUrl: env.PURSER_BASE_URL ?? file.baseUrl,
    signing: file.signing ?? 'http-signature',
    agentPrefix: file.agentPrefix ?? '/acp/v1',
    credentials: credentialsOf(env, file),
    merchant: file.merchant,
    passkey: file.passkey,
    levels: levelsOf(file.rules ?? {}),
    ...allowedBy(file),
    data: options.data ?? env.PURSER_DATA ?? file.data ?? usualData(env),
    tenant: file.tenant ?? 'default',
    sandboxUrl: env.PURSER_SANDBOX_URL ?? file.sandbox?.url,
    port: portOf(env.PURSER_PORT, file.http?.port),
  };
  if (environment !== 'sandbox')
    requireForReal(configuration, env.PURSER_ALLOW_LIVE === 'true' || file.allowLive === true);
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
  const where = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : (issue?.path.join('.') ?? '');
  const what = issue?.code === 'unrecognized_keys' ? 'is not a setting' : (issue?.message ?? 'is wrong');
  throw new BadConfiguration(`${path}: ${where} ${what}; the README lists every setting.`);
}

function yaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    throw new BadConfiguration(`${path} is not readable YAML.`); // the parser's own message quotes the text
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

/** The shared secret is read once and taken out of the environment, so that no child process and no dump has it. */
function credentialsOf(env: NodeJS.ProcessEnv, file: File): Configuration['credentials'] {
  const merchantId = env.PURSER_MERCHANT_ID ?? file.credentials?.merchantId;
  const keyId = env.PURSER_KEY_ID ?? file.credentials?.keyId;
  const path = env.PURSER_SHARED_SECRET_FILE ?? file.credentials?.sharedSecretFile;
  const secret = env.PURSER_SHARED_SECRET ?? (path === undefined ? undefined : secretIn(path));
  delete env.PURSER_SHARED_SECRET;
  return merchantId === undefined || keyId === undefined || secret === undefined
    ? undefined
    : { merchantId, keyId, sharedSecret: new Secret(secret) };
}

function secretIn(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  throw new BadConfiguration(`There is no shared secret file ${path}: correct PURSER_SHARED_SECRET_FILE.`);
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
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new BadConfiguration('PURSER_PORT must be a number from 0 to 65535.');
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
