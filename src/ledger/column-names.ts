/** The name of a column in the database: snake case. */
export const snakeCase = remembered((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** The name of a column in code: camel case. */
export const camelCase = remembered((name) =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);

/** The same names come again and again, and there are few. */
function remembered(change: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const changed = known.get(name) ?? change(name);
    known.set(name, changed);
    return changed;
  };
}
