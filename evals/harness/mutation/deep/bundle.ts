import { fileURLToPath } from 'node:url';
import { packageFolder } from '../../scenario/packaged.ts';

/** A build of the player with Purser in it, readable, and where each of its lines comes from. */
export interface Build {
  readonly text: string;
  /** A source map, as JSON. */
  readonly map: string;
}

const entry = 'evals/harness/mutation/deep/player.ts';

/** Builds the source of this checkout. */
export async function buildOf(build: typeof import('esbuild').build): Promise<Build> {
  const { outputFiles } = await build({
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', legalComments: 'none', logLevel: 'warning' },
    external: ['openai', '@langchain/*', 'pg-native'],
    // Packages may call `require`, which a module has not got.
    banner: {
      js: `import { createRequire as purserRequire } from 'node:module'; const require = purserRequire(import.meta.url);`,
    },
    ...{ sourcemap: 'external', sourcesContent: false, write: false },
    ...{ absWorkingDir: packageFolder, entryPoints: [entry], outdir: fileURLToPath(new URL('.', import.meta.url)) },
  });
  const ending = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  return { text: ending('.js'), map: ending('.js.map') };
}
