/** Texts of which is kept what they say. Own choice: a few megabytes for each kind of thing that is said. */
const mostKept = 20_000;

/**
 * The same function, which works out once what a text says: many graders ask the same of each clause, and the same replies recur in run
 * after run.
 */
export function remembered<More extends readonly number[], T>(
  find: (text: string, ...more: More) => T,
): (text: string, ...more: More) => T {
  const kept = new Map<string, Map<string, { readonly found: T }>>();
  return (text, ...more) => {
    const key = more.join(' ');
    const texts = kept.get(key) ?? new Map();
    const known = texts.get(text);
    if (known !== undefined) return known.found;
    const found = find(text, ...more);
    if (texts.size >= mostKept) texts.clear();
    kept.set(key, texts.set(text, { found }));
    return found;
  };
}

/** The same function, which works out once what follows from an object that nobody changes, such as the calls before a reply. */
export function rememberedOf<K extends object, T>(find: (of: K) => T): (of: K) => T {
  const kept = new WeakMap<K, { readonly found: T }>();
  return (of) => {
    const known = kept.get(of) ?? { found: find(of) };
    kept.set(of, known);
    return known.found;
  };
}
