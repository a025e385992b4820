import type { Platform } from '../../src/client/platform.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import type { ReaderTransport } from '../../src/core/reader.ts';
import { kinds } from '../../src/domains/index.ts';
import { effectOf } from '../../src/engine/tool.ts';
import type { ObservationRow } from '../../src/ledger/rows.ts';
import { tools } from '../../tools/index.ts';
import type { World } from '../engine/support.ts';

// Looks that the platform has answered, and whose answers arrive later.

/** Holds back the answer to one request, whatever it is sent through. */
export function createHold() {
  let before: number | undefined;
  let answered = Promise.withResolvers<void>();
  let released = Promise.withResolvers<void>();
  const through = async <T>(answer: T): Promise<T> => {
    if (before === undefined) return answer;
    before--;
    if (before >= 0) return answer;
    before = undefined;
    const { promise } = released;
    answered.resolve();
    await promise;
    return answer;
  };
  return {
    platform:
      (real: Platform): Platform =>
      async (request) =>
        through(await real(request)),
    reader: (_: string, real: ReaderTransport | undefined): ReaderTransport | undefined =>
      real && {
        ...real,
        send: async (operation, input, watch) => through(await real.send(operation, input, watch)),
      },
    /** Begins a call, and resolves once its request after so many others is answered; false where it sends fewer. */
    begin: async <T>(call: () => Promise<T>, others: number): Promise<Begun<T>> => {
      answered = Promise.withResolvers();
      released = Promise.withResolvers();
      before = others;
      const said = call();
      const isHeld = await Promise.race([answered.promise.then(() => true), said.then(() => false)]);
      before = undefined;
      return { isHeld, said };
    },
    release: () => released.resolve(),
    /** Releases it, and holds back the next one. */
    releaseForNext: async (): Promise<void> => {
      const { resolve } = released;
      answered = Promise.withResolvers();
      released = Promise.withResolvers();
      before = 0;
      resolve();
      await answered.promise;
    },
  };
}

export interface Begun<T> {
  readonly isHeld: boolean;
  readonly said: Promise<T>;
}

/** A look: a tool that changes nothing, and what it is asked. */
export interface Look {
  readonly tool: string;
  readonly args: object;
}

/** Every look that a world allows: at each of its things, and at lists that need no argument. */
export async function looksOf(it: World): Promise<readonly Look[]> {
  const things = await rowsOf(it);
  return tools.flatMap((tool): Look[] => {
    if (tool.kind !== 'platform' || effectOf(tool) !== 'read') return [];
    const named = Object.entries(tool.input.args).filter(([, { kind }]) => kind !== undefined);
    const asked = named.flatMap(([field, { kind }]) =>
      things.filter((one) => one.kind === kind).map(({ handle }) => ({ [field]: handle })),
    );
    return [{}, ...asked]
      .filter((args) => tool.inputSchema.safeParse(args).success)
      .map((args) => ({ tool: tool.name, args }));
  });
}

/** What the ledger knows of every thing. */
export const rowsOf = (it: World): Promise<readonly Row[]> =>
  it.parts.ledger.transaction('default', async (tx) => {
    const pages = [];
    for (const kind of kinds) pages.push((await tx.observations.list({ kind }, { limit: 1_000 })).rows);
    return pages.flat();
  });
type Row = Pick<ObservationRow, 'handle' | 'kind' | 'state' | 'body'>;

/** The facts that are neither as a call has left them nor as a look tells them now. */
export const pastIn = (known: readonly Row[], left: readonly Row[], now: readonly Row[]): readonly string[] =>
  known.flatMap((row) => {
    const others = [left, now].map((rows) => factsOf(rows.find(({ handle }) => handle === row.handle)));
    return Object.entries(factsOf(row))
      .filter(([fact, value]) => others.every((it) => it[fact] !== value))
      .map(([fact]) => `${row.kind}.${fact}`);
  });

const factsOf = (row: Row | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ state: row?.state ?? '', ...row?.body }).map(([fact, it]) => [fact, canonicalJson(it)]),
  );
