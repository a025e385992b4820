import { freezeOf } from '../../engine/freeze.ts';
import { isThere } from '../../files/check.ts';
import { CorruptRow, LedgerUnavailable } from '../../ledger/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/store.ts';
import { verifyAnchored } from '../anchor.ts';
import { BadConfiguration, type Configuration } from '../config.ts';
import { iso } from '../output.ts';
import { ledgerFile, ledgerPlace, makeFolder } from '../storage-paths.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Whether the ledger can be written, has today's tables, and holds what it held; and what in it waits for a person. */
export async function checkLedger(configuration: Configuration): Promise<readonly Finding[]> {
  const isShared = configuration.databaseUrl !== undefined;
  const place = isShared ? 'in PostgreSQL' : ledgerFile(configuration);
  const isNew = !isShared && !isThere(place);
  try {
    makeFolder(configuration.data);
    const ledger = await openLedger(ledgerPlace(configuration));
    try {
      return [
        ok('ledger', isNew ? `${place}, just made` : place),
        await chain(ledger, configuration),
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

/** A damaged row is named by the look at the whole ledger, so what else depends on it has nothing to add. */
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
    ? ok('audit chain', `${found.rows} rows hold together`)
    : fail(
        'audit chain',
        found.seq === undefined ? 'whole, but the ledger is damaged' : `broken at row ${found.seq}`,
        `${found.because} Keep the file and restore the last backup.`,
      );
}

async function halts(ledger: Ledger): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const tenant of await ledger.tenants()) {
    const since = await freezeOf({ ledger }, tenant);
    if (since === undefined) continue;
    const todo = `${since.body.because} See "purser audit show"; when it is mended or explained, "purser audit resume".`;
    findings.push(fail('halt', `nothing but reading goes on for tenant ${tenant} since ${iso(since.at)}`, todo));
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
      'See "purser operations list --state UNKNOWN", find out, and settle them with "purser operations resolve".';
    if (total > 0) findings.push(warn('operations', `of tenant ${tenant}, with an unknown outcome: ${total}`, todo));
  }
  return findings;
}
