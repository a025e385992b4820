import { limits } from '../core/limits.ts';

/**
 * The message about arguments that a tool doesn't have: their names if these are plain words, the closest known name,
 * or all names if they are few. A name is the caller's own text and may be a secret, so only plain words are repeated.
 */
export function unknownArgument(
  keys: readonly string[],
  { of, has, meant }: { readonly of: string; readonly has: readonly string[]; readonly meant: readonly string[] },
): string {
  const named = keys.filter(isPlain).slice(0, limits.unknownArgumentElements).map(quoted);
  const which = named.length === 0 ? 'argument of that name' : `argument ${named.join(' or ')}`;
  return [
    `${of} has no ${which}.`,
    ...(meant.length === 0 ? [] : [`Did you mean ${meant.map(quoted).join(' and ')}?`]),
    taken(has),
  ].join(' ');
}

function taken(has: readonly string[]): string {
  if (has.length === 0) return 'The tool has no arguments.';
  return has.length > limits.listedArgumentElements ? 'Its schema lists its arguments.' : `It takes ${has.join(', ')}.`;
}

const quoted = (name: string): string => `"${name}"`;

/** One to four words of letters, in snake case or camel case: no digits, and nothing that could be a passphrase. */
export const isPlain = (name: string): boolean =>
  /^[A-Za-z][a-z]{0,14}(?:(?:_|(?=[A-Z]))[A-Za-z][a-z]{0,14}){0,3}$/.test(name);
