import type { Listed } from './schema.ts';
import { operationOf, type Tool } from './tool.ts';

/** What a list says of a tool. */
export interface ToolWords {
  readonly description: string;
  /** A schema of the tool's arguments, of the form that `of` makes of any tool. */
  readonly input: <S extends Listed>(of: (tool: Tool) => S) => S;
}

/**
 * The words of a list of tools, which may be any part of `all`. A tool that it doesn't have is called by its title, and the arguments
 * that such a tool describes for others are described in place.
 */
export function wordsOf(listed: readonly Tool[], all: readonly Tool[]): (tool: Tool) => ToolWords {
  const names = new Set(listed.map(({ name }) => name));
  const unlisted = new Map(all.flatMap((tool) => (names.has(tool.name) ? [] : [[tool.name, tool] as const])));
  const text = (words: string): string =>
    words.replace(toolNames, (name) => {
      const tool = unlisted.get(name);
      return tool === undefined ? name : `"${titleOf(tool)}" (not offered here)`;
    });
  return (tool) => {
    const sharing = tool.kind === 'platform' ? tool.sharesArguments : undefined;
    const describing = sharing && unlisted.get(sharing.tool);
    return {
      description: text(describing === undefined ? tool.description : (sharing?.otherwise ?? '')),
      input: (of) => {
        if (unlisted.size === 0) return of(tool);
        const borrowed = describing === undefined ? undefined : of(describing);
        return reworded(of(tool), borrowed, text) as ReturnType<typeof of>; // the same schema, with other descriptions
      },
    };
  };
}

const toolNames = /\b[a-z]+(?:_[a-z]+)+\b/g;

export const titleOf = (tool: Tool): string => (tool.kind === 'local' ? tool.title : operationOf(tool).title);

/** A schema with its descriptions in other words, and with those of another one where it has none. */
function reworded(node: unknown, other: unknown, text: (words: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => reworded(item, undefined, text));
  if (typeof node !== 'object' || node === null) return node;
  const found: Listed = isNode(other) ? other : {};
  const described =
    'description' in node || typeof found.description !== 'string' ? node : { ...node, description: found.description };
  return Object.freeze(
    Object.fromEntries(
      Object.entries(described).map(([keyword, value]) => [
        keyword,
        keyword === 'description' && typeof value === 'string' ? text(value) : reworded(value, found[keyword], text),
      ]),
    ),
  );
}

const isNode = (value: unknown): value is Listed => typeof value === 'object' && value !== null;
