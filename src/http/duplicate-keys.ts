/**
 * Whether an object in a JSON text has a property twice. Parsers disagree about which of the two counts, so a person may have read
 * another decision than the one that is taken. JSON is YAML, whose parser notices; it is loaded only where a person decides.
 */
export async function hasDuplicateKeys(text: string): Promise<boolean> {
  const { parseDocument } = await import('yaml');
  return parseDocument(text, { uniqueKeys: true }).errors.some(({ code }) => code === 'DUPLICATE_KEY');
}
