import type { CallerRole } from '../core/operation.ts';
import { operationOf, type Tool } from './tool.ts';

/** Whether callers of a role may call a tool. Tools that answer from Purser's own memory are the agent's. */
export const isCallableBy = (tool: Tool, role: CallerRole): boolean =>
  (tool.kind === 'local' ? agentAlone : operationOf(tool).callers).includes(role);

const agentAlone: readonly CallerRole[] = ['agent'];

/** Finds a tool by its name, for callers of each role. An agent has those that it is offered; others have all of theirs. */
export function toolsByRole(
  every: readonly Tool[],
  offered: readonly Tool[],
): (name: string, role?: CallerRole) => Tool | undefined {
  const all = new Map(every.map((tool) => [tool.name, tool]));
  const agents = new Map(offered.map((tool) => [tool.name, tool]));
  return (name, role = 'agent') => {
    const tool = (role === 'agent' ? agents : all).get(name);
    return tool !== undefined && isCallableBy(tool, role) ? tool : undefined;
  };
}
