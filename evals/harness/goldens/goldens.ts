import type { Gate } from '../reports/gates.ts';
import type { Loaded } from '../scenario/load.ts';
import { type Accepted, accepting, checkGolden, deleteGolden, type GoldenGrader, orphansIn } from './files.ts';

/** What a command does with goldens: it compares runs with them, or rewrites them. */
export interface Goldens {
  readonly grader: GoldenGrader;
  /** A golden that belongs to no scenario; undefined where it is deleted. */
  readonly isOrphanLeft: boolean;
}

export const checked: Goldens = { grader: checkGolden, isOrphanLeft: true };

export const accepted = (onAccepted: (accepted: Accepted) => void): Goldens => ({
  grader: accepting(onAccepted),
  isOrphanLeft: false,
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
