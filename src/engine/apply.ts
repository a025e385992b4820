import { PlatformFault } from '../client/errors.ts';
import type { JsonObject } from '../core/canonical-json.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { KindSpec, Thing } from '../core/thing.ts';
import { type Kind, ownerKind, type Things } from '../domains/facts.ts';
import { kindTable } from '../domains/index.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, Told } from '../ledger/rows.ts';
import type { EngineParts } from './parts.ts';
import { forgetReleased } from './redeem.ts';
import { settledSince } from './reserving.ts';
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
  /** What the thing whose state has changed is marked with. */
  readonly reserving?: JsonObject;
  /** The read that the observations come from; absent for the response to a change. */
  readonly look?: Look | undefined;
}

export interface Look {
  /** The `seq` of the audit's last row when it began. */
  readonly began: number;
  /** When it began: milliseconds since the epoch. */
  readonly at: number;
  /** Whether no other attempt follows. Outdated observations are then left out, unless the call names a thing that another call has changed. */
  readonly isLast: boolean;
}

/**
 * Stores observations of things, from the response to a call or from a read. Nothing else changes an observation. Returns the
 * things as they are known then. Throws `Overtaken` for a read during which a call, or a later read, has changed one of the
 * things: its response may be older.
 */
export async function apply(
  parts: Pick<EngineParts, 'ports' | 'vault' | 'tools'>,
  tx: LedgerTransaction,
  observations: readonly Observation[],
  { things, ...about }: Applied,
): Promise<Things> {
  let known = things;
  await tx.observations.load(observations.flatMap((one) => handleOf(things, one) ?? []));
  const told = observations.length === 0 ? {} : await toldBy(tx, about.look);
  for (const one of observations)
    known = await upsert(parts, tx, one, { things: known, ...about, told, named: things });
  return known;
}

const toldBy = async (tx: LedgerTransaction, look: Look | undefined): Promise<Partial<Told>> =>
  look === undefined ? { changeSeq: (await tx.audit.end()) + 1 } : { lookedAt: look.at };

/** A read began before something newer was stored of the things in its response. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

interface Applying extends Applied {
  readonly told: Partial<Told>;
  /** The things that the call names. */
  readonly named: Things;
}

/** A property that is undefined is removed. */
async function upsert(
  parts: Pick<EngineParts, 'ports' | 'vault' | 'tools'>,
  tx: LedgerTransaction,
  one: Observation,
  { things, moved, marked = () => ({}), reserving = {}, look, told, named }: Applying,
): Promise<Things> {
  const { ports } = parts;
  const now = ports.clock.now();
  const handle = handleOf(things, one);
  const row = handle === undefined ? undefined : await tx.observations.find(handle);
  if (row === undefined && one.ifKnown) return things;
  const another = row && anotherBy(row, one);
  if (another !== undefined) throw new PlatformFault('wrong-shape', { paths: [another] });
  const newer = row && look && newerThan(look, row, now);
  if (row !== undefined && look !== undefined && newer !== undefined) {
    const isNamed = handleOf(named, { kind: one.kind, body: {} }) === row.handle;
    if (!look.isLast || (isNamed && newer === 'change')) throw new Overtaken(row.handle);
    return { ...things, [one.kind satisfies Kind]: thing(row) };
  }
  const state = one.state ?? (one.kind === moved?.kind ? moved.state : (row?.state ?? ''));
  const marks = one.kind === moved?.kind ? reserving : {};
  const since = row && (await settledSince(parts, tx, row, state));
  const body = json({ ...row?.body, ...since, ...one.body, ...marks });
  const kept = row
    ? await tx.observations.update(row, { state, body, ...told }, now)
    : await tx.observations.insert(
        {
          handle: handle ?? ports.ids.handle(one.kind),
          kind: one.kind,
          owner: one.owner ?? things[ownerKind]?.handle ?? '',
          state,
          body: { ...body, ...marked(handle) },
          ...told,
        },
        now,
      );
  if (row !== undefined) await forgetReleased(parts, tx, kept);
  return { ...things, [one.kind satisfies Kind]: thing(kept) };
}

/** What is known of a thing that a look may not have seen. A clock that was set back says nothing of which look was later. */
function newerThan({ began, at }: Look, { changeSeq, lookedAt }: ObservationRow, now: number) {
  if (changeSeq > began) return 'change';
  return lookedAt > at && lookedAt <= now ? 'look' : undefined;
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
