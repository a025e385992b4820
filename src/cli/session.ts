import { userInfo } from 'node:os';
import { isThere } from '../files/check.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditRow } from '../ledger/rows.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Running } from './compose.ts';
import { loadConfiguration } from './config.ts';
import type { Configuration } from './configuration.ts';
import { ignoredSentence, startLine } from './configuration-digest.ts';
import type { Common, ToolOptions } from './options.ts';
import { tell } from './output.ts';
import { ledgerFile } from './storage-paths.ts';

// What the commands share: the configuration, and a Purser that is opened for one command and closed after it.

/** Loads the configuration of a command. */
export async function configured(options: Common & ToolOptions): Promise<Configuration> {
  const configuration = await loadConfiguration(process.env, options);
  if (configuration.ignored !== undefined) tell(ignoredSentence(configuration.ignored));
  return configuration;
}

/** Loads the configuration of a command that serves, which prints its own start line once it can start. */
export const configuredToServe = (options: Common & ToolOptions): Promise<Configuration> =>
  loadConfiguration(process.env, options);

/** Prints the start line on stderr. */
export const tellStart = (configuration: Configuration): void => tell(startLine(configuration));

/** Runs `work` with a running Purser, then closes it. */
export async function withPurser<T>(configuration: Configuration, work: (running: Running) => Promise<T>): Promise<T> {
  const { compose } = await import('./compose.ts');
  const running = await compose(configuration);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
}

/** For commands that read the ledger: a misspelled folder must not look like an empty ledger. */
export function demandLedger(configuration: Configuration): void {
  if (configuration.databaseUrl !== undefined || isThere(ledgerFile(configuration))) return;
  throw new BadConfiguration(
    `There is no ledger of the environment "${configuration.environment}" in ${configuration.data}: correct --data, PURSER_DATA or PURSER_ENVIRONMENT.`,
  );
}

/** The person at this command: the user of the operating system. */
export function personHere(tenant: string) {
  return { tenant, approver: userName(), channel: 'cli' } as const;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // a user without a name, as in a container
  }
}

/** Calls `stop` once when the operating system asks this process to end. */
export function onStop(stop: () => void): void {
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** Prints where the audit chain ends. Kept elsewhere, it reveals a file that was rewritten later. */
export async function tellAuditHead({ ledger }: Pick<Running, 'ledger'>): Promise<void> {
  const head = await auditHead(ledger);
  tell(
    head === undefined
      ? 'stopped; the audit chain is empty.'
      : `stopped; the audit chain ends with row ${head.seq}, ${head.hash}.`,
  );
}

async function auditHead(ledger: Ledger): Promise<AuditRow | undefined> {
  const [last] = await lastRows(ledger, 1);
  return last;
}

/** The last audit rows of all tenants, newest first. */
export async function lastRows(ledger: Ledger, limit: number): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const tenant of await ledger.tenants())
    rows.push(...(await ledger.transaction(tenant, (tx) => tx.audit.list({ limit }))).rows);
  return rows.toSorted((one, other) => other.seq - one.seq).slice(0, limit);
}
