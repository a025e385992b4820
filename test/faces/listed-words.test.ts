import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isReadOnly, type Tool } from '../../src/engine/tool.ts';
import { narrowed } from '../../src/mcp/narrowed-list.ts';
import { listTools } from '../../src/mcp/tool-list.ts';
import { tools, toolsetOf } from '../../tools/index.ts';

// A list names only its own tools, and says of each tool what it takes to call it.

/** Names of tools in a text. */
const namesIn = (text: string): readonly string[] =>
  tools.flatMap(({ name }) => (new RegExp(`\\b${name}\\b`).test(text) ? [name] : []));

/** The descriptions of a schema, by path. */
function* wordsIn(schema: unknown, path = ''): Generator<readonly [string, string]> {
  const { properties, items, description } = (schema ?? {}) as {
    readonly properties?: object;
    readonly items?: unknown;
    readonly description?: string;
  };
  if (description !== undefined) yield [path, description];
  for (const [name, child] of Object.entries(properties ?? {})) yield* wordsIn(child, `${path}.${name}`);
  if (items !== undefined) yield* wordsIn(items, `${path}[]`);
}

/** What a list of these tools names that it doesn't have. */
function strangersIn(listed: readonly Tool[]): readonly string[] {
  const own = new Set(listed.map(({ name }) => name));
  return listTools(listed).flatMap(({ name, description, inputSchema }) =>
    [description, ...[...wordsIn(inputSchema)].map(([, words]) => words)]
      .flatMap(namesIn)
      .filter((named) => !own.has(named))
      .map((named) => `${name}: ${named}`),
  );
}

const toolsets = [...new Set(tools.flatMap((tool) => toolsetOf(tool) ?? []))];

it.each(toolsets)('the list of toolset %s names no tool that it does not have', (toolset) => {
  const its = tools.filter((tool) => [toolset, undefined].includes(toolsetOf(tool)));
  expect(strangersIn(its)).toEqual([]);
  expect(strangersIn(its.filter(isReadOnly))).toEqual([]);
});

it('no list names a tool that it does not have, whatever is chosen', () => {
  expect(strangersIn(tools)).toEqual([]);
  expect(strangersIn(tools.filter(isReadOnly))).toEqual([]);
  for (const tool of tools) expect(strangersIn([tool])).toEqual([]);
  fc.assert(
    fc.property(fc.subarray([...tools]), (listed) => void expect(strangersIn(listed)).toEqual([])),
    {
      numRuns: 30,
    },
  );
});

it('a tool whose arguments another one describes says them itself where that one is not listed', () => {
  const whole = listTools(tools);
  const sharing = tools.filter((tool) => /\bas in [a-z]+_/.test(tool.description));
  expect(sharing.length).toBeGreaterThan(0);
  for (const tool of sharing) {
    const [alone] = listTools([tool]);
    const named = /\bas in ([a-z_]+)/.exec(tool.description)?.[1];
    const [own, described] = [tool.name, named].map((name) => whole.find((it) => it.name === name));
    const words = new Map(wordsIn(described?.inputSchema));
    const before = new Map(wordsIn(own?.inputSchema));
    const after = new Map(wordsIn(alone?.inputSchema));
    const shared = [...pathsIn(own?.inputSchema)].filter((path) => !before.has(path) && words.has(path));
    expect([tool.name, shared.length > 0]).toEqual([tool.name, true]);
    for (const path of shared) expect([tool.name, path, after.has(path)]).toEqual([tool.name, path, true]);
    expect(alone?.description).not.toContain('as in');
  }
});

it('a list that is narrowed from the whole one at a start says the same as one that is made of its tools', () => {
  const whole = listTools(tools);
  const expectSame = (listed: readonly Tool[]): void => {
    const chosen = new Set(listed.map(({ name }) => name));
    const from = whole.filter(({ name }) => chosen.has(name));
    expect(narrowed(from, whole)).toEqual(listTools(listed));
  };
  expectSame(tools.filter(isReadOnly));
  for (const tool of tools) expectSame([tool]);
  fc.assert(
    fc.property(fc.subarray([...tools]), (listed) => expectSame(listed)),
    { numRuns: 20 },
  );
});

it('the whole list is as it is written', () => {
  for (const { name, description } of listTools(tools))
    expect(description).toBe(tools.find((tool) => tool.name === name)?.description);
});

function* pathsIn(schema: unknown, path = ''): Generator<string> {
  const { properties, items } = (schema ?? {}) as { readonly properties?: object; readonly items?: unknown };
  yield path;
  for (const [name, child] of Object.entries(properties ?? {})) yield* pathsIn(child, `${path}.${name}`);
  if (items !== undefined) yield* pathsIn(items, `${path}[]`);
}
