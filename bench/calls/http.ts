import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { cell, computedBy, medianOf, unhurried } from './figures.ts';

// Reads over HTTP without sessions, 64 connections at once, beside the barest server of the same SDK.

const connections = 64;
const calls = 2_000;
const runs = 3;

interface Served {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly call: { readonly name: string; readonly arguments: object };
}

interface Measured {
  readonly aSecond: number;
  readonly computed: number;
}

export async function overHttp(folder: string): Promise<readonly object[]> {
  const servers = [await bare(folder), ...(await purser(folder))];
  try {
    const found = new Map<string, Measured[]>();
    for (let run = -1; run < runs; run++)
      for (const served of servers) {
        const measured = await loaded(served);
        if (run >= 0) found.set(served.name, [...(found.get(served.name) ?? []), measured]);
      }
    const figure = (name: string, of: keyof Measured) => medianOf((found.get(name) ?? []).map((it) => it[of]));
    return servers.map(({ name }) => ({
      [`over HTTP, ${connections} connections`]: name,
      'calls a second': cell(figure(name, 'aSecond'), 0),
      'computing a call, ms': cell(figure(name, 'computed')),
      'to bare': cell(figure(name, 'computed') / figure('bare', 'computed')),
    }));
  } finally {
    for (const { child } of servers) child.kill('SIGTERM');
  }
}

async function bare(folder: string): Promise<Served> {
  const { child, url } = await started([join(folder, 'bare-http.js')], folder);
  return { name: 'bare', child, url, headers: {}, call: { name: 'add', arguments: { a: 1, b: 2 } } };
}

async function purser(folder: string): Promise<readonly Served[]> {
  const [config, data] = [join(folder, 'unhurried.json'), join(folder, 'served')];
  writeFileSync(config, unhurried, { mode: 0o600 });
  const { child, url } = await started(
    ['dist/purser.js', 'serve', '--json', '--port', '0', '--config', config, '--data', data],
    folder,
  );
  const headers = { authorization: `Bearer ${readFileSync(join(data, 'agent.token'), 'utf8').trim()}` };
  return [
    { name: 'get_limits', child, url, headers, call: { name: 'get_limits', arguments: {} } },
    { name: 'list_cards', child, url, headers, call: { name: 'list_cards', arguments: { shopper: 'shopper_ada' } } },
  ];
}

/** Starts a server that prints one JSON text with its address once it listens. */
async function started(
  command: readonly string[],
  folder: string,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, command, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), XDG_STATE_HOME: join(folder, 'state') },
  });
  let printed = '';
  for await (const text of child.stdout) {
    printed += text;
    const url = /"url": ?"(http:[^"]+\/mcp)"/.exec(printed)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error(`${command.join(' ')} ended before it listened.`);
}

async function loaded({ name, child, url, headers, call }: Served): Promise<Measured> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections });
  const began = { at: performance.now(), computed: computedBy(child.pid ?? 0) };
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({
        ...{ method: 'POST', path },
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: left, method: 'tools/call', params: call }),
      });
      const text = await body.text();
      if (statusCode !== 200 || !text.includes('"result"')) throw new Error(`${name}: ${statusCode} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - began.at) / 1_000;
  const computed = computedBy(child.pid ?? 0) - began.computed;
  await pool.close();
  return { aSecond: calls / seconds, computed: computed / calls };
}
