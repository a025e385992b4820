import type { JsonObject } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { DamagedRow } from './ledger.ts';

/** The text a JSON column holds. */
export function toText(value: JsonObject | null): string | null {
  return value === null ? null : canonicalJson(value);
}

/** The JSON of a column. Throws DamagedRow, without quoting it, where the text is none. */
export function fromText(text: string): JsonObject {
  try {
    // Only canonical texts of objects are ever written to these columns.
    return JSON.parse(text) as JsonObject;
  } catch {
    throw new DamagedRow('A row of the ledger holds no JSON where it must: restore the last backup.');
  }
}
