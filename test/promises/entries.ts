import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CallerRole } from '../../src/core/operation.ts';
import type { Answer } from '../../src/engine/answer.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { programOf } from '../support/bundled.ts';
import type { Sink } from './encodings.ts';

// Secrets that are entered into a Purser of another process, which is killed at one point of the call.

/** One call with a secret, and where its process dies; nowhere where no point is named. */
export interface Entry {
  readonly tool: string;
  readonly args: object;
  readonly role: CallerRole;
  readonly now: number;
  readonly point?: FailPoint;
}

/** What is left of a call: how many requests arrived at the platform, and the answer. */
export interface Left {
  readonly arrived: number;
  readonly answer: Answer | undefined;
}

/** What such a process tells: that it can be told an entry, that a request arrived, that the entry is over; or the answer. */
export type Told = 'ready' | 'arrived' | 'over' | Answer;

/**
 * Makes calls in processes of one of the children's programs on a data folder. A process that has survived its call makes the next one;
 * where none has, a new one is started, so that what comes after a death is the first thing that its process does.
 */
export async function enterers(data: string, env: NodeJS.ProcessEnv = {}, name = 'enterer') {
  const program = await programOf(new URL(`./children/${name}.ts`, import.meta.url));
  const chunks: Buffer[] = [];
  const idle: ChildProcess[] = [];

  async function start(): Promise<ChildProcess> {
    const child = fork(program.file, [], {
      // Nothing listens there: the made-up domain has a platform of its own.
      env: { ...process.env, ...program.env, PURSER_DATA: data, PURSER_SANDBOX_URL: 'http://127.0.0.1:9', ...env },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await Promise.race([once(child, 'message'), once(child, 'close')]);
    if (!child.connected) throw new Error(`It did not start: ${Buffer.concat(chunks).toString()}`);
    return child;
  }

  /** One call; throws where its process dies and is not to, or lives on and is to die. */
  async function enter(entry: Entry): Promise<Left> {
    const child = idle.pop() ?? (await start());
    let arrived = 0;
    let answer: Answer | undefined;
    const hear = (told: Told) => {
      if (told === 'arrived') arrived += 1;
      else if (typeof told === 'object') answer = told;
    };
    child.on('message', hear);
    const ended = await new Promise<string | undefined>((resolve) => {
      child.once('close', (code, signal) => resolve(String(code ?? signal)));
      child.on('message', (told: Told) => told === 'over' && resolve(undefined));
      child.send(entry, () => undefined);
    });
    for (const event of ['message', 'close']) child.removeAllListeners(event);
    if (ended === undefined) idle.push(child);
    if (ended !== (entry.point === undefined ? undefined : 'SIGKILL'))
      throw new Error(`The process of ${entry.point} ended with ${ended}: ${Buffer.concat(chunks).toString()}`);
    return { arrived, answer };
  }

  /** Ends the processes that are left; all that every one has printed. */
  async function end(): Promise<Buffer> {
    for (const child of idle.splice(0)) {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    }
    return Buffer.concat(chunks);
  }
  return { enter, end };
}

/** All bytes of all files in a folder, however deep. */
export const bytesIn = (folder: string): readonly Sink[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => ({ name: file, bytes: readFileSync(file) }));
