import { unfreeze as goOn } from '../../engine/freeze.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AuditRow } from '../../ledger/rows.ts';
import { openLedger } from '../../ledger/store.ts';
import type { Verdict } from '../../ledger/verification.ts';
import { todoOf, verifyAnchored } from '../anchor.ts';
import { type Archive, archivesFault, readArchive } from '../archives.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import type { Configuration } from '../configuration.ts';
import { exported, formats } from '../export.ts';
import type { Common } from '../options.ts';
import { iso, NotDone, say, sayJson, sayPieces } from '../output.ts';
import { configured, demandLedger, lastRows, personHere, withPurser } from '../session.ts';
import { ledgerPlace } from '../storage-paths.ts';
import { table } from '../table.ts';

/**
 * `purser audit verify`: checks the chain and every row. The printed head, kept elsewhere, reveals a file that was
 * rewritten whole.
 */
export const verify = (options: Common & { readonly archive?: readonly string[] }): Promise<number> =>
  withLedger(options, async (ledger, configuration) => {
    const archives = options.archive?.map(readArchive);
    const ofLedger = await verifyAnchored(ledger, configuration);
    const because = ofLedger.ok && archives !== undefined ? await archivesFault(ledger, archives) : undefined;
    const found: Verdict = because === undefined ? ofLedger : { ok: false, because };
    if (options.json) sayJson(found);
    if (!found.ok && !options.json)
      throw new NotDone(
        `${found.seq === undefined ? 'The ledger is damaged' : `The audit chain is broken at row ${found.seq}`}: ${found.because} ${todoOf(found)}`,
      );
    if (found.ok && !options.json)
      say(`The audit chain holds: ${found.rows} rows, head ${found.head}.${await elsewhere(ledger, archives)}`);
    return found.ok ? 0 : 1;
  });

/** Rows outside the ledger: whether the given archives verify. */
async function elsewhere(ledger: Ledger, archives: readonly Archive[] | undefined): Promise<string> {
  const { seq } = await ledger.archive.start();
  if (seq === 0) return '';
  return archives === undefined
    ? ` Rows 1 to ${seq} are archived: verify them with --archive.`
    : ` Rows 1 to ${seq} are archived, and the archives hold, too.`;
}

/** `purser audit show`: the last rows, newest last. */
export const show = (options: Common & { readonly limit: number }): Promise<number> =>
  withLedger(options, async (ledger) => {
    const rows = (await lastRows(ledger, options.limit)).toReversed();
    if (options.json) sayJson({ rows });
    else if (rows.length === 0) say('The audit is empty.');
    else say(table(rows.map(line), ['ROW', 'TIME', 'EVENT', 'OPERATION', 'WHAT']));
    return 0;
  });

/** `purser audit resume`: allows a tenant's calls again after a person investigated an integrity error. */
export async function resume(options: Common & { readonly note: string }): Promise<number> {
  if (options.note.trim() === '') throw new BadConfiguration('Describe with --note what you found.');
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const done = await goOn(engine.parts, options.note, personHere(configuration.tenant));
    if (!done.ok && done.field !== undefined) throw new BadConfiguration(done.because);
    if (!done.ok) throw new NotDone(done.because);
    if (options.json) sayJson({ tenant: configuration.tenant, resumed: true });
    else say(`Calls of tenant ${configuration.tenant} are allowed again.`);
    return 0;
  });
}

/** `purser audit export`: the rows of every tenant, in chain order. */
export function exportRows(options: Common & { readonly format: string }): Promise<number> {
  const format = formats.get(options.format);
  if (format === undefined) throw new BadConfiguration(`Unknown format ${options.format}: use jsonl or csv.`);
  return withLedger(options, async (ledger) => {
    await sayPieces(exported(ledger, format));
    return 0;
  });
}

async function withLedger(
  options: Common,
  work: (ledger: Ledger, configuration: Configuration) => Promise<number>,
): Promise<number> {
  const configuration = await configured(options);
  demandLedger(configuration);
  const ledger = await openLedger(ledgerPlace(configuration));
  try {
    return await work(ledger, configuration);
  } finally {
    await ledger.close();
  }
}

const line = ({ seq, at, event, operationId, body }: AuditRow): readonly string[] => [
  String(seq),
  iso(at),
  event,
  operationId ?? '',
  JSON.stringify(body),
];
