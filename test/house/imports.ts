import { posix } from 'node:path';

/** The direction of imports. A layer imports itself and what stands here; `packages` lists npm packages where they are few. */
interface Layer {
  readonly from: readonly string[];
  /** Layers of which types alone are imported. */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
}

// biome-ignore format: a table
export const layers: Readonly<Record<string, Layer>> = {
  'src/machines': { from: [], packages: [] },
  'src/contract': { from: ['src/machines'], packages: ['zod'] },
  'src/screening': { from: ['src/contract'], packages: [] },
  'src/client':   { from: ['src/contract', 'src/machines', 'src/screening'] },
  'src/files':    { from: ['src/contract'], packages: ['node:fs', 'node:path', 'node:crypto', 'node:os'] },
  'src/http':     { from: ['src/contract'], packages: ['node:http', 'node:net'] },
  'src/sandbox':  { from: ['src/contract', 'src/machines', 'src/http'] },
  'src/guards':   { from: ['src/contract', 'src/machines'] },
  'src/ledger':   { from: ['src/contract', 'src/machines', 'src/files'] },
  'src/engine':   { from: ['src/machines', 'src/contract', 'src/client', 'src/guards', 'src/ledger', 'src/screening'] },
  'tools':        { from: ['src/machines', 'src/contract', 'src/guards', 'src/engine'], types: ['src/ledger'] },
  'src/mcp':      { from: ['src/http', 'src/engine', 'tools', 'src/contract'], types: ['src/ledger'] },
  'src/adapters': { from: ['src/engine', 'tools', 'src/contract'], types: ['src/ledger'] },
  'src/console':  { from: ['src/engine', 'tools', 'src/contract'], types: ['src/ledger'] },
  'src/evals':    { from: ['src/machines', 'src/contract', 'src/files', 'src/screening', 'src/client', 'src/sandbox', 'src/guards', 'src/ledger', 'src/engine', 'tools', 'src/mcp', 'src/adapters'] },
  'src/bin':      { from: ['src/machines', 'src/contract', 'src/files', 'src/screening', 'src/client', 'src/sandbox', 'src/guards', 'src/ledger', 'src/engine', 'tools', 'src/mcp', 'src/adapters', 'src/console', 'src/evals'] },
};
// One file, one name: the client writes secrets to the platform, so it alone opens them.
const exceptions: readonly { readonly layer: string; readonly to: string; readonly names: readonly string[] }[] = [
  { layer: 'src/client', to: 'src/ledger/vault.ts', names: ['Secret', 'reveal'] },
];

interface Import {
  readonly at: string;
  readonly layer: string;
  /** A path from the root, or the name of a package. */
  readonly to: string;
  readonly relative: boolean;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

export const layerOf = (path: string): string =>
  path.startsWith('src/') ? path.split('/').slice(0, 2).join('/') : (path.split('/')[0] ?? '');

const pattern =
  /^[ \t]*(import|export)\s+(type\s+)?(?:([\w*{][^;'"]*?)\s+from\s+)?(['"])([^'"]+)\4|\bimport\s*\(\s*(['"])([^'"]+)\6/gm;

/** Every static and dynamic import and re-export of a text. */
export function importsOf(file: string, text: string): readonly Import[] {
  return [...text.matchAll(pattern)].map((match) => {
    const specifier = match[5] ?? match[7] ?? '';
    const relative = specifier.startsWith('.');
    const clause = match[3] ?? '*';
    const named = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
    const bindings = named
      ?.split(',')
      .map((it) => it.trim())
      .filter((it) => it !== '') ?? [clause];
    return {
      at: `${file}:${text.slice(0, match.index).split('\n').length}`,
      layer: layerOf(file),
      to: relative ? posix.normalize(posix.join(posix.dirname(file), specifier)) : specifier,
      relative,
      typeOnly: match[2] !== undefined || (named !== undefined && bindings.every((it) => it.startsWith('type '))),
      names: bindings.map((it) => it.replace(/^type /, '').replace(/ as .*/, '')),
    };
  });
}

/** Why an import is against the direction; undefined where it is not. */
export function against(it: Import): string | undefined {
  const layer = layers[it.layer];
  const say = (why: string) => `${it.at}  ${it.layer} imports ${it.to}: ${why}`;
  if (layer === undefined) return say('its folder is no layer of the table');
  if (!it.relative) {
    const allowed = layer.packages === undefined || layer.packages.includes(it.to.split('/')[0] ?? '');
    return allowed ? undefined : say('this layer takes no such package');
  }
  const target = layerOf(it.to);
  if (target === it.layer || layer.from.includes(target)) return undefined;
  if (layer.types?.includes(target)) return it.typeOnly ? undefined : say('types alone may be imported from there');
  const exception = exceptions.find((one) => one.layer === it.layer && one.to === it.to);
  const stranger = it.names.find((name) => exception?.names.includes(name) !== true);
  return exception !== undefined && stranger === undefined ? undefined : say('against the direction of imports');
}
