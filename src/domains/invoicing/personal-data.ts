// IN-15: personal data in text that must not identify anybody.

/** The kind of personal data in a text; null if there is none. `known`: names and addresses of the customer. */
export function personalIn(text: string, known: readonly string[]): string | null {
  const plain = text.normalize('NFKC');
  const folded = plain.toLowerCase();
  if (known.some((it) => it.trim() !== '' && folded.includes(it.trim().toLowerCase())))
    return "the customer's name or address";
  return marks.find(({ pattern }) => pattern.test(plain))?.says ?? null;
}

const marks: readonly { readonly pattern: RegExp; readonly says: string }[] = [
  { pattern: /[^\s@]{1,64}@[^\s@]{1,190}\.[a-z]{2,}/i, says: 'an e-mail address' },
  { pattern: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/, says: 'a social security number' },
  { pattern: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/, says: 'a bank account number' },
  { pattern: /(?<![\w.])(?:\+|00)\d(?:[ ()./-]{0,2}\d){6,13}(?!\w)/, says: 'a telephone number' },
  { pattern: /(?<![\w.])\(?0\d{2,4}\)?[ ./-]\d(?:[ ./-]?\d){5,9}(?!\w)/, says: 'a telephone number' },
  { pattern: /(?<!\w)\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\w)/, says: 'a telephone number' },
  { pattern: /(?<!\w)(?:born|dob|date of birth)\b/i, says: 'a date of birth' },
];
