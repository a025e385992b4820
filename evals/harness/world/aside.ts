import type { Client } from '../../../src/client/client.ts';
import type { Platform } from '../../../src/client/platform.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { Ports } from '../../../src/engine/settings.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import { memorySecretStore, type SecretStore } from '../../../src/ledger/secret-store.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import type { RewindableLedger } from './ledger.ts';

// What would have come of what is not done in a story.

export type Call = (tool: string, args: unknown) => Promise<Answer>;

/** Another Purser on a ledger and a platform of which it leaves everything as it was. */
export interface Aside {
  readonly parts: Omit<EngineParts, 'client'>;
  /** Its ids: each time those that the story uses next. */
  readonly ids: () => Ports['ids'];
  /** A client whose requests are not those of the story. */
  readonly clientOf: (platform: Platform) => Client;
  readonly caller: Caller;
  readonly rewindable: RewindableLedger;
  readonly sandbox: Sandbox;
}

/** A part of Purser that is another one aside. */
export type Own = Partial<Pick<EngineParts, 'client' | 'settings'>>;

/** Does some work with another Purser, and leaves everything as it was. */
export const aside = <T>(place: Aside, own: Own, work: (call: Call, parts: EngineParts) => Promise<T>): Promise<T> =>
  eachAside(place, (run) => run(own, work));

/** Does several works, each with a Purser of its own and from the same beginning, and leaves everything as it was. */
export async function eachAside<T>(
  place: Aside,
  works: (run: <U>(own: Own, work: (call: Call, parts: EngineParts) => Promise<U>) => Promise<U>) => Promise<T>,
): Promise<T> {
  const { caller, rewindable, sandbox } = place;
  const then = await sandbox.world.snapshot();
  await rewindable.mark('aside');
  try {
    return await works(async (own, work) => {
      const ids = place.ids();
      const parts: EngineParts = {
        ...place.parts,
        client: place.clientOf((request) => sandbox.handle(request)),
        ...own,
        vault: apartFrom(place.parts.vault, ids),
        ports: { ...place.parts.ports, ids },
      };
      const engine = createEngine(parts);
      try {
        return await work((name, args) => engine.call(name, args, caller), parts);
      } finally {
        await rewindable.rewind('aside');
        await sandbox.world.restore(then);
      }
    });
  } finally {
    await rewindable.forget('aside');
  }
}

/** Finds what a store has, and keeps apart what is put into it. */
function apartFrom(store: SecretStore, ids: Ports['ids']): SecretStore {
  const own = memorySecretStore({ ids });
  return { ...own, find: async (...of) => (await own.find(...of)) ?? store.find(...of) };
}

/** Every value of a tree with its path, one line each. */
export function leavesOf(tree: unknown, path = ''): readonly string[] {
  if (tree === undefined) return [];
  if (typeof tree !== 'object' || tree === null) return [`${path}: ${String(tree)}`];
  return Object.entries(tree).flatMap(([name, member]) => leavesOf(member, path === '' ? name : `${path}.${name}`));
}
