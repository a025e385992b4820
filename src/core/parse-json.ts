/**
 * JSON from outside. A text that somebody cut within a character ends with U+FFFD, as it would in UTF-8: half a character can
 * neither be stored nor sent on. Throws a SyntaxError, which quotes the text, for what is no JSON.
 */
export const parseJson = (text: string): unknown => JSON.parse(text, halfCharacter.test(text) ? whole : undefined);

/** JSON can write half of a character only as an escape. */
const halfCharacter = /\\u[dD][89a-fA-F]/;

function whole(_: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toWellFormed(), member]));
}
