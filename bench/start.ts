import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundled } from '../scripts/bundle.ts';

// How long a host waits for Purser at a start, beside the barest MCP server of the same SDK, bundled and started in the same
// way: npm run bench:start [-- runs]. One after the other, in turns, so that both get the same machine.

const runs = Math.max(20, Number(process.argv[2] ?? 20));
const warmUps = 3;
const goal = 1.5;
const folder = mkdtempSync(join(tmpdir(), 'purser-bench-'));

interface Start {
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly tools: number;
}

const subjects: { readonly [name: string]: readonly string[] } = {
  bare: [join(folder, 'bare-start.js'), join(folder, 'cache')],
  purser: ['dist/purser.js', 'mcp', '--data', join(folder, 'data')],
};

try {
  await bundled({ 'bare-start': 'bench/bare-start.ts' }, folder);
  const starts: { [name: string]: Start[] } = { bare: [], purser: [] };
  for (let run = -warmUps; run < runs; run++)
    for (const [name, args] of Object.entries(subjects)) {
      const start = await once(args);
      if (run >= 0) starts[name]?.push(start);
    }
  report(starts);
} finally {
  rmSync(folder, { recursive: true });
}

/** Starts a server and measures until it has answered `tools/list`; then its stdin is closed, and it ends by itself. */
async function once(args: readonly string[]): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
  });
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line) as { id?: number; result?: { tools?: readonly unknown[] } }; // by MCP
    if (id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list', params: {} });
    }
    if (id !== 2) continue;
    const milliseconds = performance.now() - began;
    const megabytes = memoryOf(child.pid ?? 0);
    child.stdin.end();
    await gone;
    return { milliseconds, megabytes, tools: result?.tools?.length ?? 0 };
  }
  throw new Error(`${args.join(' ')} ended without a list of tools: run "npm run build".`);
}

/** Megabytes of memory in use, where the operating system tells; 0 elsewhere. */
function memoryOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  const [, kilobytes = '0'] = existsSync(file) ? (/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return Number(kilobytes) / 1024;
}

function report(starts: { readonly [name: string]: readonly Start[] }): void {
  const line = (...cells: readonly string[]) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(8) : cell.padStart(10))).join(''));
  line('server', 'tools', 'median', 'p95', 'least', 'memory');
  for (const [name, all] of Object.entries(starts)) {
    const sorted = all.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
    const cells = [at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0)].map((value) => `${value.toFixed(0)} ms`);
    line(
      name,
      String(all[0]?.tools),
      ...cells,
      `${at(
        all.map(({ megabytes }) => megabytes),
        0.5,
      ).toFixed(0)} MB`,
    );
  }
  const median = (name: string) =>
    at(
      (starts[name] ?? []).map((it) => it.milliseconds).toSorted((a, b) => a - b),
      0.5,
    );
  const ratio = median('purser') / median('bare');
  console.log(
    `\nratio ${ratio.toFixed(2)}, goal at most ${goal}: ${ratio <= goal ? 'kept' : 'missed'} (${runs} runs each)`,
  );
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
