import type { Kysely } from 'kysely';
import type { Json } from '../core/canonical-json.ts';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import type { Secret } from '../core/secret.ts';
import { checksumOf } from './checksum.ts';
import { CorruptRow } from './errors.ts';
import { type Lookup, lookupsOf } from './lookups.ts';
import { primaryKeys } from './primary-keys.ts';
import { HEAD, type Head, readTree, type Tree, writeTree } from './proof-tree.ts';
import { seal } from './seal.ts';
import type { ChecksummedTable, Tables } from './tables.ts';
import type { Anchor } from './verification.ts';

/**
 * One transaction's proof against the hash tree of all rows. Reads and writes are noted as they happen. Before the
 * commit, all of them are compared with the tree at once, and the tree is updated with the writes.
 */
export interface Proof {
  /** A row that was read by its key, or is missing. */
  read<T extends ChecksummedTable>(table: T, key: readonly string[], row: Tables[T] | undefined): void;
  /** All rows that a lookup found. */
  found<T extends ChecksummedTable>(table: T, lookup: Lookup, rows: readonly Tables[T][]): void;
  /** A row that was written, before and after. */
  wrote<T extends ChecksummedTable>(table: T, before: Tables[T] | undefined, after: Tables[T] | undefined): void;
  /** The newest audit row of a lookup. */
  newest(lookup: Lookup, hash: string | undefined): void;
  /** This transaction decides whether something is sent, so its reads are compared even if it writes nothing. */
  requireCheck(): void;
  /** The audit rows of a tenant's lookup were archived, so the database has none left. */
  forget(tenant: string, lookup: Lookup): void;
  appended(row: Anchor & { readonly previousHash: string }, lookups: readonly Lookup[]): void;
}

/** A noted value: as first read, and as it must be at the end. */
interface Note {
  /** `unread`: nothing is compared. */
  first: string | undefined | typeof unread;
  now: string | undefined | typeof unread;
  delta: number;
  readonly label: string;
  readonly table: ChecksummedTable | undefined;
}
const unread = Symbol('unread');

export interface ProofSettings {
  readonly key: Secret<Buffer>;
  /** Whether the database has row locks; SQLite admits one writer at a time. */
  readonly locks: boolean;
}

