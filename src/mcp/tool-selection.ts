/** Which tools there are. The operator's choice is the upper bound: a path, or a host, can only narrow it. */
export interface Choice {
  /** Names of toolsets, or `all`. */
  readonly toolsets: readonly string[];
  /** Only these, and those that go with every toolset; all of the toolsets where nothing is said. */
  readonly tools?: readonly string[] | undefined;
  /** None of these. */
  readonly excluded?: readonly string[] | undefined;
  /** Those alone that change nothing. */
  readonly isReadOnly: boolean;
}

/** What a choice looks at. */
export interface Choosable {
  readonly name: string;
  /** Undefined for a tool that goes with every toolset. */
  readonly toolset?: string | undefined;
  readonly isRead: boolean;
}

/** Every tool: what a choice is without. */
export const everything: Choice = { toolsets: ['all'], isReadOnly: false };

/** Whether a tool is there. */
export const isChosen = ({ toolsets, tools, excluded = [], isReadOnly }: Choice, tool: Choosable): boolean =>
  (!isReadOnly || tool.isRead) &&
  !excluded.includes(tool.name) &&
  (tool.toolset === undefined ||
    ((toolsets.includes('all') || toolsets.includes(tool.toolset)) &&
      (tools === undefined || tools.includes(tool.name))));

/** What is wrong with a choice; undefined where nothing is. A misspelt name would take a tool away, or leave one. */
export function choiceFault({ toolsets, tools, excluded }: Choice, all: readonly Choosable[]): string | undefined {
  const known = [...new Set(all.flatMap(({ toolset }) => toolset ?? [])), 'all'];
  const noToolset = toolsets.find((name) => !known.includes(name));
  if (noToolset !== undefined)
    return `There is no toolset ${noToolset}: correct \`toolsets\`; there are ${known.join(', ')}.`;
  const noTool = [...(tools ?? []), ...(excluded ?? [])].find((name) => all.every((tool) => tool.name !== name));
  return noTool && `There is no tool ${noTool}: correct \`tools\` or \`excludeTools\`; docs/tools.md lists every tool.`;
}
