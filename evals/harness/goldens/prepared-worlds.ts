import { InvalidCall, PlatformFault, PlatformRefusal } from '../../../src/client/errors.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { WorldSpec } from '../scenario/schema.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import { openTestHarness, type TestHarness, type World } from '../world/world.ts';
import { faultKinds } from './client-mechanisms.ts';
import type { Lines, Mechanisms } from './lines.ts';

// A Purser in a world that is prepared once, with a platform that answers as told.

type Row = readonly [given: string, comes: unknown];

/** What may come in the place of the platform's answer. */
export const replies: readonly (readonly [what: string, error: Error])[] = [
  ...[400, 401, 403, 404, 409, 429, 500, 503].map(
    (status) => [`${status}`, new PlatformRefusal({ status, reason: 'INVALID_DATA', retryAfterSeconds: 7 })] as const,
  ),
  ['400 for its state', new PlatformRefusal({ status: 400, reason: 'INVALID_STATE' })],
  ...faultKinds.map((kind) => [kind, new PlatformFault(kind)] as const),
  ['a request that has not its shape', new InvalidCall('it', ['body.x'])],
  ['an error of another kind', new Error('It broke.')],
];
export const lost = new PlatformFault('no-answer');

export type Alter = (parts: EngineParts) => EngineParts;
type Call = (input: object, more: object) => Promise<unknown>;

/** The answer of an operation is an error whenever this gives one. */
export const spoilt =
  (operation: string, spoils: () => Error | undefined): Alter =>
  (parts) => {
    const call = (parts.client as unknown as Readonly<Record<string, Call>>)[operation]; // there is one for each operation
    const instead: Call = async (...sent) => {
      const error = spoils();
      if (error !== undefined) throw error;
      return call?.(...sent);
    };
    return { ...parts, client: { ...parts.client, [operation]: instead } };
  };

/** The time of a Purser, which goes on by seconds. */
type Passes = (seconds: number) => void;
type Again = <T>(alter: Alter, work: (engine: Engine, passes: Passes) => Promise<T>) => Promise<T>;

/** Works that begin with the same things each, and with a Purser of their own. The platform keeps what is done to it. */
export async function eachFrom(
  harness: TestHarness,
  spec: WorldSpec,
  prepare: (again: Again, world: World) => Promise<unknown>,
  works: (again: Again, world: World) => Promise<Lines>,
): Promise<Lines> {
  let own: EngineParts | undefined;
  const world = await harness.open(spec, (parts) => {
    own = parts;
    return parts;
  });
  const again: Again = async (alter, work) => {
    let now = world.engine.parts.ports.clock.now();
    if (own === undefined) throw new Error('A world has parts.');
    const ports = { ...own.ports, clock: { now: () => now } };
    const engine = createEngine(alter({ ...own, anchor: undefined, ports }));
    return work(engine, (seconds) => {
      now += seconds * 1_000;
    });
  };
  await prepare(again, world);
  await world.ledger.mark('prepared');
  try {
    return await works(async (...it) => {
      await world.ledger.rewind('prepared');
      return again(...it);
    }, world);
  } finally {
    await world.ledger.forget('prepared');
  }
}

/** Works that begin with a plain world each. */
export const onPlain = (harness: TestHarness, works: Parameters<typeof eachFrom>[3]): Promise<Lines> =>
  eachFrom(harness, plainSpec, async () => undefined, works);

/** Lines that are worked out one after another, of which those with the same end are one. */
export async function grouped<T extends readonly [what: string, ...unknown[]]>(
  all: readonly T[],
  end: (it: T) => Promise<string>,
): Promise<Lines> {
  const ends = new Map<string, string[]>();
  for (const it of all) {
    const comes = await end(it);
    ends.set(comes, [...(ends.get(comes) ?? []), it[0]]);
  }
  return [...ends].map(([comes, whats]): Row => [whats.join(', '), comes]);
}

export const asAgent = (engine: Engine, tool: string, args: object): Promise<Answer> =>
  engine.call(tool, args, agentCaller);
export const plain: Alter = (parts) => parts;

/** Works on worlds, one after another, as they share a ledger while any of them waits for it. */
export function inWorlds(works: Readonly<Record<string, (harness: TestHarness) => Promise<Lines>>>): Mechanisms {
  let harness: Promise<TestHarness> | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const inTurn = async (work: (harness: TestHarness) => Promise<Lines>, earlier: Promise<unknown>): Promise<Lines> => {
    await earlier;
    harness ??= openTestHarness({ fixture: noFixture, version: '0' });
    const opened = await harness;
    try {
      return await work(opened);
    } finally {
      waiting -= 1;
      if (waiting === 0) {
        harness = undefined;
        await opened.close();
      }
    }
  };
  const asked = (work: (harness: TestHarness) => Promise<Lines>) => (): Promise<Lines> => {
    waiting += 1;
    const lines = inTurn(work, before);
    before = lines.catch(() => undefined);
    return lines;
  };
  return Object.fromEntries(Object.entries(works).map(([title, work]) => [title, asked(work)]));
}

const noFixture = (): never => {
  throw new Error('The plain world has no fixture.');
};
