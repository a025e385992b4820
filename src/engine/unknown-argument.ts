import { limits } from '../core/limits.ts';

/**
 * What is said of arguments that a tool doesn't have: their names where these are plain words, the nearest name that it has, or
 * all of them where they are few. A name is the caller's own text and may be anything, a secret among it, so only words of
 * letters are repeated.
 */
export function unknownArgument(
  keys: readonly string[],
  { of, has, meant }: { readonly of: string; readonly has: readonly string[]; readonly meant: string | undefined },
): string {
  const named = keys.filter(isPlain).slice(0, limits.unknownArgumentElements).map(quoted);
  const which = named.length === 0 ? 'argument of that name' : `argument ${named.join(' or ')}`;
  return [
    `${of} has no ${which}.`,
    ...(meant === undefined ? [] : [`Did you mean ${quoted(meant)}?`]),
    taken(has),
  ].join(' ');
}

function taken(has: readonly string[]): string {
  if (has.length === 0) return 'It takes none.';
  return has.length > limits.listedArgumentElements ? 'Its schema lists its arguments.' : `It takes ${has.join(', ')}.`;
}

const quoted = (name: string): string => `"${name}"`;

/** One to four words of letters, in snake case or camel case: no digits, and no run that could be a passphrase. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z][a-z]{0,14}(?:(?:_|(?=[A-Z]))[A-Za-z][a-z]{0,14}){0,3}$/.test(name);
