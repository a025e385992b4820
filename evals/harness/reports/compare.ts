import { bothWays, type Covered } from '../coverage/coverage.ts';
import { tokensIn } from './failures.ts';
import { type Compared, compared } from './gates.ts';
import type { Report } from './report.ts';

// Two runs beside each other: of two builds, models or prompts.

/** What differs between two runs. */
export interface Comparison extends Compared {
  readonly before: RunFigures;
  readonly after: RunFigures;
  /** Scenarios of one run alone. */
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** Scenarios whose calls or what is read of them differ noticeably, the largest difference first. */
  readonly changed: readonly ScenarioChange[];
  /** What the first run exercised, and the second one did not. */
  readonly lost: readonly string[];
  readonly gained: readonly string[];
}

/** A run in figures. */
export interface RunFigures {
  readonly by: string;
  readonly model: string | undefined;
  readonly scenarios: number;
  readonly failed: number;
  readonly calls: number;
  readonly tokens: number;
  readonly milliseconds: number;
}

export interface ScenarioChange {
  readonly id: string;
  readonly calls: readonly [number, number];
  readonly tokens: readonly [number, number];
  readonly milliseconds: readonly [number, number];
}

/** A difference of tokens that is worth a line. Own choice: a name or a date is less. */
const noticeable = 0.05;

export function compareRuns(before: Report, after: Report): Comparison {
  const [earlier, later] = [byId(before), byId(after)];
  const both = [...later.keys()].filter((id) => earlier.has(id));
  const changes = both.flatMap((id): readonly ScenarioChange[] => {
    const [was, is] = [earlier.get(id), later.get(id)];
    if (was === undefined || is === undefined) return [];
    const tokens = [tokensIn(was.bytes), tokensIn(is.bytes)] as const;
    const isNoticeable = was.calls !== is.calls || Math.abs(tokens[1] - tokens[0]) > noticeable * tokens[0];
    if (!isNoticeable) return [];
    return [{ id, calls: [was.calls, is.calls], tokens, milliseconds: [was.milliseconds, is.milliseconds] }];
  });
  const [had, has] = [exercised(before), exercised(after)];
  return {
    ...compared(before.scenarios, after.scenarios),
    ...{ before: figuresOfRun(before), after: figuresOfRun(after) },
    added: [...later.keys()].filter((id) => !earlier.has(id)),
    gone: [...earlier.keys()].filter((id) => !later.has(id)),
    changed: changes.toSorted((one, other) => turn(other) - turn(one)),
    // Only where both runs say what they exercised.
    lost: had === undefined || has === undefined ? [] : [...had].filter((it) => !has.has(it)),
    gained: had === undefined || has === undefined ? [] : [...has].filter((it) => !had.has(it)),
  };
}

const turn = ({ tokens: [was, is] }: ScenarioChange): number => Math.abs(is - was);
const byId = ({ scenarios }: Report): ReadonlyMap<string, Report['scenarios'][number]> =>
  new Map(scenarios.map((it) => [it.id, it]));

const figuresOfRun = ({ by, live, summary }: Report): RunFigures => ({
  ...{ by, model: live?.model, scenarios: summary.scenarios, failed: summary.failed, calls: summary.calls },
  ...{ tokens: tokensIn(summary.bytes), milliseconds: summary.milliseconds },
});

/** Everything that a run exercised, by name. */
function exercised({ coverage }: Report): ReadonlySet<string> | undefined {
  if (coverage === undefined) return undefined;
  const named = (list: readonly Covered[], what = ''): readonly string[] =>
    list.filter(({ by }) => by.length > 0).map(({ name }) => `${what}${name}`);
  return new Set([...named(bothWays(coverage)), ...lists.flatMap(([list, what]) => named(coverage[list], what))]);
}

/** The lists of a coverage, and what stands before a name that does not say what it is. */
const lists = [
  ...([
    ['transitions', ''],
    ['forbidden', 'forbidden: '],
    ['tools', 'tool '],
    ['outcomes', 'outcome '],
  ] as const),
  ...([
    ['codes', 'code '],
    ['faults', 'fault '],
  ] as const),
] as const;
