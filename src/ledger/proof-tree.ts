import type { Kysely } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { statement } from './statement.ts';
import type { Tables } from './tables.ts';
import type { Anchor } from './verification.ts';

// A hash tree that is as high as its keys are many. A leaf contains the values of all keys with its prefix, until there are
// too many: then it becomes an inner node, which contains the hashes of its children by their last letter, for good. Keys are
// hashes in hex, so the leaves fill evenly. A node's hash covers its name and its keys, so neither kind passes for the other.

/** Letters of the longest name of a node. A leaf there takes any number of keys: some tens for up to a million rows. Own choice. */
const DEPTH = 4;
/** Keys of a leaf above that. Own choice: less is written than with smaller leaves and more nodes above them, or with larger leaves. */
const KEYS_AT_MOST = 16;
/** The row of the sealed root, which is not a node. */
export const HEAD = 'head';
/** The text of an empty node. */
const EMPTY = '{}';

/** What a node contains: the values of keys in a leaf, else the hashes of its children. Its names are in order. */
type Node = { [key: string]: string };
/** The new values of some keys; undefined for one that goes. */
export type Changes = ReadonlyMap<string, string | undefined>;
export interface Head {
  readonly root: string | null;
  /** Rows of each table. */
  readonly counts: { readonly [table: string]: number };
  readonly seal: string;
}

/** The part of the tree above some keys. */
export interface Tree {
  readonly head: Head | undefined;
  /** The hash of the root node; undefined in an empty tree. */
  readonly root: string | null | undefined;
  /** The end of the audit chain when the tree was read. */
  readonly audit: Anchor;
  /** The name of a node that doesn't match the hash above it; undefined if all match. */
  readonly fault: string | undefined;
  /** The value of one of the keys. */
  value(key: string): string | undefined;
  node(name: string): Node;
}

/** The names of all nodes that can be above a key, the root first. */
const pathOf = (key: string): readonly string[] =>
  Array.from({ length: DEPTH + 1 }, (_, length) => key.slice(0, length));

/** Names of children are letters, and keys are longer. */
function isInner(node: Node): boolean {
  for (const name in node) return name.length === 1;
  return false;
}

/** The hash of a node over its stored text, so reading needs no serialisation. */
const hashOf = (name: string, content: string): string | undefined =>
  content === EMPTY ? undefined : sha256(`${name}\n${content}`);

/** What follows from the text of a node. */
interface Known {
  readonly text: string;
  readonly hash: string | undefined;
  readonly node: Node;
}

/** The nodes that were read or written last, of every ledger of this process. A text is believed for nothing but itself. */
const recent = new Map<string, Known>();
/** Own choice: the upper levels of one tree, and the paths of some calls. */
const RECENT_AT_MOST = 1_024;

function knownOf(name: string, text: string): Known {
  const it = recent.get(name);
  if (it?.text === text) return it;
  // An unreadable node has no matching hash.
  return remembered(name, { text, hash: hashOf(name, text), node: parsed<Node>(text) ?? {} });
}

function remembered(name: string, it: Known): Known {
  recent.delete(name);
  recent.set(name, it);
  const [oldest = ''] = recent.keys();
  if (recent.size > RECENT_AT_MOST) recent.delete(oldest);
  return it;
}

/**
 * Reads the paths of these keys, in one statement unless a transaction has touched thousands. The lock of the head, or the
 * snapshot that it is read in, keeps several statements consistent.
 */
export async function readTree(db: Kysely<Tables>, keys: readonly string[], locks: boolean): Promise<Tree> {
  if (locks) await db.selectFrom('proofs').select('node').where('node', '=', HEAD).forUpdate().execute();
  const names = [...new Set([HEAD, '', ...keys.flatMap(pathOf)])];
  let audit: Anchor = { seq: -1, hash: '' };
  const texts = new Map<string, string>();
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const { rows } = await nodesNamed(db, { names: padded(names.slice(at, at + NAMES_AT_ONCE)) });
    for (const { seq, hash, node, content } of rows) {
      audit = { seq, hash };
      if (node !== null) texts.set(node, content ?? '');
    }
  }
  const nodes = new Map<string, Known>();
  const known = (name: string): Known => {
    const it = nodes.get(name) ?? knownOf(name, texts.get(name) ?? EMPTY);
    nodes.set(name, it);
    return it;
  };
  const node = (name: string): Node => known(name).node;
  const stored = (name: string): string | undefined => known(name).hash;
  const isFaulty = (name: string): boolean => name !== '' && node(name.slice(0, -1))[name.slice(-1)] !== stored(name);
  return {
    head: parsed<Head>(texts.get(HEAD)), // its seal covers its shape
    root: stored('') ?? (texts.has(HEAD) ? null : undefined),
    audit,
    fault: names.find((name) => name !== HEAD && isFaulty(name)),
    value: (key) => {
      let above = '';
      while (isInner(node(above))) above = key.slice(0, above.length + 1);
      return node(above)[key];
    },
    node,
  };
}

