import { limits } from '../core/limits.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AuditRow } from '../ledger/rows.ts';
import { csvCell } from './csv.ts';

/** A format of `purser audit export`. */
export interface Format {
  readonly head: string;
  readonly row: (row: AuditRow) => string;
}

const fields = ['seq', 'at', 'tenant', 'operationId', 'event', 'body', 'previousHash', 'hash'] as const;

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\n`;

const cells = (row: AuditRow): readonly string[] =>
  fields.map((field) => (field === 'body' ? JSON.stringify(row.body) : String(row[field] ?? '')));

export const formats: ReadonlyMap<string, Format> = new Map([
  ['jsonl', { head: '', row: (row) => `${JSON.stringify(row)}\n` }],
  ['csv', { head: csvLine(fields), row: (row) => csvLine(cells(row)) }],
]);

/**
 * The audit of every tenant as text, in chain order, up to the last row at this moment. Reads page by page, each only
 * when the reader has taken the one before.
 */
export async function* exported(
  ledger: Pick<Ledger, 'head'> & { readonly archive: Pick<Ledger['archive'], 'rows'> },
  { head, row }: Format,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  const end = await ledger.head();
  for (let after = 0; after < end.seq; ) {
    const rows = await ledger.archive.rows(after, limits.archiveStepRows);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows
      .filter(({ seq }) => seq <= end.seq)
      .map(row)
      .join('');
    after = last.seq;
  }
}
