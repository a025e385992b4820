import { didYouMean } from '../engine/closest-name.ts';

/** The selected tools. The operator's selection is the upper bound: a path or a host can only narrow it. */
export interface Choice {
  /** Names of toolsets, or `all`. */
  readonly toolsets: readonly string[];
  /** Only these, besides those of every toolset; by default all. */
  readonly tools?: readonly string[] | undefined;
  /** Tools to leave out. */
  readonly excluded?: readonly string[] | undefined;
  /** Only tools that change nothing. */
  readonly isReadOnly: boolean;
}

/** What a selection reads of a tool. */
export interface Choosable {
  readonly name: string;
  /** Undefined for a tool of every toolset. */
  readonly toolset?: string | undefined;
  readonly isRead: boolean;
}

/** All tools: the default selection. */
export const everything: Choice = { toolsets: ['all'], isReadOnly: false };

/** Whether a tool is selected. */
export const isChosen = ({ toolsets, tools, excluded = [], isReadOnly }: Choice, tool: Choosable): boolean =>
  (!isReadOnly || tool.isRead) &&
  !excluded.includes(tool.name) &&
  (tool.toolset === undefined ||
    ((toolsets.includes('all') || toolsets.includes(tool.toolset)) &&
      (tools === undefined || tools.includes(tool.name))));

/**
 * The fault of a selection; undefined if it is valid. A misspelled name, or a tool that another setting removes, would be
 * missing without a word.
 */
export function choiceFault(
  { toolsets, tools = [], excluded = [], isReadOnly }: Choice,
  all: readonly Choosable[],
): string | undefined {
  const known = [...new Set(all.flatMap(({ toolset }) => toolset ?? [])), 'all'];
  const noToolset = toolsets.find((name) => !known.includes(name));
  if (noToolset !== undefined)
    return `There is no toolset ${noToolset}${didYouMean(noToolset, known)}: correct \`toolsets\`; known are ${known.join(', ')}.`;
  const names = all.map(({ name }) => name);
  const noTool = [...tools, ...excluded].find((name) => !names.includes(name));
  if (noTool !== undefined)
    return `There is no tool ${noTool}${didYouMean(noTool, names)}: correct \`tools\` or \`excludeTools\`; docs/tools.md lists every tool.`;
  return all
    .filter(({ name }) => tools.includes(name))
    .flatMap((it) => contradiction(it, { toolsets, excluded, isReadOnly }))[0];
}

/** Why a tool that `tools` names would not be offered. */
function contradiction(
  { name, toolset, isRead }: Choosable,
  { toolsets, excluded = [], isReadOnly }: Choice,
): readonly string[] {
  if (excluded.includes(name)) return [`${name} is in both \`tools\` and \`excludeTools\`: correct one of them.`];
  if (isReadOnly && !isRead)
    return [
      `${name} is in \`tools\`, but with \`readOnly\` or the profile read-only no tool is offered that changes anything: leave one of the two out.`,
    ];
  if (toolset !== undefined && !toolsets.includes('all') && !toolsets.includes(toolset))
    return [
      `${name} is in toolset ${toolset}, which is not offered: add ${toolset} to \`toolsets\`, or correct \`tools\`.`,
    ];
  return [];
}
