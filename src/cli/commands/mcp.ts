import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStdioEarly } from '../../mcp/lazy-stdio.ts';
import { narrowed } from '../../mcp/narrowed-list.ts';
import { choiceFault, isChosen } from '../../mcp/tool-selection.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import type { Running } from '../compose.ts';
import { makeFolder } from '../data-folder.ts';
import { listed } from '../listed.ts';
import type { Common, ToolOptions } from '../options.ts';
import { failed } from '../output.ts';
import { prompts } from '../prompts.ts';
import { configuredToServe, onStop, tellAuditHead, tellStart } from '../session.ts';
import { demandWritable, ledgerFile } from '../storage-paths.ts';
import { version } from '../version.ts';

/**
 * `purser mcp`: serves the host that started this process, until it closes stdin or ends the process. A host requests
 * the tool list first and waits for it. So the checks that can prevent a start run first, then the list is served, and
 * only then the code that calls need is loaded.
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
    listed: narrowed(
      offered.filter((tool) => isChosen(configuration.choice, tool)),
      listed,
    ),
    prompts,
    environment: configuration.environment,
    caller: { tenant: configuration.tenant, principal: 'agent' },
    version,
    engine: async () => (await start()).engine,
    stdin: process.stdin,
    stdout: process.stdout,
    onFailure: failed,
  });
  // A host that has exited has closed the other end of stdout.
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
      () => undefined, // already reported to whoever started it
    );
    process.stdin.destroy();
  }
}

/** By then a host has usually requested its list. Own choice. */
const listMilliseconds = 1_000;

/**
 * Node writes its compile cache when a process exits by itself, but many hosts kill their servers. So it is flushed
 * once, when the code that most starts run has been compiled. Own choice.
 */
const flushMilliseconds = 5_000;

async function endsWithin(milliseconds: number, end: Promise<void>): Promise<boolean> {
  const ended = new AbortController();
  void end.then(() => ended.abort());
  return pause(milliseconds, false, { signal: ended.signal }).catch(() => true);
}
