import { StaleRow } from './errors.ts';

/** The row a compare-and-set wrote; throws StaleRow where it found none with the version that was read. */
export function requireWritten<Row>(written: Row | undefined, what: string): Row {
  if (written === undefined) throw new StaleRow(`The ${what} was changed by somebody else meanwhile: read it again.`);
  return written;
}

/** A row after a change, in its next version. What is undefined stays as it was. */
export function nextVersion<Row extends { readonly version: number }>(row: Row, change: Partial<Row>): Row {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...row, ...given, version: row.version + 1 };
}

/** Throws where a change touches a column that must stay what it was when the row was made. */
export function refuseImmutable<Row extends object>(
  row: Row,
  change: Partial<Row>,
  fixed: readonly (keyof Row)[],
): void {
  const touched = fixed.filter((column) => column in change && change[column] !== row[column]);
  if (touched.length > 0) throw new Error(`These columns never change: ${touched.join(', ')}.`);
}
