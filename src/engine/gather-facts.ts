import type { Facts, OwnCall, Things } from '../domains/facts.ts';
import { holdsCardNumber } from '../screening/card-data.ts';
import { makersOf } from './next.ts';
import { proposalOf } from './proposals.ts';
import { handlesOf, resolve } from './resolve.ts';
import { sentRequest } from './sent-request.ts';
import type { EngineSettings, Ports } from './settings.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import type { View } from './view.ts';

/** Gathers what is known of a call. Throws `Refused` for a handle that names nothing. */
export async function gatherFacts(
  tool: PlatformTool,
  args: Facts['args'],
  view: Pick<View, 'observations' | 'operations' | 'approvals'>,
  settings: EngineSettings,
  ports: Ports,
): Promise<Facts> {
  const named = [...handlesOf(tool, args), ...(await begun(tool, args, view))];
  const things = await alsoTold(tool, view, await resolve(view, named));
  const facts: Facts = {
    now: ports.clock.now(),
    args,
    things: settleByClock(tool, things, ports.clock.now(), args),
    merchant: settings.merchant,
    configured: settings.domains,
    reference: '',
    new: { correlationId: newUuid(ports), mandateId: newUuid(ports) },
  };
  const proposal = await proposalOf(tool, facts, view, settings);
  const ownCall = await ownCallOf(tool, args, view);
  const about = { ...facts, ...(proposal && { proposal }), ...(ownCall && { ownCall }) };
  return { ...about, reference: tool.input.reference?.(about) ?? '' };
}

/**
 * A UUID that doesn't look like a card number. One in 1,500 does, and the answers that have it would be withheld for as long
 * as it is in use.
 */
function newUuid({ ids }: Pick<Ports, 'ids'>): string {
  for (;;) {
    const drawn = ids.uuid();
    if (!thirteenDigits.test(drawn) || !holdsCardNumber(drawn)) return drawn;
  }
}
const thirteenDigits = /(?:\d-?){13}/;

/** The thing that the call goes on with: the newest one that the caller sees. */
async function begun({ input }: PlatformTool, args: Facts['args'], view: Pick<View, 'observations'>) {
  if (input.goesOnWith === undefined) return [];
  const { kind, argument } = input.goesOnWith;
  if (args[argument] === undefined) return [];
  const ranges = [{ key: argument, value: String(args[argument]) }];
  const { rows } = await view.observations.listBy({ kind, ranges }, { limit: 1 });
  return rows.map(({ handle }) => ({ field: argument, kind, handle, met: true as const }));
}

/** The things of a call, with those that only its answer is about. */
async function alsoTold({ input }: PlatformTool, view: Pick<View, 'observations'>, things: Things): Promise<Things> {
  const also = input.tellsOf?.(things) ?? [];
  if (also.length === 0) return things;
  return {
    ...(await resolve(
      view,
      also.map((it) => ({ ...it, field: '', met: true as const })),
    )),
    ...things,
  };
}

/** The call that makes what a look asks for by its reference. */
async function ownCallOf(
  { input: { goesOnWith }, observe: { looksAt } }: PlatformTool,
  args: Facts['args'],
  { operations }: Pick<View, 'operations'>,
): Promise<OwnCall | undefined> {
  const reference = goesOnWith && args[goesOnWith.argument];
  if (reference === undefined || looksAt === undefined) return undefined;
  for (const name of makersOf(looksAt.machine)) {
    const row = await operations.byReference(name, String(reference));
    if (row?.startedAt != null) {
      const { startedAt } = row;
      return { name, args: JSON.parse(row.args) as Facts['args'], startedAt, noted: sentRequest(row).noted };
    }
  }
  return undefined;
}

/** Lets the clock's triggers of the thing's machine happen, so that a call sees what time has done. */
export function settleByClock(tool: PlatformTool, things: Things, now: number, args: Facts['args']): Things {
  const it = tool.observe.moves && things[tool.observe.moves.kind];
  const { moves } = operationOf(tool);
  if (it === undefined || moves === undefined || tool.observe.moves === undefined) return things;
  return {
    ...things,
    [it.kind]: { ...it, state: moves.machine.settle(tool.observe.moves.entity(things, now, undefined, args)) },
  };
}
