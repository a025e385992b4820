import { freezeOf } from '../../engine/freeze.ts';
import { isThere } from '../../files/check.ts';
import { bytesOf, requireMakeable } from '../../files/database.ts';
import { CorruptRow, LedgerUnavailable } from '../../ledger/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/store.ts';
import { anchorOf, demandFirstAnchor, demandMovable, todoOf, verifyAnchored } from '../anchor.ts';
import { BadConfiguration, checkedFile } from '../bad-configuration.ts';
import type { Configuration } from '../configuration.ts';
import { demandFolder } from '../data-folder.ts';
import { nowhere } from '../folders.ts';
import { accountFault } from '../ledger-account.ts';
import { keyFile, ledgerKey } from '../ledger-key.ts';
import { iso } from '../output.ts';
import { demandWritable, ledgerFile, ledgerPlace, ledgerSchema } from '../storage-paths.ts';
import { accountsOf } from '../tenants.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/**
 * Whether the ledger is writable, has the current tables and verifies, and what in it waits for a person. What a first start creates
 * is not created here: the folder may be a misspelled one.
 */
export async function checkLedger(configuration: Configuration): Promise<readonly Finding[]> {
  const place = configuration.databaseUrl === undefined ? ledgerFile(configuration) : 'in PostgreSQL';
  try {
    if (!(await isMade(configuration, place))) return [beforeTheFirstStart(configuration, place)];
    if (isKeyLost(configuration, place))
      return [
        fail(
          'ledger',
          `its key ${keyFile(configuration)} is missing`,
          'Restore the key from the backup: with another one nothing in the ledger is proven.',
        ),
      ];
    const ledger = await openLedger(ledgerPlace(configuration));
    try {
      return [
        ok('ledger', place),
        await chain(ledger, configuration),
        ...anchor(configuration),
        ...(await asFarAsRead(() => foreign(ledger, configuration))),
        ...(await asFarAsRead(() => halts(ledger))),
        ...(await asFarAsRead(() => unknown(ledger))),
      ];
    } finally {
      await ledger.close();
    }
  } catch (error) {
    if (error instanceof LedgerUnavailable || error instanceof BadConfiguration)
      return [fail('ledger', "can't be used", error.message)];
    throw error;
  }
}

/** Whether there is a ledger already. One in memory is made with each start. */
async function isMade(configuration: Configuration, place: string): Promise<boolean> {
  const { databaseUrl: url, data } = configuration;
  if (url === undefined) return data === nowhere || isThere(place);
  const { hasTables } = await import('../../ledger/postgres.ts'); // a ledger in a file doesn't need the driver
  return hasTables({ url, schema: ledgerSchema(configuration) });
}

/** Throws what a first start would. */
function beforeTheFirstStart(configuration: Configuration, place: string): Finding {
  const { databaseUrl, data, ledgerKeyFile } = configuration;
  if (data !== nowhere) demandFolder(data);
  if (databaseUrl === undefined && isThere(data)) checkedFile(() => requireMakeable('ledger', place));
  const isKeyMade = ledgerKeyFile === undefined && data !== nowhere && !isThere(keyFile(configuration));
  if (!isKeyMade) ledgerKey(configuration);
  demandFirstAnchor(configuration);
  const made = databaseUrl === undefined ? `${place} is` : `the tables ${place} are`;
  const rows = isKeyMade ? 0 : (anchorOf(configuration)?.read()?.seq ?? 0);
  return rows === 0
    ? ok('ledger', `${made} created by the first start`)
    : fail(
        'ledger',
        `${made} missing, and the anchor knows ${rows} rows of a ledger with this key`,
        `Restore that ledger. To begin a new one, which knows none of its payments, start once with "purser mcp --init-anchor" or "purser serve --init-anchor".`,
      );
}

/** An empty file has no rows that a key sealed: a first start was interrupted. */
function isKeyLost(configuration: Configuration, place: string): boolean {
  const { databaseUrl, data, ledgerKeyFile } = configuration;
  if ((ledgerKeyFile === undefined && data === nowhere) || isThere(keyFile(configuration))) return false;
  if (databaseUrl !== undefined) return true;
  demandWritable(place);
  return bytesOf(place) > 0;
}

/** Skips checks that depend on a damaged row: the verification of the ledger already names it. */
async function asFarAsRead(look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof CorruptRow) return [];
    throw error;
  }
}

async function chain(ledger: Ledger, configuration: Configuration): Promise<Finding> {
  const found = await verifyAnchored(ledger, configuration);
  return found.ok
    ? ok('audit chain', `${found.rows} rows, verified`)
    : fail(
        'audit chain',
        found.seq === undefined ? 'whole, but the ledger is damaged' : `broken at row ${found.seq}`,
        `${found.because} ${todoOf(found)}`,
      );
}

/** Whether the anchor can be moved: nothing is sent before it is. */
function anchor(configuration: Configuration): readonly Finding[] {
  try {
    demandMovable(configuration);
    return [];
  } catch (error) {
    if (error instanceof BadConfiguration) return [fail('anchor', "can't be moved, so nothing is sent", error.message)];
    throw error;
  }
}

/** Accounts whose tenants have rows of another account. Purser doesn't start then. */
async function foreign(ledger: Ledger, configuration: Configuration): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const account of accountsOf(configuration)) {
    const fault = await accountFault(configuration, account, ledger);
    if (fault !== undefined) findings.push(fail('account', `not that of the rows of tenant ${account.tenant}`, fault));
  }
  return findings;
}

async function halts(ledger: Ledger): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const tenant of await ledger.tenants()) {
    const since = await freezeOf({ ledger }, tenant);
    if (since === undefined) continue;
    const todo = `${since.body.because} See "purser audit show"; when it is fixed or explained, run "purser audit resume".`;
    findings.push(fail('halt', `tenant ${tenant} is read-only since ${iso(since.at)}`, todo));
  }
  return findings;
}

async function unknown(ledger: Ledger): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const tenant of await ledger.tenants()) {
    const { total } = await ledger.transaction(tenant, (tx) =>
      tx.operations.list({ states: ['UNKNOWN'] }, { limit: 1 }),
    );
    const todo =
      'See "purser operations list --state UNKNOWN", look them up at the platform, and resolve them with "purser operations resolve".';
    if (total > 0) findings.push(warn('operations', `unknown outcomes of tenant ${tenant}: ${total}`, todo));
  }
  return findings;
}
