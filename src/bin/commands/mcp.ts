import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStdio } from '../../mcp/stdio.ts';
import { composeLate, type Starting } from '../compose.ts';
import type { Common } from '../main.ts';
import { configured, failed, onStop, tellAuditHead } from '../session.ts';
import { version } from '../version.ts';

/** `purser mcp`: serves the host that started this process, until it closes stdin or asks the process to end. */
export async function mcp(options: Common): Promise<number> {
  const configuration = await configured(options);
  const purser = composeLate(configuration);
  const stdio = serveStdio({
    engine: purser.engine,
    caller: { tenant: configuration.tenant, principal: 'agent' },
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    onFailure: failed,
  });
  // A host that has gone takes the other end of stdout with it.
  process.stdout.on('error', () => void stdio.close());
  onStop(() => void stdio.close());
  setTimeout(flushCompileCache, flushMilliseconds).unref();
  try {
    const started = await startUnlessGone(purser, stdio.closed);
    await stdio.closed;
    if (started) await tellAuditHead(purser);
    return 0;
  } finally {
    await stdio.close();
    await purser.close();
    process.stdin.destroy();
  }
}

/**
 * A host asks for the list of tools first and waits for it; ledger and platform are opened when that is done, or when this
 * time is over. Own choice.
 */
const listMilliseconds = 1_000;

/**
 * Compiled code is kept when a process ends by itself, but many hosts kill what they started: so it is kept once before, as
 * soon as what every start runs, up to the first list of tools, has been compiled. Own choice.
 */
const flushMilliseconds = 5_000;

/** Opens what calls need. False where the host was gone before that. */
async function startUnlessGone({ ready }: Starting, gone: Promise<void>): Promise<boolean> {
  const waiting = new AbortController();
  void gone.then(() => waiting.abort());
  const isGone = await pause(listMilliseconds, false, { signal: waiting.signal }).catch(() => true);
  if (!isGone) await ready();
  return !isGone;
}
