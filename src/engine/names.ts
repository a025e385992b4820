/** The same value with every text in Unicode's compatibility form (NFKC), so that what looks alike is alike. */
export function normalised(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFKC');
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, normalised(member)]));
}

/** Scripts whose letters are taken for each other's. */
const lookalikes = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

/** Whether a word of a name mixes alphabets that look alike: "Аmazing" with a Cyrillic A. */
export const mixesAlphabets = (name: string): boolean =>
  name.split(/[^\p{L}\p{M}]+/u).some((word) => lookalikes.filter((script) => script.test(word)).length > 1);

/** The host of an address as it really is: letters beyond ASCII in their xn-- form. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : 'unknown');

/** Lines for the approver about a name that deserves a second look. */
export const lookCloser = (name: string): readonly string[] =>
  mixesAlphabets(name) ? [`Look closely: "${name}" mixes letters of different alphabets.`] : [];
