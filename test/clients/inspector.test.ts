import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractOf } from './contract.ts';
import { fileOf } from './support.ts';

// The Inspector's command line. Each call is a process; it ends with 5 where a tool's result is an error.

const launcher = fileOf('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const errorExit = 5;

contractOf({
  name: "the Inspector's command line",
  asks: false,
  open: async (target) => {
    const folder = mkdtempSync(join(tmpdir(), 'purser-inspector-'));
    const { kind, ...how } = target;
    const config = join(folder, 'mcp.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { purser: { type: kind, ...how } } }));
    const run = (...args: readonly string[]) =>
      new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((ended) => {
        const whole = [
          launcher,
          '--cli',
          '--config',
          config,
          '--server',
          'purser',
          '--quiet',
          '--format',
          'json',
          ...args,
        ];
        const env = { PATH: process.env.PATH, HOME: folder };
        execFile(process.execPath, whole, { env, maxBuffer: 2 ** 24 }, (error, out, err) =>
          ended({ code: Number(error?.code ?? 0), out, err }),
        );
      });
    const result = (out: string) => {
      const value = JSON.parse(out);
      return value.result ?? value;
    };
    return {
      names: async () => {
        const { out } = await run('--method', 'tools/list');
        return result(out).tools.map(({ name }: { readonly name: string }) => name);
      },
      call: async (tool, args) => {
        const given = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
        const { code, out, err } = await run(...given);
        if (out === '') throw new Error(`The Inspector ended with ${code}: ${err}`);
        return { text: result(out).content[0].text, isError: code === errorExit };
      },
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
});