/** The proof of a transaction of one tenant. `settle` writes; `check` only compares. Both throw CorruptRow. */
export function createProof(db: Kysely<Tables>, tenant: string, proving: ProofSettings) {
  const notes = new Map<string, Note>();
  let before: Anchor | undefined;
  let writes = false;
  let decides = false;
  let contradiction: string | undefined;

  const noteOf = (label: string, table: ChecksummedTable | undefined): Note => {
    const key = sha256(label);
    const known = notes.get(key) ?? { first: unread, now: unread, delta: 0, label, table };
    notes.set(key, known);
    return known;
  };
  const compare = (note: Note, value: string | undefined): void => {
    if (note.now === unread) {
      note.first = value;
      note.now = value;
    } else if (note.now !== value) contradiction = note.label;
  };
  const compareCount = (note: Note, count: number): void => compare(note, countText(count - note.delta));
  const rowNote = (table: ChecksummedTable, key: readonly string[]) =>
    noteOf(canonicalJson([tenant, table, ...key]), table);
  const lookupNote = (lookup: Lookup) => noteOf(canonicalJson([tenant, 'lookup', ...lookup]), undefined);

  const proof: Proof = {
    read: (table, key, row) => compare(rowNote(table, key), row && checksumOf(table, row)),
    found: (table, lookup, rows) => {
      for (const row of rows) proof.read(table, keyOf(table, row), row);
      compareCount(lookupNote(lookup), rows.length);
    },
    wrote: (table, was, is) => {
      writes = true;
      const row = was ?? is;
      if (row === undefined) return;
      const note = rowNote(table, keyOf(table, row));
      compare(note, was && checksumOf(table, was));
      note.now = is && checksumOf(table, is);
      for (const lookup of was ? lookupsOf[table](was) : []) lookupNote(lookup).delta -= 1;
      for (const lookup of is ? lookupsOf[table](is) : []) lookupNote(lookup).delta += 1;
    },
    requireCheck: () => {
      decides = true;
    },
    forget: (of, lookup) => {
      noteOf(canonicalJson([of, 'lookup', ...lookup]), undefined).now = undefined;
    },
    newest: (lookup, hash) => compare(lookupNote(lookup), hash),
    appended: (row, lookups) => {
      before ??= { seq: row.seq - 1, hash: row.previousHash };
      for (const lookup of lookups) lookupNote(lookup).now = row.hash;
    },
  };

  const compared = async (): Promise<Tree> => {
    const tree = await readTree(db, [...notes.keys()], proving.locks);
    const wrong =
      contradiction ?? sealFault(tree, before ?? tree.audit, proving.key) ?? tree.fault ?? noteFault(tree, notes);
    if (wrong !== undefined) throw damaged(wrong);
    return tree;
  };

  const check = async (): Promise<void> => {
    if (notes.size > 0) await compared();
  };

  return {
    proof,
    /** Compares the reads of a decision that wrote nothing. */
    check,
    settle: async (): Promise<void> => {
      // Pure reads decide nothing, and continue even in a corrupt ledger.
      if (!writes && before === undefined) return decides ? check() : undefined;
      const tree = await compared().catch((error: unknown) => {
        // A refusal is recorded even in a corrupt ledger, which stays unsealed.
        if (error instanceof CorruptRow && !writes && notes.size === 0) return undefined;
        throw error;
      });
      if (tree === undefined) return;
      const changes = new Map<string, string | undefined>();
      const counts: Record<string, number> = { ...tree.head?.counts };
      for (const [key, note] of notes) {
        const was = tree.value(key);
        const is = note.delta === 0 ? (note.now === unread ? was : note.now) : countText(Number(was ?? 0) + note.delta);
        if (is !== was) changes.set(key, is);
        if (note.table !== undefined)
          counts[note.table] = (counts[note.table] ?? 0) + Number(is !== undefined) - Number(was !== undefined);
      }
      await writeTree(db, tree, changes, (root) => sealHead({ root, counts }, tree.audit, proving.key));
    },
  };
}

/** A head with its seal, over the root of the tree, the row counts and the end of the audit chain. */
export const sealHead = (content: Omit<Head, 'seal'>, { seq, hash }: Anchor, key: Secret<Buffer>): Head => ({
  ...content,
  seal: seal(key, canonicalJson({ ...(content as { readonly [name: string]: Json }), seq, hash })),
});

/** The fault of the tree's head; undefined if it is valid. An empty ledger has no head. */
export function sealFault({ head, root }: Tree, audit: Anchor, key: Secret<Buffer>): string | undefined {
  if (head === undefined) return audit.seq === 0 && root === undefined ? undefined : HEAD;
  const { seal: found, ...content } = head;
  return found === sealHead(content, audit, key).seal && head.root === root ? undefined : HEAD;
}

function noteFault(tree: Tree, notes: ReadonlyMap<string, Note>): string | undefined {
  for (const [key, { first, label }] of notes) if (first !== unread && tree.value(key) !== first) return label;
  return undefined;
}

const countText = (count: number): string | undefined => (count === 0 ? undefined : String(count));

const keyOf = <T extends ChecksummedTable>(table: T, row: Tables[T]): readonly string[] =>
  primaryKeys[table].slice(1).map((column) => String(row[column as keyof Tables[T]]));

const damaged = (label: string): CorruptRow =>
  new CorruptRow(
    `The ledger is corrupt (${sha256(label).slice(0, 8)}): a row was changed, removed or restored. Run "purser audit verify" and restore the last backup.`,
  );
