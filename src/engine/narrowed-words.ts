import type { Listed } from './schema.ts';

/** A tool's words as data, which a start can read without the tool. */
export interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool whose descriptions its arguments share, and its own description where that tool isn't listed. */
  readonly shares?: { readonly tool: string; readonly otherwise: string } | undefined;
}

/** What a list says of a tool. `Named`: how a schema is asked for, by a tool or by its name. */
export interface ToolWords<Named> {
  readonly description: string;
  /** A schema of the tool's arguments, of the form that `of` makes of any tool. */
  readonly input: <S extends Listed>(of: (named: Named) => S) => S;
}

/**
 * The words of a list of tools, which may be any part of `all`. A tool that it doesn't have is called by its title, and the arguments
 * that such a tool describes for others are described in place.
 */
export function narrowedWords(
  listed: readonly Pick<Described, 'name'>[],
  all: readonly Described[],
): (tool: Described) => ToolWords<string> {
  const names = new Set(listed.map(({ name }) => name));
  const unlisted = new Map(all.flatMap(({ name, title }) => (names.has(name) ? [] : [[name, title] as const])));
  const text = (words: string): string =>
    words.replace(toolNames, (name) => {
      const title = unlisted.get(name);
      return title === undefined ? name : `"${title}" (not offered here)`;
    });
  return ({ name, description, shares }) => {
    const lender = shares !== undefined && unlisted.has(shares.tool) ? shares : undefined;
    return {
      description: text(lender?.otherwise ?? description),
      input: (of) => {
        if (unlisted.size === 0) return of(name);
        const borrowed = lender === undefined ? undefined : of(lender.tool);
        return reworded(of(name), borrowed, text) as ReturnType<typeof of>; // the same schema, with other descriptions
      },
    };
  };
}

const toolNames = /\b[a-z]+(?:_[a-z]+)+\b/g;

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
