/**
 * A quoted cell (RFC 4180) that no spreadsheet takes for a formula: an apostrophe stands before a sign that would begin one,
 * be it at the start, behind blanks, or at the start of a line within. Wide forms of the signs count as the signs.
 */
export function csvCell(text: string): string {
  const tame = formula.test(text.normalize('NFKC')) ? `'${text}` : text;
  return `"${tame.replaceAll('"', '""')}"`;
}

const formula = /^[\t\r\n]|(?:^|[\r\n])[\s\p{C}]*[=+\-@]/u;
