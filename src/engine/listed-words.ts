import { type Described, narrowedWords, type ToolWords as Words } from './narrowed-words.ts';
import type { Listed } from './schema.ts';
import { operationOf, type Tool } from './tool.ts';

/** What a list says of a tool. */
export interface ToolWords {
  readonly description: string;
  /** A schema of the tool's arguments, of the form that `of` makes of any tool. */
  readonly input: <S extends Listed>(of: (tool: Tool) => S) => S;
}

/** The words of a list of tools, which may be any part of `all` (`narrowedWords`). */
export function wordsOf(listed: readonly Tool[], all: readonly Tool[]): (tool: Tool) => ToolWords {
  const known = new Map([...all, ...listed].map((tool) => [tool.name, tool]));
  const words = narrowedWords(listed, all.map(describedOf));
  return (tool) => {
    const { description, input }: Words = words(describedOf(tool));
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
