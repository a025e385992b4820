import { replaceFile } from '../../../src/files/write.ts';
import type { Run } from '../replay/run.ts';
import type { Gate } from '../reports/gates.ts';
import type { Loaded } from '../scenario/load.ts';
import { turnsBetween } from './compare.ts';
import { type Accepted, accepting, checkGolden, deleteGolden, type GoldenGrader, orphansIn, shown } from './files.ts';
import { gatheredFor, goldenAt } from './gathered-goldens.ts';
import { type Listed, recordIn, recordTurns, writeRecord } from './records.ts';

/** What a command does with goldens: it compares runs with them, or rewrites them. */
export interface Goldens {
  readonly grader: GoldenGrader;
  /** A golden that belongs to no scenario; undefined where it is deleted. */
  readonly isOrphanLeft: boolean;
  /** Compares what is recorded of a build with its goldens, or rewrites these. */
  readonly list: (records: AsyncIterable<Listed>) => Promise<readonly Gate[]>;
  /** Compares what is gathered from all stories with its goldens, or rewrites them, or adds to them what some stories have. */
  readonly gathered: (played: Played) => readonly Gate[];
}

/** What was played. */
export interface Played {
  readonly loaded: readonly Loaded[];
  readonly runs: readonly Run[];
  /** Whether these are all scenarios of their folder. */
  readonly isWhole: boolean;
}

/** Differences of a record that a gate names. Own choice. */
const mostNamed = 5;

export const checked: Goldens = {
  grader: checkGolden,
  isOrphanLeft: true,
  list: async (records) => {
    const turns: string[] = [];
    for await (const record of records) turns.push(...recordTurns(recordIn(record), record));
    return unmet('catalogue', turns);
  },
  gathered: ({ loaded, runs, isWhole }) => {
    if (!isWhole) return []; // each run was held against them by itself
    return gatheredOf(loaded).flatMap(({ name, path, textOf }) =>
      unmet(name, recordTurns(goldenAt(path), { file: path, text: textOf(runs) })),
    );
  },
};

const gatheredOf = ([first]: readonly Loaded[]): ReturnType<typeof gatheredFor> => (first ? gatheredFor(first) : []);

function unmet(name: string, turns: readonly string[]): readonly Gate[] {
  if (turns.length === 0) return [];
  const more = turns.length > mostNamed ? [`${turns.length - mostNamed} more differences`] : [];
  return [{ name, met: false, says: `${[...turns.slice(0, mostNamed), ...more].join('; ')}.` }];
}

export const accepted = (onAccepted: (accepted: Accepted) => void): Goldens => ({
  grader: accepting(onAccepted),
  isOrphanLeft: false,
  list: async (records) => {
    for await (const record of records) {
      const before = recordIn(record);
      if (before === record.text) continue;
      writeRecord(record);
      const turns = before === undefined ? [] : turnsBetween(before, record.text);
      onAccepted({ id: record.name, isNew: before === undefined, turns });
    }
    return [];
  },
  gathered: ({ loaded, runs, isWhole }) => {
    for (const { name, path, textOf, together } of gatheredOf(loaded)) {
      const before = goldenAt(path);
      const now = textOf(runs);
      const after = isWhole ? now : together(before, now);
      if (before === after) continue;
      replaceFile('golden', path, after);
      onAccepted({ id: name, isNew: false, turns: shown(turnsBetween(before, after), path) });
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
