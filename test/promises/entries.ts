import { fork } from 'node:child_process';
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

/** What is left of a process: whether a request arrived at the platform, the answer, and what it printed. */
export interface Left {
  readonly arrived: number;
  readonly answer: Answer | undefined;
  readonly printed: Buffer;
}

/** Starts processes of one of the children's programs on a data folder. */
export async function enterers(data: string, env: NodeJS.ProcessEnv = {}, name = 'enterer') {
  const program = await programOf(new URL(`./children/${name}.ts`, import.meta.url));
  return async (entry: Entry): Promise<Left> => {
    const child = fork(program.file, [], {
      // Nothing listens there: the made-up domain has a platform of its own.
      env: { ...process.env, ...program.env, PURSER_DATA: data, PURSER_SANDBOX_URL: 'http://127.0.0.1:9', ...env },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    let arrived = 0;
    let answer: Answer | undefined;
    child.on('message', (told: 'ready' | 'arrived' | Answer) => {
      if (told === 'ready') child.send(entry);
      else if (told === 'arrived') arrived += 1;
      else answer = told;
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    const printed = Buffer.concat(chunks);
    const isKilled = signal === 'SIGKILL';
    if (isKilled !== (entry.point !== undefined))
      throw new Error(`The process of ${entry.point} ended with ${code ?? signal}: ${printed.toString()}`);
    return { arrived, answer, printed };
  };
}

/** All bytes of all files in a folder, however deep. */
export const bytesIn = (folder: string): readonly Sink[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => ({ name: file, bytes: readFileSync(file) }));
