import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { stripVTControlCharacters } from 'node:util';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

// A server's own process: how it ended, and the last that it wrote to stderr.

/** What is shown of stderr at most. Own choice: the end of a stack trace, and what comes before it. */
const mostLines = 20;
const mostCharacters = 300;
/** What is kept of stderr while the server runs. Own choice: more than the lines that are shown. */
const mostKept = 16_384;

/** A command that is started as a server. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a server fares that gives no answer. */
export interface Account {
  /** A sentence about its end; undefined while it runs. */
  readonly ended: string | undefined;
  readonly lastLines: readonly string[];
}

export interface ServerProcess {
  readonly transport: StdioClientTransport;
  readonly account: () => Promise<Account>;
}

/** A process that has not begun: the transport starts it. */
export function serverProcess({ command, args, env }: Command): ServerProcess {
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'pipe' });
  const stderr = transport.stderr as Readable | null; // piped, so a stream that can be read
  let kept = '';
  stderr?.on('data', (chunk: Buffer) => {
    kept = (kept + chunk.toString('utf8')).slice(-mostKept);
  });
  let child: ChildProcess | undefined;
  let isClosed = false;
  const noted = (message: unknown): void => {
    child ??= (message as { readonly process: ChildProcess }).process; // what Node publishes on this channel
    child.once('close', () => {
      isClosed = true;
    });
  };
  // The transport doesn't tell how its process ended. It spawns synchronously, so the only process noted is its own.
  const start = transport.start.bind(transport);
  transport.start = () => {
    subscribe('child_process', noted);
    try {
      return start();
    } finally {
      unsubscribe('child_process', noted);
    }
  };
  return {
    transport,
    account: async () => {
      if (isClosed && stderr !== null) await finished(stderr).catch(() => undefined);
      return { ended: child && endOf(child), lastLines: lastOf(kept) };
    },
  };
}

function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return `It was ended by ${signalCode}.`;
  return exitCode === null ? undefined : `It exited with code ${exitCode}.`;
}

/** A line of a stack trace that lies in Node itself: it takes the place of those that say what is wrong. */
const runtimeFrame = /^\s+at .*node:internal\//;

const lastOf = (text: string): readonly string[] =>
  stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !runtimeFrame.test(line))
    .slice(-mostLines)
    .map((line) => (line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line));
