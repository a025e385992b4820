/**
 * A quoted cell (RFC 4180) that spreadsheets don't run as a formula: an apostrophe is put before a character that
 * begins one, at the start of the text or of a line, also after blanks. Full-width forms count too.
 */
export function csvCell(text: string): string {
  const tame = formula.test(text.normalize('NFKC')) ? `'${text}` : text;
  return `"${tame.replaceAll('"', '""')}"`;
}

const formula = /^[\t\r\n]|(?:^|[\r\n])[\s\p{C}]*[=+\-@]/u;
