import { type Document, isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';

// What is wrong with scenario files, and where.

export type Path = readonly PropertyKey[];

/** One thing that is wrong, and the path to it. */
export interface PathFault {
  readonly path: Path;
  readonly because: string;
}

/** One thing that is wrong with a file. */
export interface Fault extends PathFault {
  readonly file: string;
  /** Where it is in the file, from 1 on; unknown in a module. */
  readonly place?: Place | undefined;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Faults that a message lists at most. Own choice: about a screen. */
const mostListed = 40;

/** Invalid scenario files: each fault with file, line, path and what to do. The command ends with code 3. */
export class BadScenario extends Error {
  override readonly name = 'BadScenario';
  readonly faults: readonly Fault[];
  /** Those of the first fault. */
  readonly file: string;
  readonly path: string;
  constructor(faults: readonly Fault[], options?: ErrorOptions) {
    super(messageOf(faults), options);
    this.faults = faults;
    this.file = faults[0]?.file ?? '';
    this.path = dotted(faults[0]?.path ?? []);
  }
}

/** A file with one fault. */
export const badScenario = (file: string, path: Path, because: string, options?: ErrorOptions): BadScenario =>
  new BadScenario([{ file, path, because }], options);

function messageOf(faults: readonly Fault[]): string {
  const [first] = faults;
  if (first === undefined) return 'The scenario is invalid.';
  if (faults.length === 1) return lineOf(first);
  const files = new Set(faults.map(({ file }) => file)).size;
  const more = faults.length - mostListed;
  return [
    `${faults.length} faults in ${files === 1 ? first.file : `${files} scenario files`}:`,
    ...faults.slice(0, mostListed).map((fault) => `  ${lineOf(fault)}`),
    ...(more > 0 ? [`  … and ${more} more.`] : []),
  ].join('\n');
}

/** `file:line:column`, as editors and terminals open it. */
function lineOf({ file, place, path, because }: Fault): string {
  const where = place === undefined ? file : `${file}:${place.line}:${place.column}`;
  return [...(where === '' ? [] : [where]), ...(path.length === 0 ? [] : [dotted(path)]), because].join(': ');
}

const dotted = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

/** Finds where a path is in a YAML document; where it leads nowhere, as far as it goes. */
export const placesIn =
  (document: Document, lines: LineCounter) =>
  (path: Path): Place => {
    let node: unknown = document.contents;
    let offset = startOf(node) ?? 0;
    for (const step of path) {
      const found = memberOf(node, step);
      if (found === undefined) break;
      offset = startOf(found.at) ?? offset;
      node = found.value;
    }
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

export type Places = ReturnType<typeof placesIn>;

function memberOf(node: unknown, step: PropertyKey): { readonly at: unknown; readonly value: unknown } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return item === undefined ? undefined : { at: item, value: item };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(step));
  return pair && { at: pair.key, value: pair.value };
}

const startOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0];
