import type { Anchor, AnchorStore } from '../../../src/ledger/verification.ts';
import type { Proven } from '../replay/run.ts';
import type { RewindableLedger, Row } from './ledger.ts';

// What the ledger of a world says of itself, as it is and where somebody has edited it.

/** Every table with evidence in it, whatever the ledger itself takes for one. */
const tables = ['operations', 'observations', 'approvals', 'budgets', 'reservations', 'events', 'audit'] as const;

/** The verdict of the ledger on itself, against the anchor. */
export async function provenIn(
  { ledger }: RewindableLedger,
  anchor: AnchorStore,
): Promise<Pick<Proven, 'verdict' | 'anchor'>> {
  const anchored = anchor.read();
  return { verdict: await ledger.verify(anchored), anchor: anchored };
}

/**
 * Edits the newest row of each table in one column, and deletes it, and notes whether the ledger says so. The number chooses the
 * columns, so different stories edit different ones. Then the ledger is as it was.
 */
export async function editedIn(
  rewindable: RewindableLedger,
  anchor: AnchorStore,
  chosen: number,
): Promise<Proven['edits']> {
  const edits: Proven['edits'][number][] = [];
  await rewindable.mark('unedited');
  const noted = async (what: string, sql: string, parameters: readonly (string | number | null)[] = []) => {
    const isDone = await rewindable.rows(sql, parameters).then(
      () => true,
      () => false, // a constraint of the table refuses it
    );
    const isNoticed = !isDone || !(await rewindable.ledger.verify(anchor.read())).ok;
    await rewindable.rewind('unedited');
    edits.push({ what, isNoticed });
  };
  for (const table of tables) {
    const [newest] = await rewindable.rows(`select rowid as place, * from ${table} order by rowid desc limit 1`);
    if (newest === undefined) continue;
    const { place = 0, ...row } = newest;
    const columns = Object.keys(row).toSorted();
    const column = columns[chosen % columns.length] ?? '';
    const where = `where rowid = ${Number(place)}`;
    await noted(`${table}.${column} edited`, `update ${table} set ${column} = ? ${where}`, [another(row[column])]);
    await noted(`a row of ${table} deleted`, `delete from ${table} ${where}`);
  }
  await rewindable.forget('unedited');
  return edits;
}

const another = (value: Row[string] | undefined): string | number =>
  typeof value === 'number' ? value + 1 : `${value ?? ''}x`;

/** An anchor in the memory of this process. */
export interface AnchorInMemory extends AnchorStore {
  /** Starts again from this row, and can be written again. */
  reset(head: Anchor): void;
  /** From now on it can't be written. */
  breakDown(): void;
}

export function anchorInMemory(): AnchorInMemory {
  let kept: Anchor | undefined;
  let works = true;
  return {
    read: () => kept,
    write: (anchor) => {
      if (!works) throw new Error('The disk of the anchor is full.');
      kept = anchor;
    },
    reset: (head) => {
      kept = head;
      works = true;
    },
    breakDown: () => {
      works = false;
    },
  };
}
