import { type Described, narrowedWords, type ToolWords } from './narrowed-words.ts';
import { operationOf, type Tool } from './tool.ts';

/** The words of a list of tools, which may be any part of `all` (`narrowedWords`). */
export function wordsOf(listed: readonly Tool[], all: readonly Tool[]): (tool: Tool) => ToolWords<Tool> {
  const known = new Map([...all, ...listed].map((tool) => [tool.name, tool]));
  const words = narrowedWords(listed, all.map(describedOf));
  return (tool) => {
    const { description, input } = words(describedOf(tool));
    return { description, input: (of) => input((name) => of(known.get(name) ?? tool)) };
  };
}

export const describedOf = (tool: Tool): Described => ({
  name: tool.name,
  title: titleOf(tool),
  description: tool.description,
  shares: tool.kind === 'platform' ? tool.sharesArguments : undefined,
});

const titleOf = (tool: Tool): string => (tool.kind === 'local' ? tool.title : operationOf(tool).title);
