import type { Entity, Machine, On } from '../core/machine.ts';
import type { Kind } from '../domains/facts.ts';
import { contract, kindTable } from '../domains/index.ts';
import { operationOf, type PlatformTool, toolName } from './tool.ts';

// `next`: the tools that an answer names, the one that usually follows first.

/** The trigger that each tool pulls. */
const pulls: ReadonlyMap<string, On> = new Map(
  Object.entries(contract).flatMap(([name, { moves }]) => (moves === undefined ? [] : [[toolName(name), moves]])),
);

/** The tools whose operations pull one of these triggers, in the machine's order. */
export function toolsPulling(machine: On['machine'], triggers: readonly string[]): readonly string[] {
  const ordered = [...machine.order.filter((trigger) => triggers.includes(trigger)), ...triggers];
  return [...new Set(ordered)].flatMap((trigger) =>
    [...pulls].filter(([, it]) => it.machine === machine && it.trigger === trigger).map(([name]) => name),
  );
}

/** Whether a tool gives a thing up: it ends it without its purpose. */
export const isGivingUp = (tool: string): boolean => {
  const it = pulls.get(tool);
  return it?.machine.givesUp.includes(it.trigger) === true;
};

/** The same tools, with those that give a thing up last. */
export const inOrder = (tools: readonly string[]): readonly string[] => [
  ...tools.filter((name) => !isGivingUp(name)),
  ...tools.filter(isGivingUp),
];

/**
 * What usually follows after an answer that shows a thing in a state: what the tool names for it, or whatever the machine
 * allows. A tool that the machine forbids is left out.
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

/** The next actions that a tool itself names for a state. */
export function nextNamed(tool: PlatformTool, state: string): readonly string[] {
  const next = tool.present.next?.[state];
  return next === undefined ? [] : 'tools' in next ? next.tools : next.first;
}

/** Of these tools those that a thing's state allows; where only time or others move it on, it is looked at again. */
export function possibleIn(kind: Kind, machine: Machine, entity: Entity, named?: readonly string[]): readonly string[] {
  const legal = machine.onward(entity);
  const wanted = named ?? toolsPulling(machine, legal);
  const possible = wanted.filter((name) => isPossible(machine, name, legal));
  return possible.length > 0 || machine.isOver(entity.state) ? possible : [kindTable[kind].shownBy];
}

/** Whether a tool does not move this kind of thing, or makes another one of it, or is possible. */
function isPossible(machine: Machine, name: string, legal: readonly string[]): boolean {
  const it = pulls.get(name);
  return it?.machine !== machine || legal.includes(it.trigger) || makes(machine).includes(it.trigger);
}

/** The triggers that make a new thing. */
const makes = ({ rows, assumed }: Machine): readonly string[] =>
  [...rows, ...assumed].filter(([from]) => from === 'none').map(([, trigger]) => trigger);
