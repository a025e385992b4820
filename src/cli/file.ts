import { dirname, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { isCurrency } from '../core/currencies.ts';
import { channels } from '../engine/approval-channels.ts';
import { issueText } from '../engine/schema-issues.ts';
import { scopes } from '../engine/spending-policy.ts';
import { readText } from '../files/read.ts';
import { isOwnNumberPattern } from '../screening/look-alikes.ts';
import { BadConfiguration, checkedFile } from './config.ts';
import { nowhere } from './folders.ts';

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
    .describe(
      'The scope: by shopper, instruction, session, day, or several together. A session is the conversation that a host names to the library; callers over MCP name none, and all calls of such an agent are one.',
    ),
  payees: z.array(text).optional().describe('Only these merchants.'),
  instruments: z.array(text).optional().describe('Only these cards, by handle.'),
  until: z.iso.datetime({ offset: true }).optional().describe('Nothing after that.'),
});

/** What the platform knows one merchant by. */
const account = {
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
      categoryCode: text.optional().describe('Merchant category code.'),
      domainName: text.optional().describe('Domain of the shop.'),
      language: text.optional().describe('Language tag of the shop.'),
      developerId: text.optional().describe('Id of the partner who developed for the shop; sent with invoices.'),
      solutionId: text.optional().describe('Id of the partner solution that the shop uses; sent with invoices.'),
    })
    .optional(),
  passkey: z
    .strictObject({
      tokenRequesterId: text.describe('From the platform account manager.'),
      relationshipId: text.describe('From the platform account manager.'),
    })
    .optional(),
};

