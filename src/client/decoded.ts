/**
 * A text, and what it says where somebody wrote it in percent signs, entities, JSON escapes, hex or Base64: each of them
 * taken off once. Of hex and Base64 only what decodes to readable text counts; it may begin at any of their places.
 */
export function decodedForms(text: string): readonly string[] {
  const forms = new Set([text, unescaped(text)]);
  for (const [coded] of text.matchAll(hexRun))
    for (const from of [0, 1]) addReadable(forms, Buffer.from(coded.slice(from), 'hex'));
  // Buffer reads both alphabets of Base64.
  for (const [coded] of text.matchAll(base64Run))
    for (const from of [0, 1, 2, 3]) addReadable(forms, Buffer.from(coded.slice(from), 'base64'));
  return [...forms];
}

/** What is shorter holds no code that is named. Own choice. */
const hexRun = /[0-9a-f]{16,}/gi;
const base64Run = /[\w+/-]{11,}/g;
const readable = /[ -~]{8,}/g;

function addReadable(forms: Set<string>, bytes: Buffer): void {
  for (const [found] of bytes.toString('latin1').matchAll(readable)) forms.add(found);
}

/** Runs of percent signs are bytes of UTF-8; what is no character stays as it is. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&nbsp;', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(
      /&#(?:(\d{1,7})|x([0-9a-f]{1,6}));?|\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi,
      (written: string, decimal?: string, ...hex: (string | undefined)[]) => {
        const point =
          decimal === undefined ? Number.parseInt(hex.slice(0, 4).find((it) => it) ?? '', 16) : Number(decimal);
        return point <= 0x10ffff ? String.fromCodePoint(point) : written;
      },
    );
