import { PlatformFault } from '../client/errors.ts';
import type { JsonObject } from '../core/canonical-json.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { KindSpec, Thing } from '../core/thing.ts';
import { type Kind, ownerKind, type Things } from '../domains/facts.ts';
import { kindTable } from '../domains/index.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import type { EngineParts } from './parts.ts';
import { forgetReleased } from './redeem.ts';
import { thing } from './resolve.ts';
import type { Observation } from './tool.ts';

/** What observations are about, where they don't say so themselves. */
export interface Applied {
  /** The things of the call: an observation without a handle is about the one of its kind. */
  readonly things: Things;
  /** The kind of thing whose state has changed, and the state that it reached. */
  readonly moved?: { readonly kind: Kind; readonly state: string } | undefined;
  /** What a new thing is marked with. */
  readonly marked?: (handle: string | undefined) => JsonObject;
  /** Where a look tells it: what a call has changed since the look began is not as it tells. */
  readonly look?: Look | undefined;
}

export interface Look {
  /** The `seq` of the audit's last row when it began. */
  readonly began: number;
  /** It is not made again: what it tells of things that it doesn't name is left out where it may be wrong. */
  readonly isLast: boolean;
}

/**
 * Writes down what is known of things: from the answer to a call, from a read, from what an event or a person made Purser look
 * up. Nothing else changes an observation of a thing. Answers the things as they are known then. Throws `Overtaken` for a look at
 * what has changed since it began: the platform may have answered it before.
 */
export async function apply(
  parts: Pick<EngineParts, 'ports' | 'vault'>,
  tx: LedgerTransaction,
  observations: readonly Observation[],
  { things, ...about }: Applied,
): Promise<Things> {
  let known = things;
  await tx.observations.load(observations.flatMap((one) => handleOf(things, one) ?? []));
  const changeSeq = about.look !== undefined || observations.length === 0 ? undefined : (await tx.audit.end()) + 1;
  for (const one of observations)
    known = await upsert(parts, tx, one, { things: known, ...about, changeSeq, named: things });
  return known;
}

/** A look began before a call changed what it tells of. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

interface Applying extends Applied {
  readonly changeSeq: number | undefined;
  /** The things that the call names. */
  readonly named: Things;
}

/** A property that is undefined is removed. */
async function upsert(
  parts: Pick<EngineParts, 'ports' | 'vault'>,
  tx: LedgerTransaction,
  one: Observation,
  { things, moved, marked = () => ({}), look, changeSeq, named }: Applying,
): Promise<Things> {
  const { ports } = parts;
  const now = ports.clock.now();
  const handle = handleOf(things, one);
  const row = handle === undefined ? undefined : await tx.observations.find(handle);
  if (row === undefined && one.ifKnown) return things;
  const another = row && anotherBy(row, one);
  if (another !== undefined) throw new PlatformFault('wrong-shape', { paths: [another] });
  if (row !== undefined && look !== undefined && row.changeSeq > look.began) {
    if (look.isLast && handleOf(named, { kind: one.kind, body: {} }) !== row.handle)
      return { ...things, [one.kind satisfies Kind]: thing(row) };
    throw new Overtaken(row.handle);
  }
  const state = one.state ?? (one.kind === moved?.kind ? moved.state : (row?.state ?? ''));
  const kept = row
    ? await tx.observations.update(row, { state, body: json({ ...row.body, ...one.body }), changeSeq }, now)
    : await tx.observations.insert(
        {
          handle: handle ?? ports.ids.handle(one.kind),
          kind: one.kind,
          owner: one.owner ?? things[ownerKind]?.handle ?? '',
          state,
          body: json({ ...one.body, ...marked(handle) }),
          ...(changeSeq === undefined ? {} : { changeSeq }),
        },
        now,
      );
  if (row !== undefined && kept.state !== row.state) await forgetReleased(parts, tx, kept);
  return { ...things, [one.kind satisfies Kind]: thing(kept) };
}

const handleOf = (things: Things, { handle, kind }: Observation): string | undefined =>
  handle ?? (things[kind] as Thing | undefined)?.handle; // as any kind of thing

/**
 * The fact by which an observation is of another thing of the platform than its row: another thing's handle may happen to be the same
 * (`src/engine/handles.ts`), and an answer may tell of another call's thing.
 */
function anotherBy({ body: known }: ObservationRow, { kind, body }: Observation): string | undefined {
  const { platformId, neverChanges = [] }: KindSpec = kindTable[kind];
  const fixed = platformId === undefined ? neverChanges : [platformId, ...neverChanges];
  const isKnown = (value: unknown) => value !== undefined && value !== '';
  return fixed.find((it) => isKnown(known[it]) && isKnown(body[it]) && known[it] !== body[it]);
}

const json = (body: Observation['body']): JsonObject => jsonOf(body) as JsonObject; // an object
