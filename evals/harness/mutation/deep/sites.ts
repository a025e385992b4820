import type { parseSync } from 'oxc-parser';
import { calls } from './calls.ts';
import type { Change, Operator, Place } from './change.ts';
import { conditions } from './conditions.ts';
import { lists } from './lists.ts';
import { isInError, type Range, reachedWith, spotsIn } from './syntax.ts';
import { values } from './values.ts';

/** Parses text into a tree of syntax. It is passed in, because the parser is not a package that Purser brings. */
export type Parse = typeof parseSync;

/** A place of the build where a kind of bug can be put in. */
export interface Site extends Change {
  /** What it does, where somebody wrote it. */
  readonly title?: string;
  readonly operator: string;
  readonly file: string;
  readonly layer: string;
  readonly domain: string;
  /** An expression that runs whenever this place does; undefined if there is none. */
  readonly reach: Range | undefined;
}

const operators: readonly Operator[] = [...conditions, ...lists, ...values, ...calls];

/** One module within a build: the bundler names each in a comment. */
export interface Module extends Range {
  readonly file: string;
}

const heading = /^\/\/ ((?:\.\.\/)*[\w@./-]+\.[cm]?[jt]s)$/gm;

/** The modules of Purser in a build; packages and the harness, which judges, are left out. */
export function modulesIn(build: string): readonly Module[] {
  const all = [...build.matchAll(heading)];
  return all.flatMap(({ index, 1: file = '' }, at) =>
    layerOf(file) === undefined ? [] : [{ file, start: index, end: all[at + 1]?.index ?? build.length }],
  );
}

/**
 * What the evals can judge. Not the command, pages, adapters, files, HTTP and PostgreSQL: a scenario plays in memory, over MCP.
 */
const layers: readonly string[] = ['core', 'domains', 'engine', 'client', 'ledger', 'mcp', 'screening', 'sandbox'];

/**
 * Modules of these layers that neither a scenario nor a session can come to: PostgreSQL, migrations and what only commands do to a ledger; how
 * a process begins over stdio, and the sandbox's own server; and how pages look and what a browser runs on them.
 */
const apart =
  /\/postgres|\/migrations\/|ledger\/(?:archive|reseal)\.ts|mcp\/lazy-stdio|sandbox\/serve\.ts|page-style|tap-page|passkey-script/;

/** The layer of a module; undefined where no bugs are planted. */
export function layerOf(file: string): string | undefined {
  if (apart.test(file)) return undefined;
  if (file.startsWith('tools/')) return 'tools';
  if (!file.startsWith('src/')) return undefined;
  if (file.startsWith('src/domains/') && file.includes('/sandbox/')) return 'sandbox';
  const [, layer = ''] = file.split('/');
  return layers.includes(layer) ? layer : undefined;
}

/** The domain of a module; `all` for what serves every one. */
export const domainOf = (file: string): string => /^(?:tools|src\/domains)\/(\w+)\//.exec(file)?.[1] ?? 'all';

/** Every place of a module where a bug can be planted. */
export function sitesOf(module: Module, build: string, parse: Parse): readonly Site[] {
  const { file, start } = module;
  const source = build.slice(start, module.end);
  const place: Place = { file, source };
  const of = { file, layer: layerOf(file) ?? '', domain: domainOf(file) };
  const { program } = parse('module.js', source, { sourceType: 'module' });
  return [...spotsIn(program)].flatMap((spot) => {
    if (isInError(spot)) return [];
    const found = operators.flatMap(({ name, changes }) => changes(spot, place).map((it) => ({ name, it })));
    if (found.length === 0) return [];
    const reach = reachedWith(spot);
    return found.map(({ name, it }) => ({
      ...{ ...of, operator: name, text: it.text, start: it.start + start, end: it.end + start },
      reach: reach && { start: reach.start + start, end: reach.end + start },
    }));
  });
}

/** The build with one change. */
export const planted = (build: string, { start, end, text }: Change): string =>
  build.slice(0, start) + text + build.slice(end);
