import { parseCall } from '../core/operation.ts';

/** What a method and a path lead to. */
export type Found<T> =
  | { readonly kind: 'route'; readonly to: T; readonly path: { readonly [name: string]: string } }
  | { readonly kind: 'otherMethod'; readonly allow: readonly string[] }
  | { readonly kind: 'nothing' };

/** A call as the documents print it, and what it leads to. */
export type Route<T> = readonly [call: string, to: T];

/** Builds a router. Fixed words of a path are tried before names. */
export function router<T>(calls: readonly Route<T>[]): (method: string, pathname: string) => Found<T> {
  const routes = calls
    .map(([call, to]) => ({ ...parts(call), to }))
    .sort((one, other) => (sortKey(one.template) < sortKey(other.template) ? -1 : 1));
  return (method, pathname) => {
    const there = routes.filter(({ pattern }) => pattern.test(pathname));
    const nearest = there.filter(({ template }) => template === there[0]?.template);
    const fitting = nearest.find((candidate) => candidate.method === method);
    if (fitting !== undefined) {
      const path = decoded(fitting.pattern.exec(pathname)?.groups ?? {});
      return path === undefined ? { kind: 'nothing' } : { kind: 'route', to: fitting.to, path };
    }
    const allow = [...new Set(nearest.map((candidate) => candidate.method))];
    return nearest.length === 0 ? { kind: 'nothing' } : { kind: 'otherMethod', allow: [...allow, 'OPTIONS'] };
  };
}

/** Path names without their percent-encoding; undefined where one is not UTF-8. */
function decoded(names: { readonly [name: string]: string }): { readonly [name: string]: string } | undefined {
  try {
    return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined; // no thing has such a name
  }
}

function parts(call: string) {
  const [method, template] = parseCall(call);
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { method, template, pattern: new RegExp(`^${pattern}$`) };
}

/** Sorts a name behind every fixed word in its place. */
const sortKey = (template: string): string => template.replace(/\{\w+\}/g, '\uffff');
