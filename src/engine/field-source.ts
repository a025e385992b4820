import { bare, leaves, type Provenance, schemaAt } from '../core/fields.ts';
import type { Facts } from '../domains/facts.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** Who sets a field of a request: an argument of the tool, or somebody other than the agent. */
export type FieldSource =
  | { readonly argument: string; readonly by?: never }
  | { readonly argument?: never; readonly by: Provenance };

/**
 * Who sets the field at a path in a response of the platform: a field of the body or the query, a part or a parent of
 * one, or a name in the call's path. Derived from the arguments' fills and the contract's provenance. Undefined if the
 * operation has no such field.
 */
export function fieldSourceOf(tool: PlatformTool, path: string): FieldSource | undefined {
  const at = plain(path);
  const argument = argumentAt(tool, at) ?? argumentIn(tool, at);
  if (argument !== undefined) return { argument };
  const field = fieldAt(tool, at);
  if (field === undefined) return undefined;
  const given = argumentFor(tool, field.at);
  return given === undefined ? { by: field.from } : { argument: given };
}

/** The argument that fills a path or a parent of it. */
export function argumentAt(tool: PlatformTool, path: string): string | undefined {
  const at = plain(path);
  const fills = fillsOf(tool);
  return (fills.find((fill) => fill.path === at) ?? fills.find((fill) => isWithin(at, fill.path)))?.name;
}

/** The first argument that fills a part of a path. */
const argumentIn = (tool: PlatformTool, at: string): string | undefined =>
  fillsOf(tool).find(({ path }) => isWithin(path, at))?.name;

const fillsOf = (tool: PlatformTool) =>
  Object.entries(tool.input.args).flatMap(([name, { fills }]) =>
    fills.map(({ path }) => ({ name, path: path.replace(/^\?/, '') })),
  );

const isWithin = (path: string, whole: string): boolean =>
  path.startsWith(`${whole}.`) || path.startsWith(`${whole}[]`);

/** A path in the contract's notation: `lines[3].sku` and `lines.3.sku` become `lines[].sku`. */
const plain = (path: string): string => path.replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');

/** The provenance of a path; for an object, that of its first field. */
function fieldAt(tool: PlatformTool, at: string): { readonly from: Provenance; readonly at?: string } | undefined {
  const { body, query, path } = operationOf(tool);
  for (const part of [body, query]) {
    const schema = part && schemaAt(part, at);
    const field = schema && leaves(bare(schema))[0]?.field;
    if (field !== undefined) return { from: field.from, ...(field.at === undefined ? {} : { at: field.at }) };
  }
  const sources: Readonly<Record<string, string>> = path ?? {};
  const source = Object.hasOwn(sources, at) ? sources[at] : undefined;
  return source === undefined ? undefined : { from: 'server', at: source };
}

/** The argument behind a path in the facts: the handle of a thing, the reference, or the argument itself. */
function argumentFor(tool: PlatformTool, place = ''): string | undefined {
  const [head = '', member = ''] = place.split('.');
  const names = Object.keys(tool.input.args);
  if (head === 'args') return names.find((name) => name === member);
  if (head === 'reference') return referenceArgument(tool);
  return names.find((name) => tool.input.args[name]?.kind === head);
}

/** The argument that the call's reference changes with: the reference itself, or what makes one of several calls. */
export function referenceArgument({ input }: PlatformTool): string | undefined {
  // A reference depends only on arguments and things.
  const given = (args: Facts['args']): string | undefined => input.reference?.({ args, things: {} } as Facts);
  return Object.keys(input.args).find((name) => given({ [name]: name }) !== given({}));
}

/** The argument that names the thing that a tool moves; a new thing has none. */
export const movedBy = ({ input, observe: { moves } }: PlatformTool): string | undefined =>
  moves && Object.entries(input.args).find(([, { kind }]) => kind === moves.kind)?.[0];
