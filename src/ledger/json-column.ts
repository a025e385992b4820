import type { JsonObject } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { CorruptRow } from './errors.ts';
import type { ObservationRow } from './rows.ts';
import type { StoredObservation } from './tables.ts';

/** The text of a JSON column. */
export function toText(value: JsonObject | null): string | null {
  return value === null ? null : canonicalJson(value);
}

/** The JSON of a column. Throws CorruptRow, without quoting it, if the text is not JSON. */
export function fromText(text: string): JsonObject {
  try {
    // A cast: only canonical texts of objects are written to these columns.
    return JSON.parse(text) as JsonObject;
  } catch {
    throw new CorruptRow('A JSON column of the ledger is not JSON: restore the last backup.');
  }
}

/** Converts a stored observation. */
export const toObservation = parsedOnce(
  ({ checksum: _, ...row }: StoredObservation): ObservationRow => ({ ...row, body: fromText(row.body) }),
);

/** A conversion of stored rows. Neither a row nor its conversion ever changes, so each row is parsed once. */
export function parsedOnce<Stored extends object, Row>(convert: (stored: Stored) => Row): (stored: Stored) => Row {
  const known = new WeakMap<Stored, Row>();
  return (stored) => {
    const row = known.get(stored) ?? convert(stored);
    known.set(stored, row);
    return row;
  };
}
