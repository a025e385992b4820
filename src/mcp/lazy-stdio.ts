import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { alone } from './conversation.ts';
import { countedCalls } from './pending-calls.ts';
import type { Prompt } from './prompts.ts';
import { createFace, type Desk } from './server-factory.ts';
import { type Ends, overStdio, type Stdio } from './stdio-connection.ts';
import { type ListedTool, rowOf } from './tool-registration.ts';

export interface EarlyOptions extends Ends {
  /** The tools of the engine that will come. */
  readonly listed: readonly ListedTool[];
  readonly prompts?: readonly Prompt[] | undefined;
  readonly environment: string;
  readonly caller: Caller;
  readonly version: string;
  /** The engine, which is started for the first call where nobody has started it before. */
  readonly engine: () => Promise<Engine>;
}

/**
 * Serves an engine that is still on its way: hosts wait for the list of tools, which needs none. What an engine needs, the
 * schemas of its tools among it, is loaded with the first call, and this file imports none of it.
 */
export function serveStdioEarly({ listed, engine, caller, ...options }: EarlyOptions): Stdio {
  let opened: Promise<Desk> | undefined;
  const desk = (): Promise<Desk> => {
    opened ??= deskOf(engine, caller);
    return opened;
  };
  const { call, idle } = countedCalls<Parameters<Desk['call']>, Awaited<ReturnType<Desk['call']>>>(async (...given) =>
    (await desk()).call(...given),
  );
  const counting: Desk = { call, verify: async (...given) => (await desk()).verify(...given) };
  const rows = listed.map((tool) => rowOf(tool, (answer) => check(engine, tool.name, answer)));
  return overStdio(createFace({ ...options, rows, desk: async () => counting }), idle, options);
}

async function deskOf(engine: () => Promise<Engine>, caller: Caller): Promise<Desk> {
  const { createDesk } = await import('./server.ts');
  const opened = await engine();
  return createDesk(opened, alone(opened, caller), { transport: 'stdio' });
}

/** Holds an answer against the whole schema of its tool. */
async function check(engine: () => Promise<Engine>, name: string, answer: unknown) {
  const { answerCheck } = await import('./tool-list.ts');
  const tool = (await engine()).tools.find((it) => it.name === name);
  return tool === undefined ? { issues: [{ message: 'There is no such tool.' }] } : answerCheck(tool)(answer);
}
