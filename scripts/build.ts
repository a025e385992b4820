/**
 * Builds `dist/`: the command, with every package it uses inside, so that it starts fast; and the library, whose packages
 * stay outside, so that a program has each of them once. Declarations are the compiler's (`npm run build:types`).
 */
import { chmod, rename, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { bundled } from './bundle.ts';

// Built aside and then put in place, so that nobody finds half of it.
const aside = `node_modules/.cache/purser-${process.pid}`;
await bundled({ purser: 'src/cli/purser.ts', 'eval-lane': 'evals/harness/replay/lane.ts' }, aside, [
  ['src/cli/folders.ts', 'src/files/database.ts'],
  ['src/cli/main.ts'],
  ['src/cli/commands/mcp.ts'],
  ['src/cli/start.ts', 'src/mcp/server.ts', 'src/mcp/tool-list.ts'],
  ['src/ledger/store.ts'],
  ['src/sandbox/index.ts'],
]);
await chmod(`${aside}/purser.js`, 0o755);
await build({
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  legalComments: 'none',
  logLevel: 'warning',
  packages: 'external',
  splitting: true,
  entryPoints: {
    index: 'src/cli/library.ts',
    openai: 'src/adapters/openai.ts',
    langchain: 'src/adapters/langchain.ts',
    'ai-sdk': 'src/adapters/ai-sdk.ts',
    evals: 'evals/harness/library.ts',
  },
  outdir: `${aside}/lib`,
});
await rm('dist', { recursive: true, force: true });
await rename(aside, 'dist');
