/** The first place at which two values differ. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** A number, or a text that is nothing but one as people write it: `25`, `25.0` and `"25.00"` are equal. */
const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/;

/** A value with its numbers in one form. Ids keep their zeros. */
function normalised(value: unknown): unknown {
  if (typeof value === 'number') return plain(String(value));
  return typeof value === 'string' && number.test(value) ? plain(value) : value;
}

const plain = (text: string): string => {
  const short = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return short === '-0' ? '0' : short;
};

/** Compares as canonical JSON does: members in any order, an absent member as null. Undefined where nothing differs. */
export function difference(expected: unknown, found: unknown, path = ''): Difference | undefined {
  if (isTree(expected) && isTree(found) && Array.isArray(expected) === Array.isArray(found)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].toSorted();
    for (const name of names) {
      const deeper = difference(own(expected, name), own(found, name), path === '' ? name : `${path}.${name}`);
      if (deeper !== undefined) return deeper;
    }
    return undefined;
  }
  return (normalised(expected) ?? null) === (normalised(found) ?? null) ? undefined : { path, expected, found };
}

/** Every place at which two values differ, whole things where one of them is not there. */
export function differences(
  before: unknown,
  after: unknown,
  path: string,
): readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[] {
  if (!isTree(before) || !isTree(after))
    return (normalised(before) ?? null) === (normalised(after) ?? null)
      ? []
      : [{ path, before: before ?? null, after: after ?? null }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => differences(own(before, name), own(after, name), `${path}.${name}`));
}

export const told = ({ path, expected, found }: Difference): string =>
  `${path === '' ? 'it' : path} is ${JSON.stringify(found ?? null)}, and should be ${JSON.stringify(expected ?? null)}`;

/** Both values, to be shown side by side, and what there is where one is not there. */
export const sidesOf = (
  { expected, found }: Difference,
  lacking = '',
): { readonly expected: string; readonly found: string } => ({
  expected: JSON.stringify(expected ?? null),
  found: `${JSON.stringify(found ?? null)}${lacking === '' ? '' : `:${lacking}`}`,
});

/** Names after which a list is cut off. Own choice: a line or two of a terminal. */
const mostNames = 12;

const listed = (names: readonly string[]): string =>
  names.length === 0
    ? 'nothing'
    : `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ` and ${names.length - mostNames} more` : ''}`;

/** Where a path leaves what there is, and what there is instead; empty where it leads to something. */
export function absence(tree: unknown, path: string, whole: string): string {
  const steps = path.split('.');
  for (let length = 0; length < steps.length; length += 1) {
    const found = at(tree, steps.slice(0, length).join('.'));
    const name = steps[length] ?? '';
    if (!isTree(found)) return '';
    if (Object.hasOwn(found, name)) continue;
    const of = length === 0 ? whole : steps.slice(0, length).join('.');
    if (Array.isArray(found))
      return ` ${of} has ${found.length === 0 ? 'no items' : `items 0 to ${found.length - 1}`}.`;
    return ` ${of} has no ${name}; it has ${listed(Object.keys(found))}.`;
  }
  return '';
}

// An array is a tree of its places.
/** A member that is a value's own: every object inherits a `constructor`, which nobody answered. */
const own = (tree: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(tree, name) ? tree[name] : undefined;

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The value at a dotted path. A name may have dots itself, as those of files do: the longest one that there is counts. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  if (!isTree(value)) return undefined;
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end);
    if (Object.hasOwn(value, name)) return end === path.length ? value[name] : at(value[name], path.slice(end + 1));
  }
  return undefined;
}
