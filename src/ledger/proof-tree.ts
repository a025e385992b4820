import type { Kysely } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import type { Tables } from './tables.ts';
import type { Anchor } from './verification.ts';

// A hash tree of fixed depth. A leaf holds the values of all keys that begin with its name; every node above holds the hashes
// of its children, by their last letter. A key is a hash in hex, so the leaves fill evenly.

/** Letters of a leaf's name: 16^4 leaves, a few keys in each up to a million. Own choice. */
const DEPTH = 4;
/** The row that is no node: the sealed root. */
export const HEAD = 'head';
/** The text of a node that holds nothing. */
const EMPTY = '{}';

export type Leaf = { [key: string]: string };
export interface Head {
  readonly root: string | null;
  /** Rows of each table. */
  readonly counts: { readonly [table: string]: number };
  readonly seal: string;
}

/** The part of the tree that leads to some leaves. */
export interface Tree {
  readonly head: Head | undefined;
  /** The hash of the root node; undefined in an empty tree. */
  readonly root: string | null | undefined;
  /** The end of the audit chain, as it was when the tree was read. */
  readonly audit: Anchor;
  /** The name of a node that is not what the node above says; undefined where all are. */
  readonly fault: string | undefined;
  leaf(name: string): Leaf;
  node(name: string): Leaf;
}

export const leafOf = (key: string): string => key.slice(0, DEPTH);

/** A node and all above it, the root last. */
const pathOf = (leaf: string): readonly string[] =>
  Array.from({ length: DEPTH + 1 }, (_, above) => leaf.slice(0, DEPTH - above));

/** The hash of a node as it is stored: over its text, so that reading it needs no second text of it. */
const hashOf = (name: string, content: string): string | undefined =>
  content === EMPTY ? undefined : sha256(`${name}\n${content}`);

/** Reads what leads to these leaves, in one statement, so that all of it is of one moment. */
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
    head: parsed<Head>(texts.get(HEAD)), // its shape is compared by its seal
    root: stored('') ?? (texts.has(HEAD) ? null : undefined),
    audit: { seq: audit.seq, hash: audit.hash },
    fault: names.find((name) => name !== HEAD && isFaulty(name)),
    leaf: node,
    node,
  };
}

/** Writes changed leaves, every node above them, and the head. */
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

/** Rows of one statement. Own choice: far below the number of parameters that a database takes. */
const ROWS_AT_ONCE = 500;

function parsed<T>(content: string | undefined): T | undefined {
  try {
    return content === undefined ? undefined : JSON.parse(content);
  } catch {
    return undefined; // a node that can't be read has no hash that anything says
  }
}
