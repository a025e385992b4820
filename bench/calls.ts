import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled } from '../scripts/bundle.ts';
import { overHttp } from './calls/http.ts';
import { onReplicas } from './calls/replicas.ts';
import { overStdio } from './calls/stdio.ts';

// What a call costs, each beside the barest MCP server of the same SDK where there is one: npm run bench:calls [-- part ...], with
// the parts stdio, warm, http, replicas and counts. It prints, and never fails by time. What is called "computing" is the time
// of a processor, which hardly depends on what else runs on the machine.

const folder = mkdtempSync(join(tmpdir(), 'purser-bench-'));
const parts: Readonly<Record<string, () => Promise<readonly object[]>>> = {
  stdio: () => overStdio(folder),
  warm: async () => (await import('./calls/in-process.ts')).inProcess(),
  http: () => overHttp(folder),
  replicas: onReplicas,
  // It counts the statements of every database of this process from then on, so it comes last.
  counts: async () => (await import('./calls/counts.ts')).counted(),
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !(part in parts));
try {
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}.`);
  await bundled({ 'bare-start': 'bench/bare-start.ts', 'bare-http': 'bench/calls/bare-http.ts' }, folder);
  for (const [name, measure] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name)) console.table(await measure());
} finally {
  rmSync(folder, { recursive: true });
}
