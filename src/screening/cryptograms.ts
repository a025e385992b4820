/** A token cryptogram: twenty bytes in Base64 with the alphabet + and /, whose last character has only four bits. */
export const cryptogram = /(?<![\w+/-])[A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=(?!=)/;

/** Without padding, in the URL alphabet or in hex, twenty bytes look like many ids, so a name must precede them. */
const namedCryptogram =
  /\b(?:cryptogram(?:me)?|[acdt]avv|aav|aevv|ucaf)\b.{0,40}?(?:(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])|(?<![\w+/-])[\w+/-]{26}[AEIMQUYcgkosw048](?![\w+/-]))/is;

/** Whether a text contains a cryptogram. */
export const holdsCryptogram = (text: string): boolean => cryptogram.test(text) || namedCryptogram.test(text);
