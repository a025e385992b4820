import MagicString from 'magic-string';
import { mechanismKeys, recordFiles, sessionKeys } from '../../goldens/records.ts';
import type { Loaded } from '../../scenario/load.ts';
import type { Fixture } from '../../scenario/schema.ts';
import { inLanes, played, type Wait } from './lanes.ts';
import type { Site } from './sites.ts';

/** What scenarios do without a bug: which of the sites each reaches, and how long it takes. */
export interface Baseline {
  /** The scenarios that pass, by id. */
  readonly passed: ReadonlyMap<string, Reach>;
  /** Sites that are reached when the build is loaded and what it goes by is written, or of which nothing can be noted. */
  readonly atLoad: ReadonlySet<number>;
  /** The sites that each session and each mechanism reaches, by the key of its record. */
  readonly sessions: ReadonlyMap<string, ReadonlySet<number>>;
  readonly failed: readonly string[];
}

export interface Reach {
  readonly milliseconds: number;
  readonly sites: ReadonlySet<number>;
}

/** A build that notes which sites are reached. */
export function noting(build: string, sites: readonly Site[]): string {
  const text = new MagicString(build);
  const places = sites.flatMap(({ reach }, index) => (reach === undefined ? [] : [{ ...reach, index }]));
  // The outer one of two is put in first, so that its brackets are outside.
  for (const { start, end, index } of places.toSorted((one, other) => other.end - other.start - (one.end - one.start)))
    text.appendLeft(start, `(purserReached.add(${index}), `).prependRight(end, ')');
  const whole = text.toString();
  const banner = whole.indexOf('\n');
  return `${whole.slice(0, banner)} globalThis.purserReached = new Set();${whole.slice(banner)}`;
}

export interface Stage {
  readonly loaded: readonly Loaded[];
  /** Whether these are Purser's whole suite, to which its sessions and mechanisms belong. */
  readonly isWhole: boolean;
  readonly fixtures: Readonly<Record<string, Fixture>>;
  /** The most scenarios that are played with one bug. */
  readonly most: number;
  readonly folder: string;
  readonly lanes: number;
  readonly wait: Wait;
}

/** Plays every scenario once, without a bug, and makes what is recorded of a build. */
export async function baselineOf(build: string, sites: readonly Site[], stage: Stage): Promise<Baseline> {
  const { loaded, isWhole, fixtures, folder, lanes, wait } = stage;
  const noted = noting(build, sites);
  const passed = new Map<string, Reach>();
  const failed: string[] = [];
  const sessions = new Map<string, ReadonlySet<number>>();
  const atLoad = new Set(sites.flatMap(({ reach }, index) => (reach === undefined ? [index] : [])));
  const shares = Array.from({ length: lanes }, (_, lane) => ({
    scenarios: loaded.filter((__, index) => index % lanes === lane),
    records: lane > 0 ? [] : isWhole ? [...recordFiles, ...sessionKeys()] : recordFiles,
  }));
  // By themselves, so that what is made once by whatever comes first is noted of the scenarios, too.
  const mechanisms = isWhole ? [{ scenarios: [], records: mechanismKeys() }] : [];
  await inLanes([...shares, ...mechanisms], folder, lanes, async (share, file) => {
    const ending = await played(
      {
        build: noted,
        file,
        task: { ...share, fixtures, untilFailure: false },
        wait,
      },
      (said) => {
        if (said.kind === 'listed' || said.kind === 'tabled')
          failed.push(`What is recorded of the build: ${said.because}`);
        else if (said.kind === 'session') sessions.set(said.key, new Set(said.reached));
        else if (said.kind === 'halved') return;
        else if (said.kind === 'loaded') for (const site of said.reached) atLoad.add(site);
        else if (said.because === undefined)
          passed.set(said.id, { milliseconds: said.milliseconds, sites: new Set(said.reached) });
        else failed.push(`${said.id}: ${said.because}`);
      },
    );
    if (ending.kind !== 'ended') failed.push(`The build without a bug ${ending.kind}.`);
  });
  return { passed, atLoad, sessions, failed };
}
