// Answers with the kind of each value in its place, so that answers of many stories can be compared, and none holds a secret.

/** A JSON text with kinds in the place of values; undefined if it is no JSON object or list. */
export function kindsIn(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return kindsOf(JSON.parse(text));
  } catch {
    return undefined; // a fault may have cut it
  }
}

/** A value with the kinds of what is in it. */
export function kindsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kindsOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kindsOf(member)]));
  if (typeof value === 'number')
    return `${value < 0 ? 'negative ' : ''}${Number.isInteger(value) ? 'whole' : 'decimal'}`;
  return typeof value === 'string' ? kindOfText(value) : String(value);
}

/** Kinds of texts; the first that matches counts. Words stand for themselves, because states and codes are words. */
const looks: readonly (readonly [look: RegExp, kind: (text: string) => string])[] = [
  [/^$/, () => 'empty'],
  [/^\d{4}-\d\d-\d\d/, (it) => it.replace(/\d/g, '9')],
  [/^-?\d+\.\d+$/, (it) => `${it.split('.')[1]?.length} decimals`],
  [/^\d{1,7}$/, () => 'digits'],
  [/^\d+$/, (it) => `${it.length} digits`],
  [/^[A-Za-z][A-Za-z_]{0,39}$/, (it) => it],
  [/^[A-Z][A-Z0-9_]{0,19}$/, (it) => it],
  [/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, () => 'a UUID'],
  [/^[\da-f]{16,}$/, (it) => `${it.length} hex digits`],
  [/^(?:https?:\/)?\/\S*$/, addressOf],
  [/^[\w+/-]{16,}=*$/, (it) => `${it.length} letters`],
];

const kindOfText = (text: string): string => looks.find(([look]) => look.test(text))?.[1](text) ?? 'text';

/** An address without its query, and with a star for what names a thing. */
function addressOf(text: string): string {
  const [path = ''] = text.split('?');
  return path
    .split('/')
    .map((step) => (/\d/.test(step) && !/^v\d$/.test(step) ? '*' : step))
    .join('/');
}
