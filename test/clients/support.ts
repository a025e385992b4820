import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { isInstalled } from './installed.ts';

// What the tests of real clients share: the clients, which a project beside this file installs, and the built Purser.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const entry = here('../../dist/purser.js');

/** A package of the project beside this file. Loosely typed, because its types are there only where it is installed. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const load = (name: string): Promise<any> => import(/* @vite-ignore */ import.meta.resolve(name));

/** A file of such a package. */
export const fileOf = (path: string): string => here(`node_modules/${path}`);

/** Describes tests of clients. Where these are not installed the tests are skipped, but in CI, where they fail. */
export function describeClient(name: string, body: () => void): void {
  if (isInstalled) return void describe(name, body);
  it(`${name}: skipped, because \`npm install --prefix test/clients --ignore-scripts\` has not been run`, ({
    skip,
  }) => {
    if (process.env.CLIENTS_REQUIRED !== undefined)
      throw new Error(
        'The clients are not installed: run npm install --prefix test/clients --ignore-scripts before the tests.',
      );
    skip();
  });
}

/** How a client reaches a Purser. */
export type Target =
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

export interface Servers {
  /** The built `purser serve`, one for a file. */
  readonly http: () => Target;
  /** The built `purser mcp`, in a data folder of its own. */
  readonly stdio: () => Target;
  /** What a person decides, with the person's token. */
  readonly decide: (approval: string, decision: 'approve' | 'deny') => Promise<void>;
}

/** The built servers of a test file. */
export function servers(): Servers {
  const folder = mkdtempSync(join(tmpdir(), 'purser-clients-'));
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, XDG_STATE_HOME: join(folder, 'state') },
    PURSER_TOOLSETS: 'all',
  };
  let served: { readonly url: string; readonly agent: string; readonly person: string; readonly stop: () => void };
  let made = 0;
  beforeAll(async () => {
    const args = ['serve', '--port', '0', '--json', '--data', join(folder, 'served')];
    const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    const { url, tokens } = JSON.parse(String(value)); // its first line
    const token = (file: string) => readFileSync(file, 'utf8').trim();
    served = { url, agent: token(tokens.agent), person: token(tokens.person), stop: () => child.kill('SIGKILL') };
  });
  afterAll(() => {
    served?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    http: () => ({
      ...{ kind: 'http', url: new URL('/mcp', served.url).href },
      headers: { authorization: `Bearer ${served.agent}` },
    }),
    stdio: () => {
      made += 1;
      const args = [entry, 'mcp', '--data', join(folder, `own-${made}`)];
      return { kind: 'stdio', command: process.execPath, args, env };
    },
    decide: async (approval, decision) => {
      const headers = { authorization: `Bearer ${served.person}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ decision });
      const { status } = await fetch(new URL(`/approvals/${approval}`, served.url), { method: 'POST', headers, body });
      if (status !== 200) throw new Error(`The decision got ${status}.`);
    },
  };
}
