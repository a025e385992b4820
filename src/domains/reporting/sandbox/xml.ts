/** A start tag with its attributes. */
export const startTag = (name: string, attributes: Readonly<Record<string, string>> = {}): string =>
  `<${name}${Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`)
    .join('')}>`;

/** An element that has text alone. */
export const textElement = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers turn a line break in an attribute into a space, and CR LF into LF.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** A text without characters that XML 1.0 can't have, with entities for those that mean something. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML can't have
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"\n\r\t]/g, (sign) => entities[sign] ?? sign);
