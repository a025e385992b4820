import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Cluster, startCluster } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the address of this run's PostgreSQL. */
    readonly postgres: string;
    /** A folder for what its processes make once and keep: they are ended without a word, so it is removed after the run. */
    readonly runFolder: string;
  }
}

/** A folder, and one PostgreSQL for all test files of a run, started when the first of them asks for it, and stopped after the last. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-run-'));
  provide('runFolder', folder);
  let cluster: Promise<Cluster> | undefined;
  const server = createServer((_, answer) => {
    cluster ??= startCluster();
    cluster.then(
      ({ url }) => answer.end(url),
      (error: unknown) =>
        answer.writeHead(500).end(error instanceof Error ? error.message : 'PostgreSQL did not start.'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('A listening server has an address with a port.');
  provide('postgres', `http://127.0.0.1:${address.port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await (await cluster?.catch(() => undefined))?.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
