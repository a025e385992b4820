import { StaleRow } from './errors.ts';

/** The row that a compare-and-set wrote. Throws StaleRow if its version has changed. */
export function requireWritten<Row>(written: Row | undefined, what: string): Row {
  if (written === undefined) throw new StaleRow(`The ${what} was changed concurrently: read it again.`);
  return written;
}

/** The row that an insert wrote. */
export function requireInserted<Row>(written: Row | undefined): Row {
  if (written === undefined) throw new Error('An insert must return its row.');
  return written;
}

/** A row after a change, with its next version. Undefined values change nothing. */
export function nextVersion<Row extends { readonly version: number }>(row: Row, change: Partial<Row>): Row {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...row, ...given, version: row.version + 1 };
}

/** Throws if a change touches an immutable column. */
export function refuseImmutable<Row extends object>(
  row: Row,
  change: Partial<Row>,
  fixed: readonly (keyof Row)[],
): void {
  const touched = fixed.filter((column) => column in change && change[column] !== row[column]);
  if (touched.length > 0) throw new Error(`These columns never change: ${touched.join(', ')}.`);
}
