// The difference between two goldens in words: what stood where, and what stands there now.

/** One thing that a golden says, and under which headings. */
interface Item {
  readonly under: string;
  readonly text: string;
}

/** What differs at one place. */
export interface Turn {
  readonly at: string;
  readonly says: string;
  /** What stood there and what stands there now; empty where nothing does. */
  readonly was: string;
  readonly is: string;
}

/** What differs, in the order of the text. */
export function turnsBetween(before: string, after: string): readonly Turn[] {
  const [was, is] = [itemsOf(before), itemsOf(after)];
  const [first, last] = sameEnds(was.map(keyOf), is.map(keyOf));
  const [old, now] = [was.slice(first, was.length - last), is.slice(first, is.length - last)];
  const kept = common(old.map(keyOf), now.map(keyOf));
  const gone = old.filter((_, index) => !kept.was.has(index));
  const come = now.filter((_, index) => !kept.is.has(index));
  const left = new Set(gone);
  const places = Map.groupBy(gone, placeOf);
  const turns = come.map((item): Turn => {
    const earlier = places.get(placeOf(item))?.shift();
    if (earlier !== undefined) left.delete(earlier);
    if (earlier === undefined) return { at: item.under, says: `new: ${item.text}`, was: '', is: item.text };
    const name = nameOf(item.text);
    const says = `${name} was ${restOf(earlier.text)}, is ${restOf(item.text)}`;
    return { at: item.under, says, was: earlier.text, is: item.text };
  });
  return [
    ...turns,
    ...[...left].map(({ under, text }): Turn => ({ at: under, says: `gone: ${text}`, was: text, is: '' })),
  ];
}

const keyOf = ({ under, text }: Item): string => `${under}\n${text}`;

/** Where an item stands: under which headings, and by what name. */
const placeOf = ({ under, text }: Item): string => `${under}\n${nameOf(text)}`;

/** The label of a member, or its first word where it has none. */
const nameOf = (text: string): string => /^(?:\| )?[^":{[]+(?=: )/.exec(text)?.[0] ?? text.split(' ', 1)[0] ?? '';
const restOf = (text: string): string => text.slice(nameOf(text).length).replace(/^:? /, '');
/** A label before labelled members. What has a comma before its colon is a member, and another one follows it. */
const headed = /^([^":{[|>]+): ((?:[^":{[,]+): .+)$/;

function itemsOf(golden: string): readonly Item[] {
  const headings: { readonly indent: number; readonly label: string }[] = [];
  return golden.split('\n').flatMap((line): readonly Item[] => {
    const text = line.trimStart();
    if (text === '') return [];
    const indent = line.length - text.length;
    while ((headings.at(-1)?.indent ?? -1) >= indent) headings.pop();
    const under = headings.map(({ label }) => label).join(', ') || 'the run';
    const step = /^(\d+\. [^:]+): (.+)$/.exec(text);
    if (indent === 0 && step?.[1] !== undefined) {
      headings.push({ indent, label: step[1] });
      return [{ under: step[1], text: `outcome: ${step[2]}` }];
    }
    const [, label = text.replace(/:$/, ''), members = text] = headed.exec(text) ?? [];
    const isHeading = text.endsWith(':') || text.startsWith('> ') || members !== text;
    if (isHeading) headings.push({ indent, label });
    if (text.endsWith(':')) return []; // what it is about stands below it, or beside it where it fits on one line
    const of = members === text ? under : within(under, label);
    return membersOf(members).flatMap((member) => partsOf(of, member));
  });
}

const within = (under: string, label: string): string => (under === 'the run' ? label : `${under}, ${label}`);

/** A member that holds labelled members, or a list of such. */
const holding = /^([^":{[|>]+): (\{.+\}|\[\{.+\}\])$/;

/** A member as it would stand on lines of its own, so that how much fits on one line is no difference. */
function partsOf(under: string, text: string): readonly Item[] {
  const [, label, held] = holding.exec(text) ?? [];
  if (label === undefined || held === undefined) return [{ under, text }];
  const inside = membersOf(held.slice(1, -1));
  const [of, parts] = [
    within(under, label),
    held.startsWith('[') ? inside.map((it, at) => `${at + 1}: ${it}`) : inside,
  ];
  return parts.flatMap((part) => partsOf(of, part));
}

/** The members of a line: it is parted at commas that are in no brackets and no quotation. */
function membersOf(text: string): readonly string[] {
  if (text.startsWith('|') || text.startsWith('> ')) return [text];
  const members: string[] = [];
  let [depth, from, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"' && text[at - 1] !== '\\') quoted = !quoted;
    if (quoted) continue;
    if (letter === '{' || letter === '[') depth += 1;
    if (letter === '}' || letter === ']') depth -= 1;
    if (letter === ',' && depth === 0) {
      members.push(text.slice(from, at));
      from = text[at + 1] === ' ' ? at + 2 : at + 1;
    }
  }
  return [...members, text.slice(from)];
}

/** How many items two lists have in common at their beginning, and at their end. */
function sameEnds(one: readonly string[], other: readonly string[]): readonly [first: number, last: number] {
  const shorter = Math.min(one.length, other.length);
  let first = 0;
  while (first < shorter && one[first] === other[first]) first += 1;
  let last = 0;
  while (last < shorter - first && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  return [first, last];
}

/** Pairs that are compared one by one at most. Own choice: some thousand lines that differ, in some tens of megabytes. */
const mostCells = 10_000_000;

/** The places of what stands in both lists, in any order. */
function inCommon(one: readonly string[], other: readonly string[]) {
  const [was, is] = [new Set<number>(), new Set<number>()];
  const places = Map.groupBy(other.keys(), (at) => other[at]);
  for (const [at, key] of one.entries()) {
    const place = places.get(key)?.shift();
    if (place === undefined) continue;
    was.add(at);
    is.add(place);
  }
  return { was, is };
}

/** The places of a longest common part of two lists. */
function common(one: readonly string[], other: readonly string[]) {
  if (one.length * other.length > mostCells) return inCommon(one, other);
  const lengths = one.map(() => new Uint16Array(other.length + 1));
  lengths.push(new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const [row, below] = [lengths[i] as Uint16Array, lengths[i + 1] as Uint16Array]; // both were made above
      row[j] = one[i] === other[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  const [was, is] = [new Set<number>(), new Set<number>()];
  for (let [i, j] = [0, 0]; i < one.length && j < other.length; )
    if (one[i] === other[j]) {
      was.add(i);
      is.add(j);
      i += 1;
      j += 1;
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) i += 1;
    else j += 1;
  return { was, is };
}
