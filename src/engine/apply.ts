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
}

/**
 * Writes down what is known of things: from the answer to a call, from a read, from what an event or a person made Purser look
 * up. Nothing else changes an observation of a thing. Answers the things as they are known then.
 */
export async function apply(
  parts: Pick<EngineParts, 'ports' | 'vault'>,
  tx: LedgerTransaction,
  observations: readonly Observation[],
  { things, ...about }: Applied,
): Promise<Things> {
  let known = things;
  await tx.observations.load(observations.flatMap((one) => handleOf(things, one) ?? []));
  for (const one of observations) known = await upsert(parts, tx, one, { things: known, ...about });
  return known;
}

/** A property that is undefined is removed. */
async function upsert(
  parts: Pick<EngineParts, 'ports' | 'vault'>,
  tx: LedgerTransaction,
  one: Observation,
  { things, moved, marked = () => ({}) }: Applied,
): Promise<Things> {
  const { ports } = parts;
  const now = ports.clock.now();
  const handle = handleOf(things, one);
  const row = handle === undefined ? undefined : await tx.observations.find(handle);
  if (row === undefined && one.ifKnown) return things;
  const another = row && anotherBy(row, one);
  if (another !== undefined) throw new PlatformFault('wrong-shape', { paths: [another] });
  const state = one.state ?? (one.kind === moved?.kind ? moved.state : (row?.state ?? ''));
  const kept = row
    ? await tx.observations.update(row, { state, body: json({ ...row.body, ...one.body }) }, now)
    : await tx.observations.insert(
        {
          handle: handle ?? ports.ids.handle(one.kind),
          kind: one.kind,
          owner: one.owner ?? things[ownerKind]?.handle ?? '',
          state,
          body: json({ ...one.body, ...marked(handle) }),
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
