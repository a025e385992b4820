import { tools, toolsetOf } from '../../tools/index.ts';
import { unfit } from '../engine/terms.ts';
import { operationOf, type Tool } from '../engine/tool.ts';
import { choiceFault, isChosen } from '../mcp/tool-selection.ts';
import { BadConfiguration, type Configuration } from './config.ts';

/** The tools that are chosen: one that is not can be neither listed nor called. */
export const toolsOf = ({ choice }: Configuration): readonly Tool[] =>
  tools.filter((tool) => isChosen(choice, choosable(tool)));

const choosable = (tool: Tool) => ({
  name: tool.name,
  toolset: toolsetOf(tool),
  isRead: tool.kind === 'local' || operationOf(tool).effect === 'read',
});

/** Throws where the configuration names a tool that does not exist: a limit on it would bound nothing, and nobody would notice. */
export function refuseStrangers({ choice, limits, mandates }: Configuration): void {
  const fault = choiceFault(choice, tools.map(choosable));
  if (fault !== undefined) throw new BadConfiguration(fault);
  const known = new Set(tools.map(({ name }) => name));
  if ([...limits, ...mandates].some((terms) => terms.tools.includes('*')))
    throw new BadConfiguration(
      'There is no `*` among tools: name each tool that a limit or mandate is about; docs/configuration.md lists what applies to it.',
    );
  const stranger = [...limits, ...mandates].flatMap((terms) => terms.tools).find((name) => !known.has(name));
  if (stranger !== undefined)
    throw new BadConfiguration(
      `There is no tool ${stranger}: correct \`limits\` or \`mandates\`; docs/tools.md lists every tool.`,
    );
}

/** Throws where a limit or a mandate has a term that could never be applied to a tool that it names. */
export function refuseUnfit({ limits, mandates }: Pick<Configuration, 'limits' | 'mandates'>): void {
  for (const [as, all] of [
    ['limit', limits],
    ['mandate', mandates],
  ] as const)
    for (const terms of all)
      for (const tool of tools.filter(({ name }) => terms.tools.includes(name))) {
        const fault = unfit(terms, tool, as);
        if (fault !== null)
          throw new BadConfiguration(
            `The ${as} "${terms.name}" would not be applied: ${fault}. Correct it; docs/configuration.md lists which terms apply to which tool.`,
          );
      }
}
