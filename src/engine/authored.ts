import type { Facts } from '../domains/facts.ts';
import type { Request } from './request.ts';
import type { Arg, PlatformTool } from './tool.ts';

/** An argument that the model gave, and the request values it sets. */
export interface Authored {
  readonly name: string;
  readonly arg: Arg;
  readonly given: unknown;
  /** The values to be sent, by contract path; the argument itself if it fills no field. */
  readonly sent: readonly { readonly path: string; readonly value: unknown }[];
}

/** Everything in a request that the model authored, by argument. Handles are left out, because they only identify things. */
export function authored(tool: PlatformTool, facts: Facts, request: Request): readonly Authored[] {
  return Object.entries(tool.input.args).flatMap(([name, arg]): readonly Authored[] => {
    const given = facts.args[name];
    if (arg.kind !== undefined) return [];
    const paths = arg.fills.filter(({ value }) => value(given) !== undefined).map(({ path }) => path);
    if (paths.length > 0)
      return [{ name, arg, given, sent: paths.map((path) => ({ path, value: sentAt(request, path) })) }];
    return given === undefined ? [] : [{ name, arg, given, sent: [{ path: '', value: given }] }];
  });
}

/** The value at a path of a request (`FillOf`), or the values of all items of a list. */
export function sentAt({ body, query, accept }: Request, path: string): unknown {
  if (path === '@accept') return accept;
  return path.startsWith('?') ? within(query, path.slice(1).split('.')) : within(body, path.split('.'));
}

function within(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  const isList = step.endsWith('[]');
  const member = (value as Readonly<Record<string, unknown>> | undefined)?.[isList ? step.slice(0, -2) : step];
  if (!isList || rest.length === 0) return within(member, rest);
  const items = ((member ?? []) as readonly unknown[]).map((item) => within(item, rest));
  return items.length > 1 ? items : items[0];
}
