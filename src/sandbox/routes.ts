import { TrieRouter } from 'hono/router/trie-router';
import { parseCall } from '../core/operation.ts';

/** What a method and a path lead to. */
export type Found<T> =
  | { readonly kind: 'route'; readonly to: T; readonly path: { readonly [name: string]: string } }
  | { readonly kind: 'otherMethod'; readonly allow: readonly string[] }
  | { readonly kind: 'nothing' };

/** A call as the documents print it, and what it leads to. */
export type Route<T> = readonly [call: string, to: T];

/**
 * Builds a router: Hono matches the path, and the best path alone decides which methods are allowed. A fixed word matches
 * before a name, so `/plans/code` is never a plan whose id is `code`.
 */
export function router<T>(calls: readonly Route<T>[]): (method: string, pathname: string) => Found<T> {
  const methods = new Map<string, Map<string, T>>();
  for (const [call, to] of calls) {
    const [method, template] = parseCall(call);
    const there = methods.get(template) ?? new Map<string, T>();
    if (!there.has(method)) there.set(method, to);
    methods.set(template, there);
  }
  const paths = new TrieRouter<ReadonlyMap<string, T>>();
  // Hono returns matches in the order in which they were added.
  for (const [template, there] of [...methods].toSorted(([one], [other]) => (sortKey(one) < sortKey(other) ? -1 : 1)))
    paths.add('ALL', template.replace(/\{(\w+)\}/g, ':$1'), there);
  return (method, pathname) => {
    const [[best]] = paths.match('ALL', pathname);
    if (best === undefined) return { kind: 'nothing' };
    const [there, names] = best;
    const to = there.get(method);
    if (to === undefined) return { kind: 'otherMethod', allow: [...there.keys(), 'OPTIONS'] };
    // Hono's trie hands out names with their values; other routers of Hono hand out positions.
    const path = decoded(names as { readonly [name: string]: string });
    return path === undefined ? { kind: 'nothing' } : { kind: 'route', to, path };
  };
}

/** Path names without their percent-encoding; undefined if one is not UTF-8. */
function decoded(names: { readonly [name: string]: string }): { readonly [name: string]: string } | undefined {
  try {
    return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

/** Sorts a name behind every fixed word at its position. */
const sortKey = (template: string): string => template.replace(/\{\w+\}/g, '\uffff');
