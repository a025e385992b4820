import type { Entity, Machine, On } from '../core/machine.ts';
import type { Kind } from '../domains/facts.ts';
import { contract, kindTable } from '../domains/index.ts';
import { operationOf, type PlatformTool, toolName } from './tool.ts';

// Next actions: the tools that an answer suggests, the most usual one first.

/** The trigger of each tool. */
const pulls: ReadonlyMap<string, On> = new Map(
  Object.entries(contract).flatMap(([name, { moves }]) => (moves === undefined ? [] : [[toolName(name), moves]])),
);

/** The agents' tools. Others are never suggested. */
const agents: ReadonlySet<string> = new Set(
  Object.entries(contract).flatMap(([name, { callers }]) => (callers.includes('agent') ? [toolName(name)] : [])),
);

/** The agent's tools whose operations pull one of these triggers, in the machine's order. */
export function toolsPulling(machine: On['machine'], triggers: readonly string[]): readonly string[] {
  const ordered = [...machine.order.filter((trigger) => triggers.includes(trigger)), ...triggers];
  return [...new Set(ordered)].flatMap((trigger) =>
    [...pulls]
      .filter(([name, it]) => it.machine === machine && it.trigger === trigger && agents.has(name))
      .map(([name]) => name),
  );
}

/** Whether a tool abandons a thing, such as a cancellation. */
export const isGivingUp = (tool: string): boolean => {
  const it = pulls.get(tool);
  return it?.machine.givesUp.includes(it.trigger) === true;
};

/** The same tools, with cancellations and deletions last. */
export const inOrder = (tools: readonly string[]): readonly string[] => [
  ...tools.filter((name) => !isGivingUp(name)),
  ...tools.filter(isGivingUp),
];

/**
 * The next actions after an answer that shows a thing in a state: those the tool names, or those the machine allows.
 * Tools that the machine forbids are left out.
 */
export function nextAfter(tool: PlatformTool, state: string, entity: Entity | undefined): readonly string[] {
  const machine = operationOf(tool).moves?.machine ?? tool.observe.looksAt?.machine;
  const kind = tool.observe.moves?.kind ?? tool.observe.looksAt?.kind;
  const next = tool.present.next?.[state];
  if (machine === undefined || kind === undefined || entity === undefined) return nextNamed(tool, state);
  const at = { ...entity, state };
  if (next === undefined || 'tools' in next) return possibleIn(kind, machine, at, next?.tools);
  return possibleIn(kind, machine, at, [...next.first, ...toolsPulling(machine, machine.onward(at))]);
}

/** The tool that shows the thing that a tool moves; undefined if it moves none. */
export const lookerOf = ({ observe: { moves } }: PlatformTool): string | undefined =>
  moves && kindTable[moves.kind].shownBy;

/** The next actions that a tool itself names for a state. */
export function nextNamed(tool: PlatformTool, state: string): readonly string[] {
  const next = tool.present.next?.[state];
  return next === undefined ? [] : 'tools' in next ? next.tools : next.first;
}

/** The tools that a state allows. If only time or other people can move the thing, the tool that reads it again. */
export function possibleIn(kind: Kind, machine: Machine, entity: Entity, named?: readonly string[]): readonly string[] {
  const legal = machine.onward(entity);
  const wanted = named ?? toolsPulling(machine, legal);
  const possible = wanted.filter((name) => isPossible(machine, name, legal));
  return possible.length > 0 || machine.isOver(entity.state) ? possible : [kindTable[kind].shownBy];
}

/** Whether a tool is legal now. Tools that don't move this kind of thing, or that create one, always are. */
function isPossible(machine: Machine, name: string, legal: readonly string[]): boolean {
  const it = pulls.get(name);
  return it?.machine !== machine || legal.includes(it.trigger) || makes(machine).includes(it.trigger);
}

/** The ways out that a guard names, less those that the state of the call's thing forbids; the tool itself may do something else. */
export function possibleInstead(
  tool: PlatformTool,
  entity: Entity | undefined,
  instead: readonly string[],
): readonly string[] {
  const { moves } = operationOf(tool);
  const kind = tool.observe.moves?.kind;
  if (moves === undefined || kind === undefined || entity === undefined || kindMadeBy(tool) !== undefined)
    return instead;
  const legal = moves.machine.legal(entity);
  const possible = instead.filter((name) => name === tool.name || isPossible(moves.machine, name, legal));
  return possible.length > 0 || instead.length === 0 ? possible : [kindTable[kind].shownBy];
}

/** The kind of thing that a tool makes, if it makes one. */
export function kindMadeBy(tool: PlatformTool): Kind | undefined {
  const { moves } = operationOf(tool);
  return moves !== undefined && makes(moves.machine).includes(moves.trigger) ? tool.observe.moves?.kind : undefined;
}

/** The operations that create the thing of a machine. */
export const makersOf = (machine: On['machine']): readonly string[] =>
  Object.entries(contract).flatMap(([name, { moves }]) =>
    moves !== undefined && moves.machine === machine && makes(machine).includes(moves.trigger) ? [name] : [],
  );

/** The triggers that create a thing. */
export const makes = ({ rows, assumed }: Machine): readonly string[] =>
  [...rows, ...assumed].filter(([from]) => from === 'none').map(([, trigger]) => trigger);
