import type { Thing } from '../core/thing.ts';
import { type Facts, type Kind, ownerKind, type Things } from '../domains/facts.ts';
import { kinds, kindTable } from '../domains/index.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { Refused } from './refusal.ts';
import type { PlatformTool } from './tool.ts';
import type { View } from './view.ts';

/** What is looked at to find things: only what the caller sees. */
type Sight = Pick<View, 'observations'>;

/** The things that the arguments' handles name, and everything these point to. A wrong handle is refused by EN-02. */
export async function resolve(
  view: Sight,
  handles: readonly { readonly field: string; readonly kind: Kind; readonly handle: string; readonly met?: true }[],
): Promise<Things> {
  const found = new Map<Kind, Thing>();
  for (const { field, kind, handle, met } of handles) {
    const it = met ? await known(view, kind, handle) : await named(view, kind, handle, field);
    if (it !== undefined) found.set(kind, it);
  }
  for (let grew = true; grew; ) {
    const before = found.size;
    for (const thing of [...found.values()]) await follow(view, thing, found);
    grew = found.size > before;
  }
  // Every entry was stored under its own kind, by the tool that defines that kind's facts.
  return Object.fromEntries(found) as unknown as Things;
}

/** The handles among a tool's arguments. */
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
    because: `There is no ${kind} with this handle.`,
    instead: kindTable[kind].foundBy,
  });
}

/** Adds what a thing points to: its owner, and every member that is named like a kind. */
async function follow(view: Sight, from: Thing, found: Map<Kind, Thing>): Promise<void> {
  const links: readonly (readonly [Kind, unknown])[] = [
    [ownerKind, from.owner],
    ...kinds.map((kind) => [kind, from.body[kind]] as const),
  ];
  for (const [kind, handle] of links) {
    if (found.has(kind) || typeof handle !== 'string' || handle === '') continue;
    const it = await known(view, kind, handle);
    if (it !== undefined) found.set(kind, it);
  }
}
