import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../scenario/packaged.ts';

/** A build of the player with Purser in it, readable, and where each of its lines comes from. */
export interface Build {
  readonly text: string;
  /** A source map, as JSON. */
  readonly map: string;
}

const entry = 'evals/harness/mutation/deep/player.ts';

export type Builder = typeof import('esbuild').build;

/** A file of the source, and what is built in its place. */
export interface Changed {
  readonly file: string;
  readonly text: string;
}

/** Builds the source of this checkout, with one file changed or as it is. */
export async function buildOf(build: Builder, changed?: Changed): Promise<Build> {
  const { outputFiles } = await build({
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', legalComments: 'none', logLevel: 'warning' },
    external: ['openai', '@langchain/*', 'pg-native'],
    // Packages may call `require`, which a module has not got.
    banner: {
      js: `import { createRequire as purserRequire } from 'node:module'; const require = purserRequire(import.meta.url);`,
    },
    ...{ sourcemap: 'external', sourcesContent: false, write: false },
    ...{ absWorkingDir: packageFolder, entryPoints: [entry], outdir: fileURLToPath(new URL('.', import.meta.url)) },
    plugins: changed === undefined ? [] : [inPlaceOf(changed)],
  });
  const ending = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  return { text: ending('.js'), map: ending('.js.map') };
}

const inPlaceOf = ({ file, text }: Changed): import('esbuild').Plugin => ({
  name: 'changed',
  setup({ onLoad }) {
    const path = join(packageFolder, file);
    const filter = new RegExp(`/${basename(file).replaceAll('.', '\\.')}$`);
    onLoad({ filter }, (args) => (args.path === path ? { contents: text, loader: 'ts' } : undefined));
  },
});
