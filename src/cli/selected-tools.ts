import { everyTool, tools } from '../../tools/index.ts';
import { didYouMean } from '../engine/closest-name.ts';
import { idleScope, unfit } from '../engine/terms.ts';
import type { Tool } from '../engine/tool.ts';
import { choosable } from '../mcp/tool-list.ts';
import { choiceFault, isChosen } from '../mcp/tool-selection.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';

/** The selected tools. Others can be neither listed nor called. */
export const toolsOf = ({ choice }: Configuration): readonly Tool[] =>
  tools.filter((tool) => isChosen(choice, choosable(tool)));

/** Throws if the configuration names an unknown tool: a limit on it would silently have no effect. */
export function refuseUnknownNames({ choice, limits, mandates }: Configuration): void {
  const fault = choiceFault(choice, tools.map(choosable));
  if (fault !== undefined) throw new BadConfiguration(fault);
  const known = new Set(everyTool.map(({ name }) => name));
  if ([...limits, ...mandates].some((terms) => terms.tools.includes('*')))
    throw new BadConfiguration(
      '`*` is not supported: name each tool that a limit or mandate applies to; docs/configuration.md lists which terms apply to which tool.',
    );
  const stranger = [...limits, ...mandates].flatMap((terms) => terms.tools).find((name) => !known.has(name));
  if (stranger !== undefined)
    throw new BadConfiguration(
      `There is no tool ${stranger}${didYouMean(stranger, [...known])}: correct \`limits\` or \`mandates\`; docs/tools.md lists every tool.`,
    );
}

/** Throws if a limit or a mandate has a term that can't apply to one of its tools. */
export function refuseInapplicable({ limits, mandates }: Pick<Configuration, 'limits' | 'mandates'>): void {
  for (const [as, all] of [
    ['limit', limits],
    ['mandate', mandates],
  ] as const)
    for (const terms of all) {
      const fault = idleScope(terms);
      if (fault !== null) throw new BadConfiguration(`The ${as} "${terms.name}": ${fault}`);
      for (const tool of everyTool.filter(({ name }) => terms.tools.includes(name))) {
        const fault = unfit(terms, tool, as);
        if (fault !== null)
          throw new BadConfiguration(
            `The ${as} "${terms.name}" would have no effect: ${fault}. Correct it; docs/configuration.md lists which terms apply to which tool.`,
          );
      }
    }
}
