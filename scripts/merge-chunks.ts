import { basename, dirname, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

// A start reads every file that it imports, and each costs half a millisecond, whatever is in it. The bundler makes a chunk of what
// the same commands share, some hundred in all. What one step of a start reads anyway becomes one file here.

/** The text of each file of the bundle, by its path. */
export type Texts = ReadonlyMap<string, string>;

type Output = Metafile['outputs'][string];

/** Entries that are read together, after those of the steps before. */
export type Steps = readonly (readonly string[])[];

/** Too large to be read by a command that doesn't need it: who imports it stays apart from who doesn't. */
const heavy = 'node_modules/@modelcontextprotocol/server/';

/** Makes one file of the chunks that a step reads and no step before, or two where the heavy package is among them. */
export async function mergeChunks(given: Texts, { outputs }: Metafile, steps: Steps): Promise<Texts> {
  const made = new Map(Object.entries(outputs).map(([path, output]) => [resolve(path), output]));
  const done = new Set<string>();
  let texts = given;
  for (const [step, entries] of steps.entries()) {
    const read = [...made].flatMap(([path, { entryPoint = '' }]) =>
      entries.includes(entryPoint) ? [...closureOf(path, made)] : [],
    );
    const fresh = [...new Set(read)].filter((path) => !done.has(path));
    const isHeavy = (path: string) => [...closureOf(path, made)].some((it) => holdsHeavy(made.get(it)));
    const groups = { light: fresh.filter((path) => !isHeavy(path)), heavy: fresh.filter(isHeavy) };
    for (const [kind, group] of Object.entries(groups)) {
      if (group.length > 1) texts = await inOneFile(texts, made, group, `step-${step}-${kind}.js`);
      for (const path of group) done.add(path);
    }
  }
  return texts;
}

const holdsHeavy = (output: Output | undefined): boolean =>
  Object.keys(output?.inputs ?? {}).some((name) => name.startsWith(heavy));

/** A file and what it imports at once. */
function closureOf(path: string, made: ReadonlyMap<string, Output>, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: to, kind, external } of made.get(path)?.imports ?? [])
    if (kind === 'import-statement' && external !== true) closureOf(resolve(to), made, found);
  return found;
}

async function inOneFile(
  texts: Texts,
  made: ReadonlyMap<string, Output>,
  group: readonly string[],
  name: string,
): Promise<Texts> {
  const folder = dirname(group[0] ?? '');
  /** What a chunk's export is called in the one file. The names of an entry stay: who imports it dynamically says them. */
  const renamed = (path: string, exported: string): string =>
    made.get(path)?.entryPoint === undefined ? `c${group.indexOf(path)}_${exported}` : exported;
  const lines = group.flatMap((path) => {
    const from = JSON.stringify(`./${basename(path)}`);
    const names = (made.get(path)?.exports ?? []).map((exported) => `${exported} as ${renamed(path, exported)}`);
    return [`import ${from};`, ...(names.length === 0 ? [] : [`export { ${names.join(', ')} } from ${from};`])];
  });
  const { outputFiles } = await build({
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', minify: true, write: false },
    ...{ legalComments: 'none', logLevel: 'warning' },
    stdin: { contents: lines.join('\n'), resolveDir: folder },
    outfile: join(folder, name),
    plugins: [fromTexts(texts, new Set(group), folder)],
  });
  const rest = [...texts].flatMap(([path, text]): [string, string][] =>
    group.includes(path) ? [] : [[path, pointed(text, group, renamed, name)]],
  );
  return new Map([...rest, ...outputFiles.map(({ path, text }): [string, string] => [path, text])]);
}

/** Reads the chunks of a group from their texts; other files of the bundle stay outside. */
const fromTexts = (texts: Texts, group: ReadonlySet<string>, folder: string): Plugin => ({
  name: 'chunks',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind }) => {
      const chunk = join(folder, path);
      return group.has(chunk) && kind === 'import-statement'
        ? { path: chunk, namespace: 'chunks' }
        : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'chunks' }, ({ path }) => ({ contents: texts.get(path) ?? '', loader: 'js' }));
  },
});

/** A file's text with its imports from a group pointed to the one file. Throws for a form of import that the bundler doesn't write. */
function pointed(
  text: string,
  group: readonly string[],
  renamed: (path: string, exported: string) => string,
  name: string,
): string {
  let changed = text;
  for (const path of group) {
    const file = basename(path).replaceAll('.', '\\.');
    const place = new RegExp(`(?:import\\{([^{}]*)\\}from|import)(\\(?)"(\\.\\/(?:chunks\\/)?)${file}"`, 'g');
    changed = changed.replace(place, (_, names: string | undefined, dynamic: string, to: string) => {
      const bound = names?.split(',').map((it) => {
        const [exported = '', local = exported] = it.split(' as ');
        return `${renamed(path, exported)} as ${local}`;
      });
      return `import${bound === undefined ? '' : `{${bound.join(',')}}from`}${dynamic}"${to}${name}"`;
    });
    if (changed.includes(`/${basename(path)}"`)) throw new Error(`An import of ${path} was not understood.`);
  }
  return changed;
}
