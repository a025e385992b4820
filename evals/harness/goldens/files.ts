import { dirname, extname, join } from 'node:path';
import { isThere } from '../../../src/files/check.ts';
import { filesUnder, readText } from '../../../src/files/read.ts';
import { removeFolder, replaceFile } from '../../../src/files/write.ts';
import type { Failure, Run } from '../replay/run.ts';
import type { Loaded } from '../scenario/load.ts';
import { packagedPath } from '../scenario/packaged.ts';
import { type Turn, turnsBetween } from './compare.ts';
import { strangeIn } from './gathered-goldens.ts';
import { goldenOf } from './golden.ts';

// Goldens stand beside their scenarios, and are named after them.

const ending = '.golden';

/** The golden of a scenario. */
export const goldenFile = ({ scenario, file }: Loaded): string => join(dirname(file), `${scenario.id}${ending}`);

/** Judges a run by the golden of its scenario. */
export type GoldenGrader = (loaded: Loaded, run: Run, failures: readonly Failure[]) => readonly Failure[];

/** Differences that a report shows of one scenario. Own choice: the first tell the cause, the others what follows from it. */
const mostShown = 12;

const failure = (at: string, because: string, sides?: Failure['sides']): Failure => ({
  ...{ grader: 'golden', at, because },
  ...(sides && { sides }),
});

/** A run must be as its golden says, and there must be one. */
export const checkGolden: GoldenGrader = (loaded, run) => {
  const path = goldenFile(loaded);
  if (!isThere(path)) return [failure(path, 'there is no golden; --accept records it.')];
  const before = readText('golden', path);
  const after = goldenOf(run);
  const strange = strangeIn(loaded, run).map(({ at, says }) => failure(at, `${says}.`));
  if (before === after) return strange;
  const turns = turnsBetween(before, after);
  return [
    ...shown(turns, path).map(({ at, says, was, is }) =>
      failure(at, `${says}.`, was === is ? undefined : { expected: was, found: is }),
    ),
    ...(turns.length === 0 ? [failure(path, 'its lines are broken in another way.')] : []),
    ...strange,
  ];
};

/** The first differences, and how many there are besides. */
export const shown = (turns: readonly Turn[], path: string): readonly Turn[] =>
  turns.length <= mostShown
    ? turns
    : [
        ...turns.slice(0, mostShown),
        { at: path, says: `${turns.length - mostShown} more differences`, was: '', is: '' },
      ];

/** What was accepted for one scenario: its golden is new, or what differs. */
export interface Accepted {
  readonly id: string;
  readonly isNew: boolean;
  /** The golden of a scenario, as it is now. */
  readonly text?: string;
  readonly turns: readonly Turn[];
}

/** Rewrites goldens. A scenario that fails in another way keeps its golden. */
export function accepting(onAccepted: (accepted: Accepted) => void): GoldenGrader {
  return (loaded, run, failures) => {
    if (failures.length > 0) return [];
    const path = goldenFile(loaded);
    const before = isThere(path) ? readText('golden', path) : undefined;
    const after = goldenOf(run);
    if (before === after) return [];
    replaceFile('golden', path, after);
    const turns = before === undefined ? [] : shown(turnsBetween(before, after), path);
    onAccepted({ id: loaded.scenario.id, isNew: before === undefined, text: after, turns });
    return [];
  };
}

/** Goldens under the paths that belong to no scenario. */
export function orphansIn(paths: readonly string[], loaded: readonly Loaded[]): readonly string[] {
  const known = new Set(loaded.map(goldenFile));
  return paths.map(packagedPath).flatMap((path) => {
    const found = filesUnder(path);
    if (found === undefined || found === 'file') return [];
    return found
      .filter((file) => extname(file) === ending)
      .map((file) => join(path, file))
      .filter((file) => !known.has(file));
  });
}

/** Deletes a golden that belongs to no scenario. */
export const deleteGolden = (file: string): void => removeFolder(file);
