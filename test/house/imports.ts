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
  'src/core':      { from: [], packages: ['zod', 'node:crypto', 'node:util'] },
  'src/screening': { from: ['src/core'], packages: [] },
  'src/domains':   { from: ['src/core'], packages: ['zod', 'jose'] },
  'src/files':     { from: ['src/core'], packages: ['node:fs', 'node:fs/promises', 'node:path', 'node:crypto', 'node:os', 'node:stream'] },
  'src/listener':  { from: ['src/core'], packages: ['node:http', 'node:net'] },
  'src/client':    { from: ['src/core', 'src/screening', 'src/domains'] },
  'src/reader':    { from: ['src/core'], packages: ['ws', 'zod', 'node:http', 'node:stream'] },
  'src/ledger':    { from: ['src/core', 'src/domains', 'src/files'] },
  'src/sandbox':   { from: ['src/core', 'src/listener'] },
  'src/domains/*/sandbox': { from: ['src/core', 'src/domains', 'src/reader', 'src/sandbox'] },
  'src/sandbox/index.ts': { from: ['src/sandbox', 'src/domains/*/sandbox'] },
  'src/engine':    { from: ['src/core', 'src/screening', 'src/domains', 'src/client', 'src/ledger'] },
  'tools':         { from: ['src/core', 'src/domains', 'src/engine'], types: ['src/ledger'] },
  'src/mcp':       { from: ['src/core', 'src/engine', 'tools'], types: ['src/ledger'] },
  'src/console':   { from: ['src/core', 'src/listener', 'src/engine'], types: ['src/ledger'] },
  'src/http':      { from: ['src/core', 'src/listener', 'src/engine', 'tools', 'src/mcp', 'src/console'], types: ['src/ledger'] },
  'src/adapters':  { from: ['src/core', 'src/engine', 'tools'], types: ['src/ledger'] },
  'evals':         { from: ['src/core', 'src/domains', 'src/files', 'src/screening', 'src/client', 'src/reader', 'src/sandbox', 'src/sandbox/index.ts', 'src/ledger', 'src/engine', 'tools', 'src/mcp', 'src/http', 'src/adapters'], types: ['src/domains/*/sandbox'] },
  'src/cli':       { from: ['src/core', 'src/domains', 'src/files', 'src/listener', 'src/screening', 'src/client', 'src/reader', 'src/sandbox', 'src/domains/*/sandbox', 'src/sandbox/index.ts', 'src/ledger', 'src/engine', 'tools', 'src/mcp', 'src/http', 'src/console', 'src/adapters', 'evals'] },
};

interface Import {
  readonly at: string;
  readonly layer: string;
  /** A path from the root, or the name of a package. */
  readonly to: string;
  readonly relative: boolean;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
  readonly names: readonly string[];
}

/** The layer that a file belongs to. How the sandbox simulates the domains is a layer, and so is the file that composes both. */
export const layerOf = (path: string): string => {
  if (/^src\/domains\/(?:[^/]+\/sandbox\/|sandboxes\.ts$)/.test(path)) return 'src/domains/*/sandbox';
  if (path === 'src/sandbox/index.ts') return path;
  return path.startsWith('src/') ? path.split('/').slice(0, 2).join('/') : (path.split('/')[0] ?? '');
};

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
      dynamic: match[7] !== undefined,
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
  return say('against the direction of imports');
}