/** What `purser.config.yaml` may hold. Secrets never stand in it, only the paths of files that hold them. */
export const fileShape = z.strictObject({
  environment: z
    .enum(['sandbox', 'test', 'live'])
    .optional()
    .describe('Which platform: the embedded sandbox (default), the test one, or the live one.'),
  profile: z
    .enum(['full', 'read-only'])
    .optional()
    .describe('Which tools there are: all (default), or those alone that change nothing (default in `live`).'),
  toolsets: z.array(text).min(1).optional().describe('The toolsets that agents get, or `all`; by default `purchase`.'),
  tools: z.array(text).min(1).optional().describe('Of the toolsets these tools alone, and those that look things up.'),
  excludeTools: z.array(text).min(1).optional().describe('None of these tools.'),
  allowLive: z.boolean().optional().describe('Must be true for `live`, besides everything else it needs.'),
  baseUrl: z.url().optional().describe('Address of the platform, for `test` and `live`.'),
  signing: z.enum(['http-signature', 'jwt']).optional().describe('How requests are signed with the shared secret.'),
  agentPrefix: z.enum(['/acp/v1', '/icc/v1']).optional().describe('Path prefix of the agent operations.'),
  ...account,
  rules: z
    .record(z.string(), z.enum(['refuse', 'warn', 'off', 'published']))
    .optional()
    .describe('Level of a rule, by its id; `published` for the two that are stated in two ways, PL-05 and SB-09.'),
  principals: z
    .enum(['separate', 'together'])
    .optional()
    .describe(
      "Whether a principal can use only its own purchases, credentials, operations and approvals (`separate`, the default), or those of every principal of the tenant (`together`). Agents over MCP are all one principal; a program that embeds Purser names its principals. Cards, plans, subscriptions and invoices are the merchant's, and every principal sees them.",
    ),
  approvals: z
    .strictObject({
      channels: z
        .array(z.enum(channels))
        .optional()
        .describe(
          "The channels on which a person's decision counts, in place of the usual ones; all others refuse. `form`: a form of the agent's host over stdio (not usual in `live`); `form-over-http`: the same over HTTP (never usual: the agent's token is enough to answer it); `page`: the approval page; `cli`: `purser approvals`; `http`: `POST /approvals/<id>`; `program`: the function `approve`, or an approval of the AI SDK, in a program that embeds Purser.",
        ),
    })
    .optional(),
  limits: z.array(terms).optional().describe('What calls must stay within, whoever approves them.'),
  mandates: z.array(terms).optional().describe('What is approved beforehand: within them nobody is asked.'),
  screening: z
    .strictObject({
      ownNumbers: z
        .array(z.string().refine(isOwnNumberPattern, 'needs a letter and a #; # is a digit'))
        .max(50)
        .describe(
          "Patterns of the shop's own numbers, such as `SO-################`: `#` is a digit, everything else is itself. What matches is not taken for a card number.",
        ),
    })
    .optional(),
  auditAnchorFile: text
    .optional()
    .describe(
      'File, best on another disk, that keeps the anchor: the last row of the audit chain before each sending. By default a file in `state`.',
    ),
  ledgerKeyFile: text
    .optional()
    .describe(
      "File of at least 32 random bytes that the ledger's rows are sealed with. By default `ledger.key` in the data folder, made at the first start; replicas that share a database name the same.",
    ),
  vaultKeyFile: text
    .optional()
    .describe(
      'File of at least 32 random bytes: released credentials are then kept sealed in the ledger, not in memory.',
    ),
  data: text.optional().describe('Folder of the ledger.'),
  state: text.optional().describe("Folder of the anchor, apart from `data`; by default the user's folder for state."),
  tenant: text
    .optional()
    .describe('The tenant that the command line, stdio and HTTP serve; the first of `tenants` where it is left out.'),
  tenants: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,40}$/), z.strictObject(account))
    .optional()
    .describe(
      'Every tenant of an engine in the library, by name, each with its own `credentials`, `merchant` and `passkey`; then none of these is given for all.',
    ),
  sandbox: z
    .strictObject({
      url: z.url().optional().describe('A sandbox that runs elsewhere, instead of the embedded one.'),
      requestHosts: z
        .array(text)
        .optional()
        .describe('Hosts that a JWT of a client may name, besides `api.…`, `apitest.…` and those of this machine.'),
      noticeDays: z
        .int()
        .min(0)
        .max(365)
        .optional()
        .describe(
          'Days before a payment at which a new embedded sandbox tells the customer; 3 by default, 0 for never.',
        ),
    })
    .optional(),
  http: z
    .strictObject({
      port: z.int().min(0).max(65_535).optional().describe('Port of `purser serve`; 0 for any that is free.'),
      publicUrl: z
        .url()
        .optional()
        .describe(
          'Address by which others reach `purser serve`, if a proxy is in front of it: scheme, host and port. Links to the approval page use it, and its host is served. Headers that a proxy adds are ignored.',
        ),
    })
    .optional(),
});
/** The JSON Schema of a file, for editors. */
export const fileSchema = () => z.toJSONSchema(fileShape, { io: 'input' });

/** The settings of a file. */
export type Settings = z.output<typeof fileShape>;

/** Reads the settings of a file; its relative paths are relative to its folder. Throws BadConfiguration for the first thing that is wrong. */
export function readSettings(path: string): Settings {
  const read = fileShape.safeParse(yaml(path) ?? {});
  if (read.success) return resolved(read.data, dirname(path)) as Settings; // texts stay texts
  const issue = read.error.issues[0];
  const where = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  const what = issue?.code === 'unrecognized_keys' ? 'is not a setting' : issueText(issue);
  throw new BadConfiguration(
    `${path}: ${where.join('.') || 'the file'} ${what}; docs/configuration.md lists every setting.`,
  );
}

/** Settings that are paths, by their names. */
export const isPathSetting = (name: string): boolean => name === 'data' || name === 'state' || name.endsWith('File');

function resolved(settings: object, folder: string): object {
  const members = Object.entries(settings).map(([name, value]) => {
    if (typeof value === 'string' && isPathSetting(name) && value !== nowhere) return [name, resolve(folder, value)];
    return [name, isGroup(value) ? resolved(value, folder) : value];
  });
  return Object.fromEntries(members);
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function yaml(path: string): unknown {
  const text = checkedFile(() => readText('configuration', path));
  try {
    return parse(text);
  } catch (error) {
    // The parser's own message quotes the text.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new BadConfiguration(`${path} is not YAML: correct ${line === undefined ? 'it' : `line ${line}`}.`);
  }
}
