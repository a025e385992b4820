import { setImmediate as othersGoOn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Link } from './chain.ts';
import type { Queue } from './queue.ts';
import type { Tables } from './tables.ts';
import type { Appends, CountedWrites } from './verify-recent.ts';

// A commit waits for the disk, and SQLite has one writer. So transactions that wait at the same moment share a commit: they
// run one after the other, each within a savepoint, and all of them end when the commit is durable. Until then nobody is told
// anything, not even of a failure, because it may rest on what an earlier one of the group has written.

/** The most transactions of a commit: the first waits for the last. Own choice. */
const MEMBERS_AT_MOST = 16;

/** What a transaction of a group has: the open database, and the rows of the audit as it sees them. */
export interface Membership {
  readonly writes: CountedWrites;
  readonly appends: (row: Link) => void;
}

type Run<T> = (tx: Kysely<Tables>, membership: Membership) => Promise<T>;

interface Member {
  readonly run: Run<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs transactions of one connection, in order. */
export function groupCommit(db: Kysely<Tables>, queue: Queue, appends: Appends, writes: CountedWrites) {
  const waiting: Member[] = [];
  const takeGroup = async (): Promise<void> => {
    const members = waiting.splice(0, MEMBERS_AT_MOST);
    if (members.length === 0) return; // an earlier turn has taken them
    const rows: Link[] = [];
    const membership: Membership = {
      writes: { ...writes, committed: () => appends.withPending(rows) },
      appends: ({ seq, hash }) => void rows.push({ seq, hash }),
    };
    const [alone, ...more] = members;
    const ends: (() => void)[] = [];
    try {
      await db.transaction().execute(async (tx) => {
        if (alone !== undefined && more.length === 0) ends.push(await ended(alone, tx, membership));
        else for (const member of members) ends.push(await inSavepoint(member, tx, membership, rows));
      });
    } catch (error) {
      // Nothing of the group was kept.
      for (const { reject } of members) reject(error);
      return;
    }
    appends.note(rows);
    for (const end of ends) end();
  };
  return async <T>(run: Run<T>): Promise<T> => {
    queue.demandOpen();
    return new Promise<T>((resolve, reject) => {
      // A cast: the value is the one of this run.
      waiting.push({ run, reject, resolve: resolve as (value: unknown) => void });
      queue.run(takeGroup).catch(reject);
    });
  };
}

/** Runs a member; what is returned tells its caller. */
async function ended({ run, resolve }: Member, tx: Kysely<Tables>, membership: Membership): Promise<() => void> {
  const value = await run(tx, membership);
  return () => resolve(value);
}

/** The same in a savepoint: what a member throws undoes what it has written, and nothing else. */
async function inSavepoint(
  member: Member,
  tx: Kysely<Tables>,
  membership: Membership,
  rows: Link[],
): Promise<() => void> {
  await othersGoOn();
  const before = rows.length;
  await sql`savepoint member`.execute(tx);
  try {
    const end = await ended(member, tx, membership);
    await sql`release member`.execute(tx);
    return end;
  } catch (error) {
    rows.length = before;
    // After a fault of the file there is nothing to go back to, and the group ends with the fault.
    await sql`rollback to member`.execute(tx).catch(() => Promise.reject(error));
    await sql`release member`.execute(tx);
    return () => member.reject(error);
  }
}
