import { isTree } from './values.ts';

// A golden says things once: what a thing is in an answer or a request is not written again for the ledger and the platform.

/** What a golden has said so far. */
export interface Said {
  readonly add: (value: unknown) => void;
  /** A value without the texts that were said already under the same name; states are always said. */
  readonly beyond: (value: unknown, name?: string) => unknown;
}

/** Shorter texts are flags, such as `yes`, and are written each time. */
const shortest = 4;
const always: ReadonlySet<string> = new Set(['state', 'status']);
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

export function said(): Said {
  const known = new Set<string>();
  const key = (name: string, value: string): string => `${lastOf(name)}: ${value}`;
  const add = (value: unknown, name = ''): void => {
    if (typeof value === 'string') known.add(key(name, value));
    else if (Array.isArray(value)) for (const item of value) add(item, name);
    else if (isTree(value)) for (const [member, of] of Object.entries(value)) add(of, member);
  };
  const beyond: Said['beyond'] = (value, name = '') => {
    if (typeof value === 'string')
      return value.length >= shortest && !always.has(name) && known.has(key(name, value)) ? undefined : value;
    if (Array.isArray(value)) {
      const left = value.map((item) => beyond(item, name));
      return value.length > 0 && left.every((item) => item === undefined) ? undefined : left;
    }
    if (!isTree(value)) return value;
    const left = Object.entries(value)
      .map(([member, of]) => [member, beyond(of, member)] as const)
      .filter(([, of]) => of !== undefined);
    return left.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(left);
  };
  return { add: (value) => add(value), beyond };
}

/** What one object has that an earlier one had not, or had otherwise; null for what is gone. */
export function since(earlier: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) {
  const names = [...new Set([...Object.keys(earlier), ...Object.keys(now)])];
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(earlier[name]) !== JSON.stringify(now[name]))
      .map((name) => [name, now[name] ?? null]),
  );
}
