import { userInfo } from 'node:os';
import { isThere } from '../files/check.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditRow } from '../ledger/rows.ts';
import type { Running } from './compose.ts';
import type { ToolOptions } from './config.ts';
import { BadConfiguration, type Configuration, loadConfiguration } from './config.ts';
import { ignoredSentence, startLine } from './configuration-digest.ts';
import type { Common } from './main.ts';
import { tell } from './output.ts';
import { ledgerFile } from './storage-paths.ts';

/** The configuration of a command. */
export async function configured(options: Common & ToolOptions): Promise<Configuration> {
  const configuration = await loadConfiguration(process.env, options);
  if (configuration.ignored !== undefined) tell(ignoredSentence(configuration.ignored));
  return configuration;
}

/** The configuration of a command that serves. It says itself what it runs with, once nothing keeps it from starting. */
export const configuredToServe = (options: Common & ToolOptions): Promise<Configuration> =>
  loadConfiguration(process.env, options);

/** Says on stderr what a start runs with. */
export const tellStart = (configuration: Configuration): void => tell(startLine(configuration));

/** Does one piece of work with a running Purser, and closes it. */
export async function withPurser<T>(configuration: Configuration, work: (running: Running) => Promise<T>): Promise<T> {
  const { compose } = await import('./compose.ts');
  const running = await compose(configuration);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
}

/** For commands that look at what was done: a misspelt folder must not look like one where nothing was. */
export function demandLedger(configuration: Configuration): void {
  if (configuration.databaseUrl !== undefined || isThere(ledgerFile(configuration))) return;
  throw new BadConfiguration(
    `There is no ledger of the environment "${configuration.environment}" in ${configuration.data}: correct --data, PURSER_DATA or PURSER_ENVIRONMENT.`,
  );
}

/** Who decides at this command: whoever the operating system says is there. */
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

/** A failure inside, told to the operator: its kind and its sentence, no stack. */
export const failed = (failure: unknown): void =>
  tell(failure instanceof Error ? `${failure.name}: ${failure.message}` : 'something unknown went wrong inside.');

/** Calls back once when the operating system asks this process to end. */
export function onStop(stop: () => void): void {
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

/** Tells the operator where the audit chain ends: kept elsewhere, it shows whether the file was rewritten later. */
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

/** The last rows of the audit chain, of all tenants, newest first. */
export async function lastRows(ledger: Ledger, limit: number): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const tenant of await ledger.tenants())
    rows.push(...(await ledger.transaction(tenant, (tx) => tx.audit.list({ limit }))).rows);
  return rows.toSorted((one, other) => other.seq - one.seq).slice(0, limit);
}
