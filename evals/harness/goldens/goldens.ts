import type { Gate } from '../reports/gates.ts';
import type { Loaded } from '../scenario/load.ts';
import type { Listing } from '../world/mcp.ts';
import { turnsBetween } from './compare.ts';
import { type Accepted, accepting, checkGolden, deleteGolden, type GoldenGrader, orphansIn } from './files.ts';
import { recordIn, recordsOf, recordTurns, writeRecord } from './records.ts';

/** What a command does with goldens: it compares runs with them, or rewrites them. */
export interface Goldens {
  readonly grader: GoldenGrader;
  /** A golden that belongs to no scenario; undefined where it is deleted. */
  readonly isOrphanLeft: boolean;
  /** Compares the list of tools and the tables with their goldens, or rewrites these. */
  readonly list: (listing: Listing) => readonly Gate[];
}

/** Differences of a record that a gate names. Own choice. */
const mostNamed = 5;

export const checked: Goldens = {
  grader: checkGolden,
  isOrphanLeft: true,
  list: (listing) => {
    const turns = recordsOf(listing).flatMap((it) => recordTurns(recordIn(it), it));
    if (turns.length === 0) return [];
    const more = turns.length > mostNamed ? [`${turns.length - mostNamed} more differences`] : [];
    return [{ name: 'catalogue', met: false, says: `${[...turns.slice(0, mostNamed), ...more].join('; ')}.` }];
  },
};

export const accepted = (onAccepted: (accepted: Accepted) => void): Goldens => ({
  grader: accepting(onAccepted),
  isOrphanLeft: false,
  list: (listing) => {
    for (const record of recordsOf(listing)) {
      const before = recordIn(record);
      if (before === record.text) continue;
      writeRecord(record);
      const turns = before === undefined ? [] : turnsBetween(before, record.text);
      onAccepted({ id: record.name, isNew: before === undefined, turns });
    }
    return [];
  },
});

/** The gate for goldens that belong to no scenario. */
export function goldenGates(
  { isOrphanLeft }: Goldens,
  paths: readonly string[],
  all: readonly Loaded[],
): readonly Gate[] {
  const orphans = orphansIn(paths, all);
  if (!isOrphanLeft) for (const file of orphans) deleteGolden(file);
  if (orphans.length === 0 || !isOrphanLeft) return [];
  return [{ name: 'goldens', met: false, says: `No scenario has ${orphans.join(', ')}; --accept deletes them.` }];
}
