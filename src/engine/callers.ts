import type { CallerRole } from '../core/operation.ts';
import { operationOf, type Tool } from './tool.ts';

/** Whether callers with a role may call a tool. Tools that answer from the ledger are for agents. */
export const isCallableBy = (tool: Tool, role: CallerRole): boolean =>
  (tool.kind === 'local' ? agentAlone : operationOf(tool).callers).includes(role);

const agentAlone: readonly CallerRole[] = ['agent'];

/**
 * Finds a tool by name for a role. Agents have only the offered tools, operators have theirs if the profile says so (D-32), and
 * other roles have all of theirs.
 */
export function toolsByRole(
  every: readonly Tool[],
  offered: readonly Tool[],
  hasOperatorCalls: boolean,
): (name: string, role?: CallerRole) => Tool | undefined {
  const all = new Map(every.map((tool) => [tool.name, tool]));
  const agents = new Map(offered.map((tool) => [tool.name, tool]));
  return (name, role = 'agent') => {
    if (role === 'operator' && !hasOperatorCalls) return undefined;
    const tool = (role === 'agent' ? agents : all).get(name);
    return tool !== undefined && isCallableBy(tool, role) ? tool : undefined;
  };
}
