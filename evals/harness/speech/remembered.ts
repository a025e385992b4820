/** Texts of which is kept what they say. Own choice: a few megabytes for each kind of thing that is said. */
const mostKept = 20_000;

/**
 * The same function, which works out once what a text says: many graders ask the same of each clause, and the same replies recur in run
 * after run.
 */
export function remembered<More extends readonly number[], T>(
  find: (text: string, ...more: More) => T,
): (text: string, ...more: More) => T {
  const kept = new Map<string, { readonly found: T }>();
  return (text, ...more) => {
    const key = more.length === 0 ? text : `${more.join(' ')} ${text}`;
    const known = kept.get(key);
    if (known !== undefined) return known.found;
    const found = find(text, ...more);
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, { found });
    return found;
  };
}
