/**
 * Whether an object in a valid JSON text has a property twice. Parsers disagree about which of the two counts, so a person may have
 * read another decision than the one that is taken. It takes one pass, because anybody may send a customer's link.
 */
export function hasDuplicateKeys(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (token.endsWith(':')) {
      const names = open.at(-1);
      const name = JSON.parse(token.slice(0, -1)) as string; // a string, whose escapes may disguise it
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}

/** A string, with the colon of a property's name, or a brace. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|[{}]/g;

/** The texts of the elements of a valid JSON array; none of any other JSON. */
export function elementsOf(json: string): readonly string[] {
  const found: string[] = [];
  let [levels, from] = [0, 1];
  for (const { 0: token, index } of json.startsWith('[') ? json.matchAll(borders) : []) {
    if (token === '[' || token === '{') levels++;
    else if (token === ']' || token === '}') levels--;
    const isEnd = token === ',' ? levels === 1 : levels === 0;
    if (!isEnd) continue;
    found.push(json.slice(from, index).trim());
    from = index + 1;
  }
  return found.filter((text) => text !== '');
}

/** A string, or what begins, separates or ends values. */
const borders = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;
