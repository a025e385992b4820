import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStdioEarly } from '../../mcp/lazy-stdio.ts';
import { choiceFault, isChosen } from '../../mcp/tool-selection.ts';
import type { Running } from '../compose.ts';
import { BadConfiguration, type ToolOptions } from '../config.ts';
import { listed } from '../listed.ts';
import type { Common } from '../main.ts';
import { prompts } from '../prompts.ts';
import { configuredToServe, failed, onStop, tellAuditHead, tellStart } from '../session.ts';
import { demandWritable, ledgerFile, makeFolder } from '../storage-paths.ts';
import { version } from '../version.ts';

/**
 * `purser mcp`: serves the host that started this process, until it closes stdin or asks the process to end. A host asks for
 * the list of tools before anything else and waits for it. So what can keep Purser from starting is found out first, then
 * the list is served, and only then is everything loaded that a call needs.
 */
export async function mcp(options: Common & ToolOptions): Promise<number> {
  const configuration = await configuredToServe(options);
  const offered = listed.map((tool) => ({ ...tool, isRead: tool.annotations.readOnlyHint }));
  const fault = choiceFault(configuration.choice, offered);
  if (fault !== undefined) throw new BadConfiguration(fault);
  makeFolder(configuration.data);
  if (configuration.databaseUrl === undefined) demandWritable(ledgerFile(configuration));
  tellStart(configuration);
  let starting: Promise<Running> | undefined;
  const start = (): Promise<Running> => {
    starting ??= import('../start.ts').then(({ started }) => started(configuration));
    return starting;
  };
  const stdio = serveStdioEarly({
    listed: offered.filter((tool) => isChosen(configuration.choice, tool)),
    prompts,
    environment: configuration.environment,
    caller: { tenant: configuration.tenant, principal: 'agent' },
    version,
    engine: async () => (await start()).engine,
    stdin: process.stdin,
    stdout: process.stdout,
    onFailure: failed,
  });
  // A host that has gone takes the other end of stdout with it.
  process.stdout.on('error', () => void stdio.close());
  onStop(() => void stdio.close());
  setTimeout(flushCompileCache, flushMilliseconds).unref();
  try {
    if (!(await endsWithin(listMilliseconds, stdio.closed))) await start();
    await stdio.closed;
    const running = await starting;
    if (running !== undefined) await tellAuditHead(running);
    return 0;
  } finally {
    await stdio.close();
    await starting?.then(
      (running) => running.close(),
      () => undefined, // whoever started it has heard why that failed
    );
    process.stdin.destroy();
  }
}

/** Until then a host has had its list, or has not asked for it yet. Own choice. */
const listMilliseconds = 1_000;

/**
 * Compiled code is kept when a process ends by itself, but many hosts kill what they started: so it is kept once before, as
 * soon as what most starts run has been compiled. Own choice.
 */
const flushMilliseconds = 5_000;

async function endsWithin(milliseconds: number, end: Promise<void>): Promise<boolean> {
  const ended = new AbortController();
  void end.then(() => ended.abort());
  return pause(milliseconds, false, { signal: ended.signal }).catch(() => true);
}
