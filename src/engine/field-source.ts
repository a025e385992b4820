import { bare, leaves, type Provenance, schemaAt } from '../core/fields.ts';
import type { Facts } from '../domains/facts.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** Who sets a field of a request: an argument of the tool, or somebody else than the agent. */
export type FieldSource =
  | { readonly argument: string; readonly by?: never }
  | { readonly argument?: never; readonly by: Provenance };

/**
 * Who sets what the platform calls by a path: a field of the body or of the query, what stands in it or around it, or a name in
 * the call's path. It follows from what the arguments fill and from what the contract says of the field. Undefined where the
 * operation has no such field.
 */
export function sourceOf(tool: PlatformTool, path: string): FieldSource | undefined {
  const at = plain(path);
  const argument = argumentAt(tool, at) ?? argumentIn(tool, at);
  if (argument !== undefined) return { argument };
  const field = fieldAt(tool, at);
  if (field === undefined) return undefined;
  const given = argumentFor(tool, field.at);
  return given === undefined ? { by: field.from } : { argument: given };
}

/** The argument that fills a path, or what it is a part of. */
export function argumentAt(tool: PlatformTool, path: string): string | undefined {
  const at = plain(path);
  const fills = fillsOf(tool);
  return (fills.find((fill) => fill.path === at) ?? fills.find((fill) => isWithin(at, fill.path)))?.name;
}

/** The first argument that fills a part of what stands at a path. */
const argumentIn = (tool: PlatformTool, at: string): string | undefined =>
  fillsOf(tool).find(({ path }) => isWithin(path, at))?.name;

const fillsOf = (tool: PlatformTool) =>
  Object.entries(tool.input.args).flatMap(([name, { fills }]) =>
    fills.map(({ path }) => ({ name, path: path.replace(/^\?/, '') })),
  );

const isWithin = (path: string, whole: string): boolean =>
  path.startsWith(`${whole}.`) || path.startsWith(`${whole}[]`);

/** A path as the contract writes it: `lines[3].sku` and `lines.3.sku` become `lines[].sku`. */
const plain = (path: string): string => path.replace(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');

/** What the contract says of a path: of the first field in it, where it is an object. */
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

/** The argument behind a place among the facts of a call: the handle of a thing, the reference, or an argument as it stands. */
function argumentFor(tool: PlatformTool, place = ''): string | undefined {
  const [head = '', member = ''] = place.split('.');
  const names = Object.keys(tool.input.args);
  if (head === 'args') return names.find((name) => name === member);
  if (head === 'reference') return names.find((name) => isReference(tool, name));
  return names.find((name) => tool.input.args[name]?.kind === head);
}

/** Whether an argument alone is the call's reference. */
const isReference = (tool: PlatformTool, name: string): boolean => {
  const args: Facts['args'] = { [name]: name };
  return tool.input.reference?.({ args, things: {} } as Facts) === name; // a reference is read from arguments and things alone
};
