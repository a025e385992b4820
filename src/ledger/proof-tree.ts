import type { Kysely } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import type { Tables } from './tables.ts';
import type { Anchor } from './verification.ts';

// A hash tree of fixed depth. A leaf contains the values of all keys with its prefix; every node above contains the
// hashes of its children, by their last letter. Keys are hashes in hex, so the leaves fill evenly.

/** Letters of a leaf's name: 16^4 leaves, with a few keys each for up to a million rows. Own choice. */
const DEPTH = 4;
/** The row of the sealed root, which is not a node. */
export const HEAD = 'head';
/** The text of an empty node. */
const EMPTY = '{}';

export type Leaf = { [key: string]: string };
export interface Head {
  readonly root: string | null;
  /** Rows of each table. */
  readonly counts: { readonly [table: string]: number };
  readonly seal: string;
}

/** The part of the tree above some leaves. */
export interface Tree {
  readonly head: Head | undefined;
  /** The hash of the root node; undefined in an empty tree. */
  readonly root: string | null | undefined;
  /** The end of the audit chain when the tree was read. */
  readonly audit: Anchor;
  /** The name of a node that doesn't match the hash above it; undefined if all match. */
  readonly fault: string | undefined;
  leaf(name: string): Leaf;
  node(name: string): Leaf;
}

export const leafOf = (key: string): string => key.slice(0, DEPTH);

/** The path from a node to the root, the root last. */
const pathOf = (leaf: string): readonly string[] =>
  Array.from({ length: DEPTH + 1 }, (_, above) => leaf.slice(0, DEPTH - above));

/** The hash of a node over its stored text, so reading needs no serialisation. */
const hashOf = (name: string, content: string): string | undefined =>
  content === EMPTY ? undefined : sha256(`${name}\n${content}`);

/** Reads the paths of these leaves in one statement, so they are consistent. */
export async function readTree(db: Kysely<Tables>, leaves: readonly string[], locks: boolean): Promise<Tree> {
  if (locks) await db.selectFrom('proofs').select('node').where('node', '=', HEAD).forUpdate().execute();
  const names = [...new Set([HEAD, '', ...leaves.flatMap(pathOf)])];
  const rows = await db
    .selectFrom('auditHead')
    .leftJoin('proofs', (join) => join.on('node', 'in', names))
    .select(['seq', 'hash', 'node', 'content'])
    .execute();
  const [audit = { seq: -1, hash: '' }] = rows;
  const texts = new Map(rows.flatMap(({ node, content }) => (node === null ? [] : [[node, content ?? ''] as const])));
  const nodes = new Map<string, Leaf>();
  const node = (name: string): Leaf => {
    const known = nodes.get(name) ?? parsed<Leaf>(texts.get(name)) ?? {};
    nodes.set(name, known);
    return known;
  };
  const stored = (name: string): string | undefined => hashOf(name, texts.get(name) ?? EMPTY);
  const isFaulty = (name: string): boolean => name !== '' && node(name.slice(0, -1))[name.slice(-1)] !== stored(name);
  return {
    head: parsed<Head>(texts.get(HEAD)), // its seal covers its shape
    root: stored('') ?? (texts.has(HEAD) ? null : undefined),
    audit: { seq: audit.seq, hash: audit.hash },
    fault: names.find((name) => name !== HEAD && isFaulty(name)),
    leaf: node,
    node,
  };
}

/** Writes changed leaves, all nodes above them, and the head. */
export async function writeTree(
  db: Kysely<Tables>,
  tree: Pick<Tree, 'node'>,
  leaves: ReadonlyMap<string, Leaf>,
  headOf: (root: string | null) => Head,
): Promise<void> {
  const changed = new Map<string, Leaf>(leaves);
  for (let length = DEPTH; length > 0; length -= 1)
    for (const [name, node] of [...changed].filter(([name]) => name.length === length)) {
      const above = name.slice(0, -1);
      const parent = changed.get(above) ?? { ...tree.node(above) };
      const hash = hashOf(name, canonicalJson(node));
      if (hash === undefined) delete parent[name.slice(-1)];
      else parent[name.slice(-1)] = hash;
      changed.set(above, parent);
    }
  const head = headOf(hashOf('', canonicalJson(changed.get('') ?? tree.node(''))) ?? null);
  const rows = [...changed, [HEAD, head] as const].map(([node, content]) => ({
    node,
    content: canonicalJson(content as never),
  }));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await db
      .insertInto('proofs')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.column('node').doUpdateSet((eb) => ({ content: eb.ref('excluded.content') })))
      .execute();
}

/** Rows per statement. Own choice: far below the databases' parameter limits. */
const ROWS_AT_ONCE = 500;

function parsed<T>(content: string | undefined): T | undefined {
  try {
    return content === undefined ? undefined : JSON.parse(content);
  } catch {
    return undefined; // an unreadable node has no matching hash
  }
}
