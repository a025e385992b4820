import { parseDocument } from 'yaml';

/**
 * Whether an object in a JSON text has a property twice. Parsers disagree about which of the two counts, so a person may have read
 * another decision than the one that is taken. JSON is YAML, whose parser notices.
 */
export const hasDuplicateKeys = (text: string): boolean =>
  parseDocument(text, { uniqueKeys: true }).errors.some(({ code }) => code === 'DUPLICATE_KEY');
