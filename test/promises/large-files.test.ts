import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { folder } from '../faces/cli.ts';
import { root, tokens } from '../faces/support.ts';
import { csvOf, figuresOf, servedStatements } from '../support/statements.ts';

// A file passes through Purser without being in its memory as a whole. `npm run soak -- files` does it with a large one.

const megabytes = Number(process.env.FILE_MEGABYTES ?? 20);
const rowBytes = 53;
const mostKilobytes = 64 * 1_024;

it(`downloads and serves ${megabytes} MB in less than 64 MiB of memory`, { timeout: 600_000 }, async () => {
  const large = csvOf(Math.ceil((megabytes * 1_000_000) / rowBytes));
  const figures = figuresOf(large);
  const sizes = [csvOf(1_000), { ...large, bytes: figures.bytes }];
  const { baseUrl, close } = await servedStatements(() => sizes.shift() ?? large);
  onTestFinished(close);
  const args = [`${root}test/promises/children/download.ts`, baseUrl, folder()];
  const child = spawn(process.execPath, ['--expose-gc', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const said = async () => JSON.parse(String((await lines.next()).value));

  const { file, url, measured, grownKilobytes } = await said();
  expect(file).toMatchObject(figures);
  expect(figures.bytes).toBeGreaterThan(megabytes * 900_000);
  expect(measured).toBe(11);
  expect(grownKilobytes).toBeLessThan(mostKilobytes);

  const headers = { authorization: `Bearer ${tokens.app}` };
  const response = await fetch(new URL(`/files/${file.handle}`, url), { headers });
  expect([response.status, response.headers.get('repr-digest')]).toEqual([200, `sha-256=:${figures.sha256}:`]);
  const hash = createHash('sha256');
  let served = 0;
  let most = 0;
  for await (const chunk of response.body ?? []) {
    hash.update(chunk);
    const tenth = Math.floor((served / figures.bytes) * 10);
    served += chunk.length;
    if (Math.floor((served / figures.bytes) * 10) === tenth) continue;
    child.stdin.write('measure\n');
    most = Math.max(most, (await said()).grownKilobytes);
  }
  expect(hash.digest('base64')).toBe(figures.sha256);
  expect(most).toBeLessThan(mostKilobytes);
  child.stdin.write('end\n');
  console.log(`${megabytes} MB: ${grownKilobytes} KiB more to download them, ${most} KiB to serve them`);
});
