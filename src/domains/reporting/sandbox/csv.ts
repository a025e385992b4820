// CSV by RFC 4180: lines end with CR LF, and a value with a comma, a quote or a line break is quoted.

/** A value of a record. `exact` values, such as amounts and times that the platform wrote itself, are never changed. */
export interface Cell {
  readonly text: string;
  readonly exact: boolean;
}

/** A record as a line. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvValue).join(',')}\r\n`;

const csvValue = ({ text, exact }: Cell): string => {
  const safe = exact ? text : unformulated(text);
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The signs at which spreadsheets begin a formula, in their full-width forms, too, and those that they skip before one. */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/** A text that no spreadsheet reads as a formula: an apostrophe in front keeps it a text. */
const unformulated = (text: string): string => (formula.test(text) ? `'${text}` : text);
