import { mkdir, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { listed } from '../src/cli/listed.ts';
import { prompts } from '../src/cli/prompts.ts';
import { mergeChunks, type Steps } from './merge-chunks.ts';

/**
 * Bundles a command with its packages. What is imported dynamically stays a file of its own, read when it is needed. The
 * benchmark bundles what it compares with in the same way. `steps` are the entries that a start reads, one step after the other.
 */
export async function bundled(
  entryPoints: { readonly [name: string]: string },
  outdir: string,
  steps: Steps = [],
): Promise<void> {
  const { outputFiles, metafile } = await build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    legalComments: 'none',
    logLevel: 'warning',
    minify: true,
    splitting: true,
    // Who evaluates a model has these, and who plants bugs into the source; nobody else is to carry them.
    external: ['openai', '@langchain/*', 'esbuild', 'oxc-parser'],
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [workedOutBeforehand],
    entryPoints: { ...entryPoints },
    outdir,
    write: false,
    metafile: true,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
  for (const [path, text] of await mergeChunks(texts, metafile, steps)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, withRequire(withRequiredBuiltins(text)));
  }
}

/** What asks for Node's own modules by `require` needs one, which a module has not got. */
const requiring = `import{createRequire as purserRequire}from'node:module';const require=purserRequire(import.meta.url);`;

/** Gives a text its `require`, after the line that names its interpreter. */
const withRequire = (text: string): string => text.replace(/^(#![^\n]*\n)?/, (first) => `${first}${requiring}\n`);

/** Puts the list of tools, the prompts and the place of the eval's thread in the place of the files that stand for them. */
const workedOutBeforehand: Plugin = {
  name: 'worked-out-beforehand',
  setup: ({ onLoad }) => {
    for (const [name, value] of Object.entries({ listed, prompts }))
      onLoad({ filter: new RegExp(`[\\\\/]src[\\\\/]cli[\\\\/]${name}\\.ts$`) }, () => ({
        contents: `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`,
      }));
    onLoad({ filter: /[\\/]src[\\/]cli[\\/]evals[\\/]lane-file\.ts$/ }, () => ({
      contents: `export const laneFile = new URL('../eval-lane.js', import.meta.url);`,
    }));
  },
};

/** An import of one of Node's own modules, as the bundler writes it; what comes before it ends a statement. */
const builtinImport = new RegExp(
  `(^|[;\\n}])import ?(?:([\\w$]+),?)? ?(?:\\*as ([\\w$]+))?(?:\\{([^{}]*)\\})? ?(?:from)?"(?:node:)?(${builtinModules
    .map((name) => name.replace(/^node:/, ''))
    .join('|')})"`,
  'g',
);

/**
 * Takes Node's own modules by `require`: an `import` of one reads all its exports, also those that load more when they are
 * read. `node:http` takes 50 ms by `import`, because that loads `fetch`, and 3 ms by `require`.
 */
function withRequiredBuiltins(text: string): string {
  return text.replace(builtinImport, (_, before: string, main = '', all = '', names = '', module) => {
    const required = `require("node:${module}")`;
    const taken = [main, all].filter((name) => name !== '').map((name) => `${name}=${required}`);
    const picked = names === '' ? [] : [`{${String(names).replaceAll(' as ', ':')}}=${required}`];
    const bindings = [...taken, ...picked];
    return `${before}${bindings.length === 0 ? required : `const ${bindings.join(',')}`}`;
  });
}
