import type { Kysely } from 'kysely';
import { LedgerUnavailable } from './errors.ts';
import { statement } from './statement.ts';
import type { Tables } from './tables.ts';
import type { Anchor, AnchorStore } from './verification.ts';

/** Whether the chain contains the anchored row. An older or rewritten copy of the ledger doesn't. */
export async function containsAnchor(db: Kysely<Tables>, anchor: Anchor | undefined): Promise<boolean> {
  return anchor !== undefined && (await headContaining(db, anchor)) !== undefined;
}

/** The head of a chain that contains the anchor, in one statement; undefined if the chain doesn't contain it. */
async function headContaining(db: Kysely<Tables>, anchor: Anchor): Promise<Anchor | undefined> {
  const {
    rows: [found],
  } = await headAndAnchored(db, { anchored: anchor.seq });
  if (found === undefined) throw missingHead();
  const { seq, hash, anchored } = found;
  if (seq < anchor.seq) return undefined;
  if (seq === anchor.seq) return hash === anchor.hash ? { seq, hash } : undefined;
  return anchor.seq === 0 || anchored === anchor.hash ? { seq, hash } : undefined;
}

/**
 * Moves the anchor to the head of the chain. The caller holds a lock that every process of this ledger takes first, so
 * the anchor never moves back. Returns false, without writing, if the chain doesn't contain the old anchor.
 */
export async function advanceAnchor(db: Kysely<Tables>, store: AnchorStore): Promise<boolean> {
  const anchor = store.read();
  const head = anchor && (await headContaining(db, anchor));
  if (head === undefined) return false;
  if (head.seq !== anchor?.seq) store.write(head);
  return true;
}

/**
 * Moves of the anchor that wait at the same moment are one move, since each is to be past what was committed before it
 * was asked for. `move` says when it begins: from then on, another one is asked for.
 */
export function joinedMoves(
  move: (store: AnchorStore, begins: () => void) => Promise<boolean>,
): (store: AnchorStore) => Promise<boolean> {
  const waiting = new Map<AnchorStore, Promise<boolean>>();
  return (store) => {
    const known = waiting.get(store);
    if (known !== undefined) return known;
    const forget = (): void => {
      if (waiting.get(store) === moved) waiting.delete(store);
    };
    const moved = move(store, forget).finally(forget);
    waiting.set(store, moved);
    return moved;
  };
}

/** The last row of the audit chain. */
export async function readHead(db: Kysely<Tables>): Promise<Anchor> {
  const head = await db.selectFrom('auditHead').select(['seq', 'hash']).executeTakeFirst();
  if (head !== undefined) return head;
  throw missingHead();
}

const missingHead = (): LedgerUnavailable =>
  new LedgerUnavailable('The head of the audit chain is missing: restore the last backup.');

const headAndAnchored = statement((db, { anchored }: { readonly anchored: number }) =>
  db
    .selectFrom('auditHead')
    .leftJoin('audit', (join) => join.on('audit.seq', '=', anchored))
    .select(['auditHead.seq', 'auditHead.hash', 'audit.hash as anchored']),
);
