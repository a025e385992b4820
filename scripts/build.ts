/** Bundles the command and the library entries into `dist/`. Packages stay outside the bundle but for those of the command. */
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  logLevel: 'warning',
  legalComments: 'none',
} as const;

await build({
  ...common,
  entryPoints: { purser: 'src/bin/purser.ts' },
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  packages: 'external',
});
await chmod('dist/purser.js', 0o755);
