import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { isThere, UnsafeFile } from '../../../src/files/check.ts';
import { filesUnder as everythingUnder, readText } from '../../../src/files/read.ts';
import type { Catalogue } from './catalogue.ts';
import { BadScenario, badScenario, type Fault, type Places, placesIn } from './faults.ts';
import { type Loaded, nameFaults, togetherFaults } from './names.ts';
import { packagedPath } from './packaged.ts';
import { type Fixture, fixtureSchema, scenarioSchema } from './schema.ts';
import { schemaFaults } from './schema-faults.ts';

export type { Loaded } from './names.ts';

/** Loads every scenario file under the paths, in order of name. Throws BadScenario with every fault of every file. */
export async function loadScenarios(paths: readonly string[], catalogue: Catalogue): Promise<readonly Loaded[]> {
  const files = paths.flatMap((path) => filesUnder(packagedPath(path)));
  if (files.length === 0)
    throw badScenario(
      paths.join(', '),
      [],
      `there is no scenario here. Scenarios are files that end in ${endings.join(', ')}; code exports them.`,
    );
  const read = await Promise.all([...new Set(files)].map(readScenarios));
  const loaded = read.flatMap((it) => it.loaded);
  const places = new Map(read.flatMap(({ file, places: its }) => (its === undefined ? [] : [[file, its] as const])));
  const faults = [
    ...read.flatMap((it) => it.faults),
    ...loaded.flatMap((it) => nameFaults(it, catalogue)).map((fault) => placed(fault, places)),
  ];
  // What a file says of others counts once each of them can be read.
  const all = faults.length > 0 ? faults : togetherFaults(loaded, twinBeside).map((fault) => placed(fault, places));
  if (all.length > 0) throw new BadScenario(inOrder(all, files));
  return loaded;
}

/** As somebody who mends them goes through the files. */
const inOrder = (faults: readonly Fault[], files: readonly string[]): readonly Fault[] =>
  faults.toSorted(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) ||
      (one.place?.line ?? 0) - (other.place?.line ?? 0) ||
      (one.place?.column ?? 0) - (other.place?.column ?? 0),
  );

const placed = (fault: Fault, places: ReadonlyMap<string, Places>): Fault => ({
  ...fault,
  place: fault.place ?? places.get(fault.file)?.(fault.path),
});

/** Reads a fixture file. */
export function loadFixture(folder: string, name: string): Fixture {
  const file = join(packagedPath(folder), `${name}.yaml`);
  if (!isThere(file)) throw badScenario(file, ['world', 'fixture'], 'there is no such fixture.');
  return loadYaml(fixtureSchema, file);
}

/** Reads a YAML or JSON file by a schema, with at most so many aliases. Throws BadScenario. */
export function loadYaml<S extends z.ZodType>(schema: S, file: string, maxAliasCount = 0): z.output<S> {
  const { value, places } = readYaml(file, maxAliasCount);
  return parsed(schema, value, file, places);
}

/** JSON is YAML, so one reader takes both. */
const dataEndings: readonly string[] = ['.yaml', '.yml', '.json'];
const data = `${dataEndings.slice(0, -1).join(', ')} or ${dataEndings.at(-1)}`;
const endings: readonly string[] = [...dataEndings, '.ts', '.js', '.mjs'];

function filesUnder(path: string): readonly string[] {
  const found = everythingUnder(path);
  if (found === undefined) throw badScenario(path, [], 'there is no such file or folder.');
  if (found === 'file') return [path];
  return found
    .filter((file) => endings.includes(extname(file)) && !/(?:^|[\\/])node_modules[\\/]/.test(file))
    .toSorted()
    .map((file) => join(path, file))
    .filter(mayHoldScenarios);
}

/** Whether a file may hold scenarios. A module that exports nothing is something else, such as the server beside them, and isn't run. */
function mayHoldScenarios(file: string): boolean {
  if (dataEndings.includes(extname(file))) return true;
  try {
    return /\bexports?\b/.test(textOf(file));
  } catch (error) {
    if (error instanceof BadScenario) return true; // its faults are reported when it is read
    throw error;
  }
}

