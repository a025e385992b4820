import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { isThere } from '../../files/check.ts';
import { realPathOf } from '../../files/read.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AuditRow } from '../../ledger/rows.ts';
import { openLedger } from '../../ledger/store.ts';
import { anchorOf, verifyAnchored } from '../anchor.ts';
import { hasArchive, readArchive, writeArchive } from '../archives.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import type { Configuration } from '../configuration.ts';
import type { Common } from '../options.ts';
import { NotDone, say, sayJson } from '../output.ts';
import { configured, demandLedger } from '../session.ts';
import { ledgerPlace } from '../storage-paths.ts';

interface Chosen extends Common {
  readonly to: string;
  readonly before?: string;
  readonly keep?: number;
}

/**
 * `purser audit archive`: verifies the chain, writes its oldest rows to a file, then removes them from the ledger. If
 * the file exists, an interrupted run continues: exactly the rows that the file holds are removed.
 */
export async function archive(options: Chosen): Promise<number> {
  const before = beforeOf(options);
  const configuration = await configured(options);
  demandNoLedger(options.to, configuration);
  demandLedger(configuration);
  const ledger = await openLedger(ledgerPlace(configuration));
  try {
    await demandAnchored(ledger, configuration);
    const start = await ledger.archive.start();
    const head = await ledger.head();
    if (!hasArchive(options.to)) {
      const last = Math.min(await ledger.archive.lastUnread(), head.seq - (options.keep ?? 1));
      const isWanted = ({ seq, at }: AuditRow) => seq <= last && at < before;
      if (!(await writeArchive(ledger, options.to, isWanted))) return nothing(options);
    }
    const archived = readArchive(options.to);
    const end = archived.rows.at(-1);
    const isNext = (archived.rows[0]?.seq ?? 0) <= start.seq + 1;
    if (end === undefined || end.seq < start.seq || !isNext)
      throw new NotDone(`${options.to} does not hold the oldest rows of this ledger: name another file.`);
    if (end.seq > (await ledger.archive.lastUnread()) && end.seq > start.seq)
      throw new NotDone(`${options.to} holds rows that Purser still needs: name another file.`);
    for (const segment of segmentsOf(archived.rows, start.seq))
      await ledger.archive.remove(configuration.tenant, { through: segment, file: archived.digest, at: Date.now() });
    const anchor = anchorOf(configuration);
    if (anchor !== undefined) await ledger.advanceAnchor(anchor);
    const unread = await ledger.archive.lastUnread();
    // An open operation or a halt keeps more rows than were to stay.
    const held = end.seq === unread && head.seq - end.seq > (options.keep ?? 1) ? { heldFrom: unread + 1 } : {};
    const result = { file: options.to, first: archived.rows[0]?.seq, last: end.seq, sha256: archived.digest, ...held };
    if (options.json) sayJson(result);
    else
      say(
        [
          `Rows ${result.first} to ${result.last} are in ${options.to}. The ledger now begins with row ${end.seq + 1}.`,
          ...('heldFrom' in held
            ? ['From there on it keeps every row: an operation that is still open, or a halt, begins there.']
            : []),
        ].join(' '),
      );
    return 0;
  } finally {
    await ledger.close();
  }
}

/** Refuses to archive a chain that does not verify: it is evidence. */
async function demandAnchored(ledger: Ledger, configuration: Configuration): Promise<void> {
  const found = await verifyAnchored(ledger, configuration);
  if (!found.ok) throw new NotDone(`Nothing was archived: ${found.because} Run "purser audit verify" for details.`);
  const anchor = anchorOf(configuration);
  if (anchor !== undefined && !(await ledger.advanceAnchor(anchor)))
    throw new NotDone('Nothing was archived: the ledger is older than its anchor.');
}

function beforeOf({ before, keep }: Chosen): number {
  if (before === undefined && keep === undefined)
    throw new BadConfiguration('Choose the rows with --before DATE, or with --keep N for all but the last N.');
  if (before === undefined) return Number.POSITIVE_INFINITY;
  const read = moment.safeParse(before);
  if (!read.success)
    throw new BadConfiguration(
      '--before must be a date of the calendar, such as 2026-01-31 (in UTC), or a time with its zone, such as 2026-01-31T09:00:00Z.',
    );
  return Date.parse(read.data);
}

/** One reading alone: a date in UTC, or a time with its zone. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Refuses a file of the data folder that is a ledger, or would be taken for one. */
function demandNoLedger(to: string, { data }: Configuration): void {
  if (!/\.sqlite(?:-wal|-shm|-journal)?$/.test(basename(to)) || folderOf(to) !== folderOf(join(data, 'any'))) return;
  throw new BadConfiguration(`${to} is the place of a ledger: name another file for the archive.`);
}

const folderOf = (file: string): string => {
  const folder = dirname(resolve(file));
  return isThere(folder) ? realPathOf(folder) : folder;
};

function nothing({ json }: Chosen): number {
  if (json) sayJson({ rows: 0 });
  else say('There is nothing to archive: newer rows and rows of open operations stay in the ledger.');
  return 0;
}

/** The ends of bounded segments, including the last row. */
const segmentsOf = (rows: readonly AuditRow[], after: number): readonly AuditRow[] =>
  rows.filter(
    ({ seq }, at) => seq > after && ((seq - after) % limits.archiveSliceRows === 0 || at === rows.length - 1),
  );