/** Writes changed keys, all nodes above them, and the head. */
export async function writeTree(
  db: Kysely<Tables>,
  tree: Pick<Tree, 'node'>,
  changes: Changes,
  headOf: (root: string | null) => Head,
): Promise<void> {
  const rows: { readonly node: string; readonly content: string }[] = [];
  /** Writes a node and all below it; returns its hash. */
  const written = (name: string, below: Changes): string | undefined => {
    const node = changed(tree.node(name), name, below, written);
    const text = JSON.stringify(node); // canonical, because the names are in order
    rows.push({ node: name, content: text });
    return remembered(name, { text, hash: hashOf(name, text), node }).hash;
  };
  const head = headOf(written('', changes) ?? null);
  rows.push({ node: HEAD, content: canonicalJson(head as never) });
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await nodesWritten(db, { rows: rows.slice(at, at + ROWS_AT_ONCE) });
}

/** A node with the changes below it. */
function changed(
  node: Node,
  name: string,
  changes: Changes,
  written: (child: string, below: Changes) => string | undefined,
): Node {
  if (isInner(node)) return withChildren(node, name, changes, written);
  const leaf = withAll(node, changes);
  const values = Object.entries(leaf);
  if (values.length <= KEYS_AT_MOST || name.length === DEPTH) return leaf;
  return withChildren({}, name, new Map(values), written);
}

function withChildren(
  node: Node,
  name: string,
  changes: Changes,
  written: (child: string, below: Changes) => string | undefined,
): Node {
  const children = Map.groupBy(changes, ([key]) => key.slice(0, name.length + 1));
  return withAll(
    node,
    [...children].map(([child, below]) => [child.slice(-1), written(child, new Map(below))]),
  );
}

/** A node with these members, its names in order. */
function withAll(node: Node, members: Iterable<readonly [name: string, value: string | undefined]>): Node {
  const all = { ...node };
  let isInOrder = true;
  for (const [name, value] of members) {
    if (value === undefined) delete all[name];
    else {
      isInOrder &&= name in all;
      all[name] = value;
    }
  }
  return isInOrder ? all : inOrder(all);
}

function inOrder(node: Node): Node {
  const ordered: Node = {};
  for (const name of Object.keys(node).sort()) ordered[name] = node[name] as string; // one of its own names
  return ordered;
}

const nodesNamed = statement((db, { names }: { readonly names: readonly string[] }) =>
  db
    .selectFrom('auditHead')
    .leftJoin('proofs', (join) => join.on('node', 'in', names))
    .select(['seq', 'hash', 'node', 'content']),
);
const nodesWritten = statement(
  (db, { rows }: { readonly rows: readonly { readonly node: string; readonly content: string }[] }) =>
    db
      .insertInto('proofs')
      .values(rows)
      .onConflict((conflict) => conflict.column('node').doUpdateSet((eb) => ({ content: eb.ref('excluded.content') }))),
);

/** The same names, some twice, so that few lengths, and so few statements, occur. */
const padded = (names: readonly string[]): readonly string[] => [
  ...names,
  ...Array.from({ length: (NAMES_STEP - (names.length % NAMES_STEP)) % NAMES_STEP }, () => HEAD),
];
/** Own choice. */
const NAMES_STEP = 16;

/** Rows per statement. Own choice: far below the databases' parameter limits. */
const ROWS_AT_ONCE = 500;
/** Names per statement. Own choice: more than a call needs, and far below the 32,766 parameters that SQLite takes. */
const NAMES_AT_ONCE = 4_096;

function parsed<T>(content: string | undefined): T | undefined {
  try {
    return content === undefined ? undefined : JSON.parse(content);
  } catch {
    return undefined; // an unreadable node has no matching hash
  }
}
