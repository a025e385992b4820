import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inject, onTestFinished, vi } from 'vitest';
import { compose, type Replacements, type Running } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { main } from '../../src/cli/main.ts';
import { folder } from '../support/folder.ts';

// What the tests of the command share: the command, in a folder of its own where nothing is configured.

export const entry = fileURLToPath(new URL('../../dist/purser.js', import.meta.url));

export { folder };

/** A file with this text in a folder of its own. */
export function fileWith(text: string, name = 'file'): string {
  const path = join(folder(), name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

export interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Closes the end that reads its stdout after the first bytes, as `head` does. */
  readonly leavesEarly?: boolean;
  /** The working directory; by default the home, which is empty. */
  readonly cwd?: string;
  /** Arguments of Node itself. */
  readonly node?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What Purser keeps apart from the data folder: every run of a test file has the same. */
export const state = mkdtempSync(join(inject('runFolder'), 'state-'));

const environment = (home: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  XDG_DATA_HOME: home,
  XDG_STATE_HOME: state,
  XDG_CACHE_HOME: tmpdir(),
  ...env,
});

/** Starts the built command as a process of its own. */
function launch(args: readonly string[], { env = {}, node = [], cwd }: Surroundings) {
  const home = folder();
  const child = spawn(process.execPath, [...node, entry, ...args], { cwd: cwd ?? home, env: environment(home, env) });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/**
 * Runs the command to its end: in this process, which is quicker, unless it is given what only a process has. That both come to
 * the same is tested in cli-process.test.ts.
 */
export const run = (args: readonly string[], around: Surroundings = {}): Promise<Ended> =>
  Object.keys(around).some((name) => name !== 'env') ? runAsProcess(args, around) : runHere(args, around);

/** Runs the built command to its end as a process of its own. */
export async function runAsProcess(args: readonly string[], around: Surroundings = {}): Promise<Ended> {
  const child = launch(args, around);
  child.stdin.end(around.input ?? '');
  if (around.leavesEarly === true) child.stdout.once('data', () => child.stdout.destroy());
  return ended(child);
}

async function runHere(args: readonly string[], { env = {} }: Surroundings): Promise<Ended> {
  const [out, err] = [heard(process.stdout), heard(process.stderr)];
  const before = { env: { ...process.env }, argv: process.argv };
  become(environment(folder(), env));
  process.argv = [process.execPath, entry, ...args];
  try {
    return { code: await main(process.argv), out: out.text(), err: err.text() };
  } finally {
    become(before.env);
    process.argv = before.argv;
    out.end();
    err.end();
  }
}

/** Exchanges the variables of this process. */
function become(variables: NodeJS.ProcessEnv): void {
  const { env } = process;
  for (const name of Object.keys(env)) delete env[name];
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) env[name] = value;
}

/** What is written to a stream of this process from now on; none of it gets out. */
function heard(stream: NodeJS.WriteStream) {
  const chunks: string[] = [];
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk, encoding, written) => {
    chunks.push(String(chunk));
    const done: unknown = typeof encoding === 'function' ? encoding : written;
    if (typeof done === 'function') done();
    return true;
  });
  return { text: () => chunks.join(''), end: () => spy.mockRestore() };
}

/** What a run printed as JSON. */
export async function runJson(args: readonly string[], around: Surroundings = {}) {
  const { code, out, err } = await run([...args, '--json'], around);
  if (out === '') throw new Error(`Nothing was printed: ${err}`);
  return { code, value: JSON.parse(out) };
}

/** A command that goes on: its lines as they come, and its end. */
export function start(args: readonly string[], around: Surroundings = {}) {
  const child = launch(args, around);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const over = ended(child);
  return {
    child,
    over,
    line: async (): Promise<string> => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`It ended: ${(await over).err}`);
      return value;
    },
    stop: (signal: NodeJS.Signals): Promise<Ended> => {
      child.kill(signal);
      return over;
    },
  };
}

async function ended(child: ChildProcess): Promise<Ended> {
  const texts = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...texts };
}

/** Does something with a Purser of this process on a data folder, and closes it, so that the command finds it done. */
export async function within<T>(
  data: string,
  work: (running: Running) => Promise<T>,
  replace: Replacements = {},
): Promise<T> {
  const running = await compose(readConfiguration({ XDG_STATE_HOME: state }, { data }), replace);
  try {
    return await work(running);
  } finally {
    await running.close();
  }
}

export const agent = { tenant: 'default', principal: 'agent' } as const;

export const order = {
  card: 'card_ada',
  reference: 'order-1',
  limit: { amount: '40.00', currency: 'GBP' },
  until: '2099-01-01T00:00:00Z',
  description: 'A lamp',
} as const;

/** Has an agent ask for a purchase; answers the approval that it waits for. */
export const proposed = (data: string): Promise<string> =>
  within(data, async ({ engine }) => {
    await engine.call('enroll_card', { card: order.card }, agent);
    const { approval } = await engine.call('initiate_purchase', order, agent);
    return approval?.id ?? '';
  });
