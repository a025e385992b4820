import type { Kysely } from 'kysely';
import { LedgerUnavailable } from './errors.ts';
import type { Tables } from './tables.ts';
import type { Anchor, AnchorStore } from './verification.ts';

/** Whether the chain still holds the anchored row. An older copy of the ledger doesn't, nor does one rewritten as a whole. */
export async function containsAnchor(db: Kysely<Tables>, anchor: Anchor | undefined): Promise<boolean> {
  if (anchor === undefined) return false;
  const head = await readHead(db);
  if (head.seq < anchor.seq) return false;
  if (head.seq === anchor.seq) return head.hash === anchor.hash;
  if (anchor.seq === 0) return true;
  const row = await db.selectFrom('audit').select('hash').where('seq', '=', anchor.seq).executeTakeFirst();
  return row?.hash === anchor.hash;
}

/**
 * Moves the anchor to the head of the chain. The caller holds a lock that every process of this ledger takes here, so
 * the anchor never moves back. False, and nothing is written, where the chain doesn't hold the old anchor.
 */
export async function advanceAnchor(db: Kysely<Tables>, store: AnchorStore): Promise<boolean> {
  const anchor = store.read();
  if (!(await containsAnchor(db, anchor))) return false;
  const head = await readHead(db);
  if (head.seq !== anchor?.seq) store.write(head);
  return true;
}

/** The end of the audit chain. */
export async function readHead(db: Kysely<Tables>): Promise<Anchor> {
  const head = await db.selectFrom('auditHead').select(['seq', 'hash']).executeTakeFirst();
  if (head !== undefined) return head;
  throw new LedgerUnavailable('The head of the audit chain is missing: restore the last backup.');
}
