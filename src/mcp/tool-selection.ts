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

/** The fault of a selection; undefined if it is valid. A misspelled name would silently remove or keep a tool. */
export function choiceFault({ toolsets, tools, excluded }: Choice, all: readonly Choosable[]): string | undefined {
  const known = [...new Set(all.flatMap(({ toolset }) => toolset ?? [])), 'all'];
  const noToolset = toolsets.find((name) => !known.includes(name));
  if (noToolset !== undefined)
    return `There is no toolset ${noToolset}: correct \`toolsets\`; known are ${known.join(', ')}.`;
  const noTool = [...(tools ?? []), ...(excluded ?? [])].find((name) => all.every((tool) => tool.name !== name));
  if (noTool !== undefined)
    return `There is no tool ${noTool}: correct \`tools\` or \`excludeTools\`; docs/tools.md lists every tool.`;
  const left = all.find(
    ({ name, toolset }) =>
      tools?.includes(name) && toolset !== undefined && !toolsets.includes('all') && !toolsets.includes(toolset),
  );
  return (
    left &&
    `${left.name} is in toolset ${left.toolset}, which is not offered: add ${left.toolset} to \`toolsets\`, or correct \`tools\`.`
  );
}
