import type { Gate } from '../reports/gates.ts';
import type { Loaded } from '../scenario/load.ts';
import type { Listing } from '../world/mcp.ts';
import { catalogueGolden, catalogueText, catalogueTurns, writeCatalogue } from './catalogue.ts';
import { turnsBetween } from './compare.ts';
import { type Accepted, accepting, checkGolden, deleteGolden, type GoldenGrader, orphansIn } from './files.ts';

/** What a command does with goldens: it compares runs with them, or rewrites them. */
export interface Goldens {
  readonly grader: GoldenGrader;
  /** A golden that belongs to no scenario; undefined where it is deleted. */
  readonly isOrphanLeft: boolean;
  /** Compares the list of tools with its golden, or rewrites that. */
  readonly list: (listing: Listing) => readonly Gate[];
}

/** Differences of the list that a gate names. Own choice. */
const mostNamed = 5;

export const checked: Goldens = {
  grader: checkGolden,
  isOrphanLeft: true,
  list: (listing) => {
    const turns = catalogueTurns(catalogueGolden(), catalogueText(listing));
    if (turns.length === 0) return [];
    const more = turns.length > mostNamed ? [`${turns.length - mostNamed} more differences`] : [];
    return [{ name: 'catalogue', met: false, says: `${[...turns.slice(0, mostNamed), ...more].join('; ')}.` }];
  },
};

export const accepted = (onAccepted: (accepted: Accepted) => void): Goldens => ({
  grader: accepting(onAccepted),
  isOrphanLeft: false,
  list: (listing) => {
    const [before, after] = [catalogueGolden(), catalogueText(listing)];
    if (before === after) return [];
    writeCatalogue(after);
    const turns = before === undefined ? [] : turnsBetween(before, after);
    onAccepted({ id: 'the list of tools', isNew: before === undefined, turns });
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