/** What a file holds, or what is wrong with it. */
interface Read {
  readonly file: string;
  readonly loaded: readonly Loaded[];
  readonly faults: readonly Fault[];
  readonly places?: Places | undefined;
}

async function readScenarios(file: string): Promise<Read> {
  try {
    if (dataEndings.includes(extname(file))) return readData(file);
    const given = Object.values(await exportsOf(file)).flat();
    if (given.length === 0) throw badScenario(file, [], 'it exports no scenario.');
    const loaded = given.map((it) => ({ scenario: parsed(scenarioSchema, it, file), file }));
    return { file, loaded, faults: [] };
  } catch (error) {
    if (!(error instanceof BadScenario)) throw error;
    return { file, loaded: [], faults: error.faults };
  }
}

function readData(file: string): Read {
  const { value, places } = readYaml(file, 0);
  const scenario = parsed(scenarioSchema, named(value, file), file, places);
  if (basename(file, extname(file)) === scenario.id) return { file, loaded: [{ scenario, file }], faults: [], places };
  const because = `the file must be named after it: ${scenario.id}${extname(file)}.`;
  return { file, loaded: [], faults: [{ file, path: ['id'], because, place: places(['id']) }] };
}

/** What a file says, with the file's name as its id where it has none. */
const named = (given: unknown, file: string): unknown =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? { id: basename(file, extname(file)), ...given }
    : given;

/** A module's exports. Errors that it throws on import are errors of the file. */
async function exportsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new BadScenario(error.issues.map(({ path, message }) => ({ file, path, because: message })));
    const kind = endings.includes(extname(file)) ? '' : `it is taken for a module, as it doesn't end with ${data}: `;
    throw badScenario(file, [], `${kind}${told(error)}`, { cause: error });
  }
}

const told = (error: unknown): string => (error instanceof Error ? error.message : 'it throws.');

function textOf(file: string): string {
  try {
    return readText('scenario', file);
  } catch (error) {
    if (error instanceof UnsafeFile) throw badScenario(file, [], error.message, { cause: error });
    throw error;
  }
}

/** What to do about a fault that says it only in terms of YAML. */
const hintOf = (message: string): string =>
  message.startsWith('Nested mappings are not allowed') ? ' Put a text with a colon in it in quotation marks.' : '';

/** Parses a YAML or JSON file. Throws BadScenario for duplicate keys or invalid syntax. */
function readYaml(file: string, maxAliasCount: number): { readonly value: unknown; readonly places: Places } {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, uniqueKeys: true, version: '1.2' });
  const at = (offset: number): Fault['place'] => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults = document.errors.map(
    ({ message, pos: [offset] }): Fault => ({
      ...{ file, path: [], place: at(offset) },
      because: `${(message.split('\n')[0] ?? 'no YAML').replace(/ at line \d+, column \d+:?$/, '.')}${hintOf(message)}`,
    }),
  );
  if (faults.length > 0) throw new BadScenario(faults);
  const places = placesIn(document, lines);
  if (maxAliasCount === 0) {
    const aliases: Fault[] = [];
    visit(document, {
      Alias: (_, { source, range }) => {
        const because = `an alias (*${source}) is not allowed: write the value itself.`;
        aliases.push({ file, path: [], because, place: at(range?.[0] ?? 0) });
      },
    });
    if (aliases.length > 0) throw new BadScenario(aliases);
  }
  try {
    return { value: document.toJS({ maxAliasCount }), places };
  } catch (error) {
    throw badScenario(file, [], told(error), { cause: error }); // an alias, which could expand without bound
  }
}

function parsed<S extends z.ZodType>(schema: S, given: unknown, file: string, places?: Places): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const faults = schemaFaults(schema, given, read.error);
  throw new BadScenario(faults.map((it) => ({ ...it, file, place: places?.(it.path) })));
}

/** A twin outside the selected paths, in the same folder. */
function twinBeside(file: string, id: string): Loaded | undefined {
  const path = dataEndings.map((ending) => join(file, '..', `${id}${ending}`)).find(isThere);
  if (path === undefined) return undefined;
  const { value, places } = readYaml(path, 0);
  return { scenario: parsed(scenarioSchema, named(value, path), path, places), file: path };
}
