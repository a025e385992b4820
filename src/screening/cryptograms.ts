/** Twenty bytes in Base64, as cryptograms of tokens are: the last character carries but four bits. Cryptograms use the alphabet with + and /. */
export const cryptogram = /(?<![\w+/-])[A-Za-z0-9+/]{26}[AEIMQUYcgkosw048]=(?!=)/;

/** Twenty bytes without padding, in the URL alphabet or in hex look like many an id: they must be named. */
const namedCryptogram =
  /\b(?:cryptogram(?:me)?|[acdt]avv|ucaf)\b.{0,40}?(?:(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])|(?<![\w+/-])[\w+/-]{26}[AEIMQUYcgkosw048](?![\w+/-]))/is;

/** Whether a text holds a cryptogram. */
export const holdsCryptogram = (text: string): boolean => cryptogram.test(text) || namedCryptogram.test(text);
