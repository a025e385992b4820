import { parentPort, workerData } from 'node:worker_threads';
import { deviations } from '../../coverage/tables.ts';
import { checkGolden } from '../../goldens/files.ts';
import { isDone, isTable, keyOf, recordFiles, recordIn, recordsBy, recordTurns } from '../../goldens/records.ts';
import { firstFailureOf } from '../../graders/grade.ts';
import { replay } from '../../replay/replay.ts';
import type { Loaded } from '../../scenario/load.ts';
import type { Fixture } from '../../scenario/schema.ts';
import { type Listing, listingOf } from '../../world/mcp.ts';
import { agentCaller } from '../../world/settings.ts';
import { openTestHarness } from '../../world/world.ts';

// A thread that plays scenarios with the build that it is part of, which may have a bug in it.

/** What a thread is to play. */
export interface Task {
  readonly scenarios: readonly Loaded[];
  readonly fixtures: Readonly<Record<string, Fixture>>;
  /** The keys of the records that are compared with their goldens, in the order in which they are made. */
  readonly records: readonly string[];
  /** Whether it ends with the first failure. */
  readonly untilFailure: boolean;
}

/** What a thread reports, until it says that it has played everything or that a bug is noticed. */
export type Said = Report | { readonly kind: 'finished' };

export type Report =
  /** The build is loaded, or what it goes by is written, for which most schemas are made, once. */
  | { readonly kind: 'loaded'; readonly reached: readonly number[] }
  /** A session was played, or a mechanism was run. */
  | { readonly kind: 'session'; readonly key: string; readonly reached: readonly number[] }
  /** The list of tools is not what it was, or a machine not what the documents say. */
  | { readonly kind: 'listed'; readonly because: string }
  /** What a build was to halve is halved. Where it never is, it is no sum. */
  | { readonly kind: 'halved' }
  /** A table is not what it was; whether that is wrong is for the scenarios to say. */
  | { readonly kind: 'tabled'; readonly because: string }
  | {
      readonly kind: 'played';
      readonly id: string;
      /** The first failure. */
      readonly because: string | undefined;
      readonly milliseconds: number;
      /** The sites that this scenario reached. */
      readonly reached: readonly number[];
    };

/** What the changed build calls: to note that a site was reached, and to halve a sum. */
interface Planted {
  purserReached?: Set<number>;
  purserHalf?: (sum: unknown) => unknown;
}
const shared: typeof globalThis & Planted = globalThis;

let isHalved = false;

shared.purserHalf = (sum) => {
  const half = halfOf(sum);
  isHalved ||= half !== undefined;
  return half ?? sum;
};

/** Half of a sum, in its own form; undefined if the value is no sum, such as the declaration of an argument. */
function halfOf(sum: unknown): unknown {
  if (typeof sum === 'bigint') return sum / 2n;
  if (typeof sum === 'number') return Math.floor(sum / 2);
  if (typeof sum !== 'string' || !/^\d+(?:\.\d+)?$/.test(sum)) return undefined;
  const decimals = sum.split('.')[1]?.length ?? 0;
  return (Number(sum) / 2).toFixed(decimals);
}

/** The sites that were reached since this was last asked. */
function reachedSince(): readonly number[] {
  const reached = [...(shared.purserReached ?? [])];
  shared.purserReached?.clear();
  return reached;
}

/** Scenarios that are played before the records. Own choice. */
const likeliest = 4;

async function play({ scenarios, fixtures, records, untilFailure }: Task, say: (said: Report) => void): Promise<void> {
  const fixture = (name: string): Fixture => {
    const found = fixtures[name];
    if (found === undefined) throw new Error(`There is no fixture ${name}.`);
    return found;
  };
  const harness = await openTestHarness({ fixture, version: '0' });
  try {
    say({ kind: 'loaded', reached: reachedSince() });
    // A few scenarios take less time than the records, and notice most bugs.
    const first = untilFailure ? likeliest : 0;
    if (await failsIn(scenarios.slice(0, first))) return;
    if ((await differsIn(records)) && untilFailure) return;
    await failsIn(scenarios.slice(first));
  } finally {
    if (isHalved) say({ kind: 'halved' });
    await harness.close();
  }

  /** Plays scenarios; true if one fails after which nothing is to be played. */
  async function failsIn(some: readonly Loaded[]): Promise<boolean> {
    for (const loaded of some) {
      const began = performance.now();
      const because = await firstFailure(loaded);
      const milliseconds = performance.now() - began;
      say({ kind: 'played', id: loaded.scenario.id, because, milliseconds, reached: reachedSince() });
      if (because !== undefined && untilFailure) return true;
    }
    return false;
  }

  /** Compares records with their goldens; true if something else than the tables differs. */
  async function differsIn(keys: readonly string[]): Promise<boolean> {
    if (keys.length === 0) return false;
    const [deviation] = keys.some((key) => recordFiles.includes(key)) ? deviations() : [];
    if (deviation !== undefined) {
      say({ kind: 'listed', because: deviation });
      return true;
    }
    for await (const record of recordsBy(keys, listing)) {
      const reached = reachedSince();
      say(isDone(record) ? { kind: 'session', key: keyOf(record), reached } : { kind: 'loaded', reached });
      const [because] = recordTurns(recordIn(record), record);
      if (because === undefined) continue;
      const isTabled = isTable(record);
      say({ kind: isTabled ? 'tabled' : 'listed', because });
      if (!isTabled && untilFailure) return true;
    }
    return false;
  }

  async function listing(): Promise<Listing> {
    const { engine } = await harness.open(undefined);
    return listingOf({ engine, caller: agentCaller, version: '0' });
  }

  async function firstFailure(loaded: Loaded): Promise<string | undefined> {
    try {
      const world = await harness.open(loaded.scenario.world);
      const run = await replay(loaded.scenario, { tools: world.tools, world, varies: true });
      // The golden first: it notices most, and takes least.
      const [first = firstFailureOf(run)] = checkGolden(loaded, run, []);
      return first && `${first.grader}, ${first.at}: ${first.because}`;
    } catch (error) {
      return `it can't be played: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

const port = parentPort;
// Not awaited: where a bug lets it wait for nothing, the thread ends without a word, and that tells.
if (port !== null)
  void play(workerData as Task, (said) => port.postMessage(said)) // who starts it gives it a task
    .then(() => port.postMessage({ kind: 'finished' } satisfies Said));
