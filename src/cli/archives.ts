import { z } from 'zod';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { isThere } from '../files/check.ts';
import { readText } from '../files/read.ts';
import { writeNew } from '../files/write.ts';
import { GENESIS_LINK, type Link, linkFault } from '../ledger/chain.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditRow } from '../ledger/rows.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';

// An archive is a file of audit rows in chain order, one per line, linked by their hashes as in the ledger.

const shape = z.strictObject({
  seq: z.int(),
  tenant: z.string(),
  operationId: z.string().nullable(),
  event: z.string(),
  body: z.record(z.string(), z.json()),
  at: z.number(),
  previousHash: z.string(),
  hash: z.string(),
});

export interface Archive {
  readonly file: string;
  readonly digest: string;
  readonly rows: readonly AuditRow[];
}

/**
 * Writes the ledger's rows after `start` up to a given row, within an archive's size. False if there are no such rows.
 */
export async function writeArchive(
  ledger: Ledger,
  file: string,
  isWanted: (row: AuditRow) => boolean,
): Promise<boolean> {
  const lines: string[] = [];
  let { seq } = await ledger.archive.start();
  for (let bytes = 0, more = true; more; ) {
    const rows = await ledger.archive.rows(seq, limits.archiveStepRows);
    more = rows.length > 0;
    for (const row of rows) {
      const line = `${canonicalJson({ ...row })}\n`;
      bytes += Buffer.byteLength(line);
      more &&= isWanted(row) && bytes <= limits.archiveBytes;
      if (!more) break;
      lines.push(line);
      seq = row.seq;
    }
  }
  if (lines.length > 0) checkedFile(() => writeNew('archive', file, lines.join('')));
  return lines.length > 0;
}

/** Reads an archive and checks that its rows follow each other. Throws BadConfiguration. */
export function readArchive(file: string): Archive {
  const text = checkedFile(() => readText('archive', file));
  const rows = text.split('\n').slice(0, -1).map(parsed);
  const [first] = rows;
  if (first === undefined) throw notAnArchive(file);
  let last: Link = { seq: first.seq - 1, hash: first.previousHash };
  for (const row of rows) {
    if (linkFault({ ...row, body: canonicalJson(row.body) }, last) !== undefined)
      throw notAnArchive(file, last.seq + 1);
    last = row;
  }
  return { file, digest: sha256(text), rows };

  function parsed(line: string): AuditRow {
    try {
      return shape.parse(JSON.parse(line)) as AuditRow;
    } catch {
      throw notAnArchive(file);
    }
  }
}

export const hasArchive = (file: string): boolean => isThere(file);

/**
 * The first fault in the archives of a verified ledger; undefined if they hold every row before the ledger's first one,
 * in one unbroken chain. Throws BadConfiguration if one of them was not named, which says nothing of the ledger.
 */
export async function archivesFault(ledger: Ledger, archives: readonly Archive[]): Promise<string | undefined> {
  const start = await ledger.archive.start();
  const records = [...(await ledger.archive.records()), ...archives.flatMap(({ rows }) => rows)];
  const digests = new Set(archives.map(({ digest }) => digest));
  const changed = records.find((it) => isArchival(it) && !digests.has(String(it.body.file)) && overlaps(archives, it));
  if (changed !== undefined)
    return `The archive of rows up to ${changed.body.through} was changed: its SHA-256 is not ${changed.body.file}.`;
  let last: Link = GENESIS_LINK;
  for (const { file, rows } of archives.toSorted((one, other) => firstOf(one) - firstOf(other))) {
    const next = rows.find(({ seq }) => seq === last.seq + 1);
    if (next === undefined && (rows.at(-1)?.seq ?? 0) > last.seq) throw notNamed(last.seq + 1, firstOf({ rows }) - 1);
    if (next === undefined) continue; // the files before hold all of it
    if (next.previousHash !== last.hash) return `Row ${next.seq} of ${file} does not follow the row before it.`;
    const end = rows.at(-1);
    if (end !== undefined) last = { seq: end.seq, hash: end.hash };
  }
  if (last.seq < start.seq) throw notNamed(last.seq + 1, start.seq);
  const joins = archives.some(({ rows }) => rows.some(({ seq, hash }) => seq === start.seq && hash === start.hash));
  return start.seq > 0 && !joins
    ? `The archives do not join the ledger, whose first row is ${start.seq + 1}.`
    : undefined;
}

const isArchival = ({ event }: AuditRow): boolean => event === 'archived';

/** Whether an archive has a row that a record says was archived. */
const overlaps = (archives: readonly Archive[], { body: { first, through } }: AuditRow): boolean =>
  archives.some(({ rows }) => rows.some(({ seq }) => seq >= Number(first) && seq <= Number(through)));

const notNamed = (first: number, last: number) =>
  new BadConfiguration(
    `${first === last ? `Row ${first} is` : `Rows ${first} to ${last} are`} in no archive that was named: name all of them, such as "--archive one.jsonl two.jsonl".`,
  );

const firstOf = ({ rows }: Pick<Archive, 'rows'>): number => rows[0]?.seq ?? 0;

const notAnArchive = (file: string, row?: number) =>
  new BadConfiguration(
    row === undefined
      ? `${file} is not an archive of the audit: name a file that "purser audit archive" wrote.`
      : `${file} is not what was archived: row ${row} does not fit.`,
  );
