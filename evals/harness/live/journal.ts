import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { isThere } from '../../../src/files/check.ts';
import { readText } from '../../../src/files/read.ts';
import { appendTo, makeFolders, replaceFile } from '../../../src/files/write.ts';
import type { Scenario } from '../scenario/schema.ts';
import type { Trial } from './trial.ts';

/** A journal that can't be gone on with. */
export class UnusableJournal extends Error {
  override readonly name = 'UnusableJournal';
}

/** Trials that are finished, so that a run that was interrupted goes on where it was. */
export interface Journal {
  finished(scenario: Scenario, trial: number): Trial | undefined;
  /** Writes a finished trial down, before the next one begins. */
  add(scenario: Scenario, trial: Trial): void;
  /** Marks the run as finished: the next one starts from the beginning. */
  end(): void;
}

/** What a scenario depends on besides its own text, such as its fixture. */
export type Ground = (scenario: Scenario) => object;

/**
 * Opens a journal: a line of JSON says which run it belongs to, and one more each finished trial. `run` is what makes trials
 * alike: the model, how it is asked, the policy, and the program and tools it is given. `ground` is what a scenario stands on
 * besides its own text. A trial of a scenario that was changed since, or whose ground was, is not taken. The journal of a run
 * that is over is begun afresh. Throws UnusableJournal for the journal of another run.
 */
export function openJournal(file: string, run: object, ground: Ground = () => ({})): Journal {
  const of = digest(run);
  const keyOf = (scenario: Scenario, trial: number): string =>
    `${scenario.id}/${trial}/${digest([scenario, ground(scenario)])}`;
  const known = isThere(file) ? trialsIn(file, of) : undefined;
  const finished = new Map(known);
  if (known === undefined) {
    makeFolders('journal', dirname(file));
    // For its owner alone: conversations of a model may hold anything.
    replaceFile('journal', file, `${JSON.stringify({ journal: 1, run: of })}\n`);
  }
  return {
    finished: (scenario, trial) => finished.get(keyOf(scenario, trial)),
    add: (scenario, trial) => {
      const key = keyOf(scenario, trial.trial);
      finished.set(key, trial);
      appendTo('journal', file, `${JSON.stringify({ key, trial })}\n`);
    },
    end: () => appendTo('journal', file, `${JSON.stringify({ over: true })}\n`),
  };
}

/** The trials of a journal; undefined of one that is over. */
function trialsIn(file: string, of: string): readonly (readonly [string, Trial])[] | undefined {
  const text = readText('journal', file);
  // The last line may have been cut off in the middle; its trial was not finished then.
  const whole = text.split('\n').slice(0, -1);
  const [head = '', ...lines] = whole;
  if (memberOf(head, 'journal') === 1 && memberOf(lines.at(-1) ?? '', 'over') === true) return undefined;
  if (memberOf(head, 'run') !== of)
    throw new UnusableJournal(`${file} is the journal of another run: name another one, or delete it.`);
  if (!text.endsWith('\n')) replaceFile('journal', file, `${whole.join('\n')}\n`);
  return lines.map((line) => {
    const { key, trial } = JSON.parse(line) as { readonly key: string; readonly trial: Trial }; // add wrote it
    return [key, trial];
  });
}

function memberOf(line: string, name: string): unknown {
  try {
    return (JSON.parse(line) as Readonly<Record<string, unknown>> | null)?.[name];
  } catch {
    return undefined; // no journal at all
  }
}

const digest = (value: object): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
