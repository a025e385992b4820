import type { Engine } from '../engine/engine.ts';
import { notStarted } from '../engine/terminal-answers.ts';
import type { Caller } from '../ledger/ledger.ts';
import { callerOfProcess } from './conversation.ts';
import { trackCalls, trackEngineCalls } from './pending-calls.ts';
import type { Prompt } from './prompts.ts';
import { resultOf } from './result.ts';
import { createServerFactory, type ToolHandler } from './server-factory.ts';
import { overStdio, type Stdio } from './stdio-connection.ts';
import type { Ends } from './stdio-transport.ts';
import type { answerCheck } from './tool-list.ts';
import { type ListedTool, rowOf } from './tool-registration.ts';

export interface EarlyOptions extends Ends {
  /** The tools of the engine, listed before it starts. */
  readonly listed: readonly ListedTool[];
  readonly prompts?: readonly Prompt[] | undefined;
  readonly environment: string;
  readonly caller: Caller;
  readonly version: string;
  /** Starts the engine at the first call, unless it has been started before. Whoever gives it reports why it fails. */
  readonly engine: () => Promise<Engine>;
}

/**
 * Serves an engine that is still starting: hosts wait for the tool list, which doesn't need it. The engine and its
 * schemas are loaded with the first call, and this file imports none of them.
 */
export function serveStdioEarly({ listed, engine, caller, ...options }: EarlyOptions): Stdio {
  let opened: ReturnType<typeof open> | undefined;
  const handler = async (): Promise<ToolHandler> => {
    opened ??= open(engine, caller);
    return (await opened).handler;
  };
  const { call, idle } = trackCalls<Parameters<ToolHandler['call']>, Awaited<ReturnType<ToolHandler['call']>>>(
    async (...given) => {
      const started = await handler().catch(() => undefined);
      return started === undefined ? resultOf(notStarted(options.environment)) : started.call(...given);
    },
  );
  // A person's reaction is verified before its call goes on.
  const verifying = trackCalls(async (...given: Parameters<ToolHandler['verify']>) =>
    (await handler()).verify(...given),
  );
  const counting: ToolHandler = {
    call,
    verify: verifying.call,
    fileChart: async (...given) => (await handler()).fileChart(...given),
    filePage: async (...given) => (await handler()).filePage(...given),
    files: async (...given) => (await handler()).files(...given),
  };
  const allIdle = async (): Promise<void> => {
    await verifying.idle();
    await idle();
    await (await opened?.catch(() => undefined))?.idle(); // a late answer of a person has no call
  };
  const rows = listed.map((tool) => rowOf(tool, checkOf(engine, tool.name)));
  return overStdio(createServerFactory({ ...options, rows, handler: async () => counting }), allIdle, options);
}

async function open(engine: () => Promise<Engine>, caller: Caller) {
  const { createToolHandler } = await import('./server.ts');
  const { engine: opened, idle } = trackEngineCalls((await engine()).of(caller.tenant));
  return { handler: createToolHandler(opened, callerOfProcess(opened, caller), { transport: 'stdio' }), idle };
}

type Check = ReturnType<typeof answerCheck>;

/** Validates results of a tool against its full schema, which is loaded and built at the first one. */
function checkOf(
  engine: () => Promise<Engine>,
  name: string,
): (answer: unknown) => Promise<Awaited<ReturnType<Check>>> {
  let check: Promise<Check> | undefined;
  return async (answer) => {
    check ??= loadCheck(engine, name);
    return (await check)(answer);
  };
}

async function loadCheck(engine: () => Promise<Engine>, name: string): Promise<Check> {
  const { answerCheck } = await import('./tool-list.ts');
  const tool = (await engine()).tools.find((it) => it.name === name);
  return tool === undefined ? () => ({ issues: [{ message: 'There is no such tool.' }] }) : answerCheck(tool);
}
