import type { Thing } from '../core/thing.ts';
import { type Facts, type Kind, ownerKind, type Things } from '../domains/facts.ts';
import { kinds, kindTable } from '../domains/index.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { wordsOf } from './in-words.ts';
import { Refused } from './refusal.ts';
import type { PlatformTool } from './tool.ts';
import type { View } from './view.ts';

/** Finds only what the caller sees. */
type Sight = Pick<View, 'observations'>;

/** The things of the arguments' handles, and everything these point to. Refuses an invalid handle (EN-02). */
export async function resolve(
  view: Sight,
  handles: readonly { readonly field: string; readonly kind: Kind; readonly handle: string; readonly met?: true }[],
): Promise<Things> {
  const found = new Map<Kind, Thing>();
  await view.observations.load(handles.map(({ handle }) => handle));
  for (const { field, kind, handle, met } of handles) {
    const it = met ? await known(view, kind, handle) : await named(view, kind, handle, field);
    if (it !== undefined) found.set(kind, it);
  }
  for (let grew = true; grew; ) {
    const links = [...found.values()].flatMap(linksOf).filter(({ kind }) => !found.has(kind));
    await view.observations.load(links.map(({ handle }) => handle));
    const before = found.size;
    for (const { kind, handle } of links) {
      const it = found.has(kind) ? undefined : await known(view, kind, handle);
      if (it !== undefined) found.set(kind, it);
    }
    grew = found.size > before;
  }
  // A cast: every entry was stored with the type of its kind.
  return Object.fromEntries(found) as unknown as Things;
}

/** The handles in a tool's arguments. */
export const handlesOf = (tool: PlatformTool, args: Facts['args']) =>
  Object.entries(tool.input.args).flatMap(([field, { kind, mayMatch: meets }]) => {
    const given = args[field];
    if (given === undefined) return [];
    if (meets !== undefined)
      return [{ field, kind: meets.kind, handle: meets.handle(String(given)), met: true as const }];
    return kind === undefined ? [] : [{ field, kind, handle: String(given) }];
  });

/** An observation as guards see it. */
export const thing = (row: ObservationRow): Thing => ({
  handle: row.handle,
  kind: row.kind,
  owner: row.owner,
  state: row.state,
  body: row.body,
  createdAt: row.createdAt,
});

async function known(view: Sight, kind: Kind, handle: string): Promise<Thing | undefined> {
  const row = await view.observations.find(handle);
  return row?.kind === kind ? thing(row) : undefined;
}

async function named(view: Sight, kind: Kind, handle: string, field: string): Promise<Thing> {
  const it = await known(view, kind, handle);
  if (it !== undefined) return it;
  throw new Refused({
    code: 'NOT_FOUND',
    rule: 'EN-02',
    field,
    because: `There is no ${wordsOf(kind)} with this handle.`,
    instead: kindTable[kind].foundBy,
  });
}

/** What a thing points to: its owner, and every property named like a kind. */
const linksOf = (from: Thing): readonly { readonly kind: Kind; readonly handle: string }[] =>
  [[ownerKind, from.owner] as const, ...kinds.map((kind) => [kind, from.body[kind]] as const)].flatMap(
    ([kind, handle]) => (typeof handle === 'string' && handle !== '' ? [{ kind, handle }] : []),
  );
