import type { Level, RuleId } from '../core/rules.ts';
import type { Secret } from '../core/secret.ts';
import type { SdkConfiguration } from '../domains/device/sdk-configuration.ts';
import type { Channel } from '../engine/approval-channels.ts';
import type { RateLimits } from '../engine/rate-limiter.ts';
import type { SpendingPolicy } from '../engine/spending-policy.ts';
import type { Choice } from '../mcp/tool-selection.ts';
import type { Settings } from './file.ts';
import type { WebhookKey } from './webhook-keys.ts';

/** The settings that differ by tenant. */
export type Tenant = Pick<Configuration, 'credentials' | 'merchant' | 'passkey' | 'webhookKeys'>;

export interface Configuration {
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  /** An ignored configuration file in the working directory, and the usual location of the file. */
  readonly ignored: { readonly found: string; readonly usual: string } | undefined;
  readonly environment: 'sandbox' | 'test' | 'live';
  /** The selected tools. */
  readonly choice: Choice;
  /** Whether the commands of operators can make their calls (D-32). */
  readonly hasOperatorCalls: boolean;
  readonly baseUrl: string | undefined;
  readonly signing: 'http-signature' | 'jwt';
  readonly agentPrefix: NonNullable<Settings['agentPrefix']>;
  readonly credentials:
    | { readonly merchantId: string; readonly keyId: string; readonly sharedSecret: Secret<string> }
    | undefined;
  /** The file that holds the shared secret, if it came from one. */
  readonly sharedSecretFile?: string | undefined;
  readonly merchant: Settings['merchant'];
  readonly passkey: Settings['passkey'];
  /** What the app of the card reader builds the SDK with. */
  readonly sdk: SdkConfiguration;
  /** What deliveries of events are signed with. */
  readonly webhookKeys: readonly WebhookKey[];
  readonly levels: { readonly [R in RuleId]?: Level };
  readonly principals: 'separate' | 'together';
  /** Releases of the card reader's SDK that came after those Purser knows, oldest first. */
  readonly sdkReleases: readonly string[];
  /** The channels whose decisions count. */
  readonly channels: readonly Channel[];
  /** How often callers may call. */
  readonly rates: RateLimits;
  readonly limits: readonly SpendingPolicy[];
  readonly mandates: readonly SpendingPolicy[];
  /** Patterns of the shop's own numbers, which are not taken for card numbers. */
  readonly ownNumbers: readonly string[];
  /** The file of the audit chain's anchor; by default in the state folder. */
  readonly auditAnchorFile: string | undefined;
  /** Whether to create an anchor for the current ledger. */
  readonly initAnchor?: boolean | undefined;
  /** Whether to take the rows of the ledger for those of the configured account. */
  readonly initAccount?: boolean | undefined;
  /** The file with the ledger's key; by default in the data folder. */
  readonly ledgerKeyFile: string | undefined;
  /** Seals released credentials in the ledger; without it they are kept in memory. */
  readonly vaultKey: Secret<Buffer> | undefined;
  /** The PostgreSQL database of the ledger, if it is in one. Secret, because it may hold a password. */
  readonly databaseUrl: Secret<string> | undefined;
  /** Folder of the ledger; `:memory:` keeps nothing. */
  readonly data: string;
  /** Folder of the anchors, apart from the data folder. */
  readonly state: string;
  /** The tenant that the command line, stdio and HTTP of this process serve. */
  readonly tenant: string;
  /** Every tenant of an engine, each with its own account; by default only `tenant`. */
  readonly tenants?: { readonly [name: string]: Partial<Tenant> } | undefined;
  readonly sandboxUrl: string | undefined;
  /** Further hosts that a JWT for the sandbox may name. */
  readonly requestHosts: readonly string[] | undefined;
  /** Days before a payment at which a new embedded sandbox notifies the customer (D-20). */
  readonly noticeDays: number | undefined;
  /** The most requests that the sandbox takes in some seconds (D-30). */
  readonly rateLimit: { readonly requests: number; readonly seconds: number } | undefined;
  readonly port: number;
  /** The public address of `purser serve`, if a proxy is in front of it. */
  readonly publicUrl: string | undefined;
}
