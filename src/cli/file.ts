import { dirname, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { isCurrency } from '../core/currencies.ts';
import { sdkConfiguration } from '../domains/device/sdk-configuration.ts';
import { channels } from '../engine/approval-channels.ts';
import { didYouMean } from '../engine/closest-name.ts';
import { propertyNames } from '../engine/name-suggestions.ts';
import { scopes } from '../engine/policy-scopes.ts';
import { type Issue, problemText } from '../engine/schema-issues.ts';
import { readText } from '../files/read.ts';
import { isOwnNumberPattern } from '../screening/look-alikes.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import { nowhere } from './folders.ts';
import { profiles } from './profiles.ts';
import { tenantShape } from './tenant-name.ts';

const text = z.string().min(1).max(255);

/** Terms of a limit or a mandate. The currency is always required. */
const terms = z.strictObject({
  name: text.describe('Name in results, audit and budgets; unique.'),
  tools: z.array(text).min(1).describe('The tools it applies to.'),
  currency: z
    .string()
    .refine(isCurrency, 'is not an ISO 4217 currency')
    .describe('Currency of the amounts below: three letters.'),
  perCall: text.optional().describe('Largest amount of a call, as decimal text.'),
  total: text.optional().describe('Largest total of all calls in a scope.'),
  count: z.int().min(0).optional().describe('Largest number of calls in a scope.'),
  per: z
    .array(z.enum(scopes))
    .default([])
    .describe(
      'The scope: shopper, instruction, session, day, or several of them. A day is a calendar day in UTC. A session is a conversation that a host identifies to the library. Calls over MCP have no such id, so all calls of an agent share one session.',
    ),
  payees: z.array(text).optional().describe('Only these merchants.'),
  instruments: z.array(text).optional().describe('Only these cards, by handle.'),
  until: z.iso.datetime({ offset: true }).optional().describe('When it ends.'),
});

/** What identifies a merchant to the platform. */
const account = {
  credentials: z
    .strictObject({
      merchantId: text.optional().describe('Merchant or organization id.'),
      keyId: text.optional().describe('Id of the shared secret key.'),
      sharedSecretFile: text.optional().describe('Path of a file that contains only the shared secret.'),
    })
    .optional(),
  merchant: z
    .strictObject({
      id: text.optional().describe('Merchant id shown in payments.'),
      name: text.describe('Merchant name shown in payments and approvals.'),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be two capital letters, such as GB')
        .describe('Two-letter country.'),
      url: z.url().describe('Address of the shop.'),
      categoryCode: text.optional().describe('Merchant category code.'),
      domainName: text.optional().describe('Domain of the shop.'),
      language: text.optional().describe('Language tag of the shop.'),
      reportsFor: text
        .optional()
        .describe(
          'For partners of the platform alone: the ids of the merchants whose reports may be asked for, with commas between.',
        ),
      developerId: text.optional().describe('Id of the developer partner; sent with invoices.'),
      processing: z
        .enum(['common', 'direct', 'foreign'])
        .optional()
        .describe(
          "How the acquirer processes payments in the card's currency: through the gateway (`common`), a direct connection (`direct`), or with foreign amounts (`foreign`). Without it there is no currency conversion.",
        ),
      terminalId: text.optional().describe('Id of the terminal, sent when requesting rates.'),
      solutionId: text.optional().describe('Id of the partner solution; sent with invoices.'),
    })
    .optional(),
  passkey: z
    .strictObject({
      tokenRequesterId: text.describe('From the platform account manager.'),
      relationshipId: text.describe('From the platform account manager.'),
      iframe: z
        .strictObject({
          url: z.url().describe('Address of the iframe of the passkey service, without its keys.'),
          apikey: text.describe(
            'From the platform account manager. It is no secret: the page that embeds the iframe shows it.',
          ),
          externalAppId: text.describe('From the platform account manager.'),
        })
        .optional()
        .describe(
          "For the customer's page of `purser serve`. Without it the merchant's app shows the iframe on a page of its own.",
        ),
    })
    .optional(),
  webhooks: z
    .strictObject({
      keys: z
        .array(
          z.strictObject({
            keyId: z.uuid('must be a UUID').describe('Id of the key, as deliveries name it.'),
            keyFile: text.describe('Path of a file that holds the key, in Base64, and nothing else.'),
          }),
        )
        .max(10)
        .optional()
        .describe(
          'Keys that the platform signs deliveries of events with; without one, `POST /webhooks/platform` takes none. Several at once, so that a key can be replaced.',
        ),
    })
    .optional(),
};

const rate = z.strictObject({
  burst: z.int().min(1).max(1_000_000).describe('Calls at once.'),
  perMinute: z.int().min(1).max(1_000_000).describe('Calls a minute after that.'),
});
/** How often may be called, by what a call does. */
const rates = z.strictObject({
  read: rate.optional().describe('Calls that only look.'),
  write: rate.optional().describe('Calls that change something.'),
  money: rate.optional().describe('Calls that move money.'),
});

/** The settings of `purser.config.yaml`. Secrets are given as paths of files, never as values. */
export const fileShape = z.strictObject({
  environment: z
    .enum(['sandbox', 'test', 'live'])
    .optional()
    .describe('The platform: the embedded sandbox (default), the test system, or the live system.'),
  profile: z
    .enum(profiles)
    .optional()
    .describe(
      'The tools: all (`full`, the default), or only those that change nothing (`read-only`, the default in `live`). `operator`: like `read-only`, and `purser keys generate` can generate keys; set it in `PURSER_PROFILE` for that command alone.',
    ),
  toolsets: z.array(text).min(1).optional().describe('Toolsets to offer, or `all`; by default `purchase`.'),
  tools: z
    .array(text)
    .min(1)
    .optional()
    .describe('Only these tools of the toolsets, besides the ones that look things up.'),
  excludeTools: z.array(text).min(1).optional().describe('Tools to leave out.'),
  allowLive: z.boolean().optional().describe('Must be true for `live`.'),
  baseUrl: z.url().optional().describe('URL of the platform, for `test` and `live`.'),
  signing: z.enum(['http-signature', 'jwt']).optional().describe('How requests are signed with the shared secret.'),
  agentPrefix: z.enum(['/acp/v1', '/icc/v1']).optional().describe('Path prefix of the agent operations.'),
  ...account,
  device: sdkConfiguration()
    .extend({
      sdkReleases: z
        .array(z.string().regex(/^\d+(\.\d+){1,3}$/, 'must be a version such as 3.6.0'))
        .max(100)
        .optional()
        .describe(
          "Releases of the card reader's SDK that came after those Purser knows, oldest first. A device whose app has none of the known ones is not enrolled, and one older than the latest six is warned of (DV-13).",
        ),
    })
    .optional()
    .describe(
      'The card reader: what its app builds the SDK with, which `purser serve` tells the app when it connects, and later releases of the SDK.',
    ),
  rules: z
    .record(z.string(), z.enum(['refuse', 'warn', 'off', 'published']))
    .optional()
    .describe(
      'Level of a rule, by its id. `published`, for PL-05 and SB-09 only, chooses the published form of the rule.',
    ),
  principals: z
    .enum(['separate', 'together'])
    .optional()
    .describe(
      'Whether a principal can use only its own purchases, credentials, operations and approvals (`separate`, the default), or those of every principal of the tenant (`together`). All agents over MCP are one principal; a program that embeds Purser names its principals. Cards, plans, subscriptions and invoices belong to the merchant, and every principal sees them.',
    ),
  approvals: z
    .strictObject({
      channels: z
        .array(z.enum(channels))
        .optional()
        .describe(
          "The channels on which a person's decision counts, in place of the usual ones; all others refuse. `form`: a form of the agent's host over stdio (not usual in `live`); `form-over-http`: the same over HTTP (never usual: the agent's token is enough to answer it); `page`: the approval page; `cli`: `purser approvals`; `http`: `POST /approvals/<id>`; `program`: the function `approve`, or an approval of the AI SDK, in a program that embeds Purser; `customer`: the customer's passkey for the start of a purchase.",
        ),
    })
    .optional(),
  rates: z
    .strictObject({
      conversation: rates
        .optional()
        .describe('For one conversation; by default 120 reads, 60 changes and 30 payments a minute.'),
      principal: rates
        .optional()
        .describe(
          'For all conversations of a principal together, such as all agents over HTTP; by default twenty times as much.',
        ),
    })
    .optional(),
  limits: z.array(terms).optional().describe('Limits for calls; no approval exceeds them.'),
  mandates: z.array(terms).optional().describe('Approvals given in advance: calls within them need no other approval.'),
  screening: z
    .strictObject({
      ownNumbers: z
        .array(z.string().refine(isOwnNumberPattern, 'must have a letter and a #, which means a digit'))
        .max(50)
        .describe(
          "Patterns of the shop's own numbers, such as `SO-################`: `#` means a digit, other characters are literal. A match is not taken for a card number.",
        ),
    })
    .optional(),
  auditAnchorFile: text
    .optional()
    .describe(
      'File of the anchor, preferably on another disk: Purser writes the last row of the audit chain there before each request that changes something. By default a file in `state`.',
    ),
  ledgerKeyFile: text
    .optional()
    .describe(
      "File of at least 32 random bytes, the key that seals the ledger's rows. By default `ledger.key` in the data folder, created at the first start; replicas that share a database need the same key.",
    ),
  vaultKeyFile: text
    .optional()
    .describe(
      'File of at least 32 random bytes, the key that seals released credentials in the ledger. Without it they are kept in memory only.',
    ),
  data: text.optional().describe('Folder of the ledger.'),
  state: text.optional().describe("Folder of the anchor, outside `data`; by default the user's state folder."),
  tenant: text
    .optional()
    .describe('The tenant that the command line, stdio and HTTP serve; by default the first of `tenants`.'),
  tenants: z
    .record(z.string().regex(tenantShape), z.strictObject(account))
    .optional()
    .describe(
      'Every tenant of an engine in the library, by name, each with its own `credentials`, `merchant`, `passkey` and `webhooks`; then none of these is given for all.',
    ),
  sandbox: z
    .strictObject({
      url: z.url().optional().describe('URL of a separate sandbox, instead of the embedded one.'),
      requestHosts: z
        .array(text)
        .optional()
        .describe("Hosts that a client's JWT may name, besides `api.…`, `apitest.…` and this machine's."),
      noticeDays: z
        .int()
        .min(0)
        .max(365)
        .optional()
        .describe(
          'Days before a payment at which a new embedded sandbox notifies the customer; by default 3, 0 for never.',
        ),
      rateLimit: z
        .strictObject({
          requests: z.int().min(1).max(1_000_000).describe('The most requests of a merchant within `seconds`.'),
          seconds: z.int().min(1).max(86_400).describe('The length of the window, by the virtual clock.'),
        })
        .optional()
        .describe('Requests that the sandbox takes before it answers 429 with `Retry-After`; by default any number.'),
    })
    .optional(),
  http: z
    .strictObject({
      port: z.int().min(0).max(65_535).optional().describe('Port of `purser serve`; 0 for any free one.'),
      publicUrl: z
        .url()
        .optional()
        .describe(
          'Public URL of `purser serve` behind a proxy: scheme, host and port. Links to the approval page use it, and requests to its host are accepted. Headers added by a proxy are ignored.',
        ),
    })
    .optional(),
});
/** The JSON Schema of a file, for editors. */
export const fileSchema = () => z.toJSONSchema(fileShape, { io: 'input' });

/** The settings of a file. */
export type Settings = z.output<typeof fileShape>;

/** Reads the settings of a file; paths are relative to its folder. Throws BadConfiguration for the first fault. */
export function readSettings(path: string): Settings {
  const given = yaml(path) ?? {};
  const read = fileShape.safeParse(given);
  if (read.success) return resolved(read.data, dirname(path)) as Settings; // a cast, because texts stay texts
  const { issues } = read.error;
  // Where a required setting is misspelled, the name that is there says more than the one that is missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const where = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
  const what = issue === undefined ? 'is wrong' : settingFault(issue, given);
  throw new BadConfiguration(
    `${path}: ${where.join('.') || 'the file'} ${what}; docs/configuration.md lists every setting.`,
  );
}

const settingFault = (issue: Issue, given: unknown): string =>
  issue.code === 'unrecognized_keys'
    ? `is not a setting${didYouMean(issue.keys[0] ?? '', propertyNames(fileShape, issue.path))}`
    : problemText(issue, given);

/** Whether a setting is a path, by its name. */
export const isPathSetting = (name: string): boolean => name === 'data' || name === 'state' || name.endsWith('File');

function resolved(settings: object, folder: string): object {
  const members = Object.entries(settings).map(([name, value]) => {
    if (typeof value === 'string' && isPathSetting(name) && value !== nowhere) return [name, resolve(folder, value)];
    if (Array.isArray(value)) return [name, value.map((it: unknown) => (isGroup(it) ? resolved(it, folder) : it))];
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
    // The parser's message would quote the text.
    const { code, linePos } = error instanceof YAMLParseError ? error : {};
    const fault = code === 'DUPLICATE_KEY' ? 'has a setting twice' : 'is not YAML';
    const line = linePos?.[0].line;
    throw new BadConfiguration(`${path} ${fault}: correct ${line === undefined ? 'it' : `line ${line}`}.`);
  }
}
