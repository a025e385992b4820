import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileSchema, isPathSetting } from '../../src/cli/file.ts';
import { folder } from '../faces/cli.ts';

// Two values for every setting of the configuration file, made from its schema, so that a setting added later is covered.

interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
}

export interface Setting {
  /** The names on the way to it; a number stands for the element of a list. */
  readonly path: readonly (string | number)[];
  readonly node: Node;
  readonly values: readonly [unknown, unknown];
}

/** Every setting that holds a value of its own; `tenants` can't stand beside them, and has a test of its own. */
export const everySetting = (): readonly Setting[] =>
  leaves(fileSchema() as Node, []).filter(({ path }) => path[0] !== 'tenants' && path[0] !== 'tenant');

function leaves(node: Node, path: readonly (string | number)[]): readonly Setting[] {
  if (node.properties !== undefined)
    return Object.entries(node.properties).flatMap(([name, child]) => leaves(child, [...path, name]));
  if (node.items?.properties !== undefined) return leaves(node.items, [...path, 0]);
  return [{ path, node, values: valuesOf(node, path) }];
}

/** Settings that only certain words fit, by their name. */
const words: { readonly [name: string]: readonly [unknown, unknown] | undefined } = {
  currency: ['GBP', 'EUR'],
  perCall: ['1.00', '2.00'],
  total: ['1.00', '2.00'],
  tools: [['initiate_purchase'], ['update_purchase']],
  excludeTools: [['cancel_purchase'], ['update_purchase']],
  toolsets: [['purchase'], ['billing']],
  ownNumbers: [['SO-####'], ['PO-####']],
  keyId: ['5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e60', '5d1f7b52-8a4c-4b8e-9a53-3a9d2f7c1e61'],
  keyFile: ['keyFile.one', 'keyFile.two'],
  sdkReleases: [['3.6.0'], ['3.7.0']],
  rules: [{ 'AP-12': 'warn' }, { 'AP-12': 'off' }],
};

function valuesOf(node: Node, path: readonly (string | number)[]): readonly [unknown, unknown] {
  const name = String(path.at(-1));
  const named = words[name];
  if (named !== undefined) return named;
  // What a file holds may be secret; that there is one is not.
  if (isPathSetting(name)) return [`${name}.one`, undefined];
  if (node.enum !== undefined) return [node.enum[0], node.enum[1]];
  if (node.type === 'boolean') return [true, false];
  if (node.type === 'integer') return [node.minimum ?? 1, (node.minimum ?? 1) + 1];
  if (node.format === 'uri') return ['https://a.example.com', 'https://b.example.com'];
  if (node.format === 'date-time') return ['2090-01-01T00:00:00Z', '2091-01-01T00:00:00Z'];
  if (node.pattern === '^[A-Z]{2}$') return ['GB', 'DE'];
  if (node.items !== undefined) {
    const [one, other] = valuesOf(node.items, [...path, 0]);
    return [[one], [other]];
  }
  return [`${path.join(' ')} one`, `${path.join(' ')} two`];
}

/** A folder with every file that the settings name. */
export function folderFor(all: readonly Setting[]): string {
  const made = folder();
  const named = all
    .filter(({ path }) => isPathSetting(String(path.at(-1))))
    .flatMap(({ values }) => values.filter((name) => name !== undefined));
  for (const name of named) writeFileSync(join(made, String(name)), 'a'.repeat(44), { mode: 0o600 });
  return made;
}

/** A configuration in which every setting has its first value, but one its second. */
export function settingsWith(all: readonly Setting[], changed?: Setting): object {
  const whole: Record<string, unknown> = {};
  for (const setting of all) put(whole, setting.path, setting.values[setting === changed ? 1 : 0]);
  return whole;
}

function put(
  into: Record<string | number, unknown>,
  [name = '', ...rest]: readonly (string | number)[],
  value: unknown,
): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  into[name] ??= typeof rest[0] === 'number' ? [] : {};
  put(into[name] as Record<string | number, unknown>, rest, value); // it was made here
}
