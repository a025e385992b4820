import { callerOfProcess } from '../../src/mcp/conversation.ts';
import { trackEngineCalls } from '../../src/mcp/pending-calls.ts';
import { createMcpFactory, type McpOptions } from '../../src/mcp/server.ts';
import { overStdio, type Stdio } from '../../src/mcp/stdio-connection.ts';
import type { Ends } from '../../src/mcp/stdio-transport.ts';

export type StdioOptions = Omit<McpOptions, 'transport'> & Ends;

/** Serves an engine to the one client at the other end of stdin and stdout. */
export function serveStdio(options: StdioOptions): Stdio {
  const { engine, idle } = trackEngineCalls(options.engine.of(options.caller.tenant));
  const caller = callerOfProcess(engine, options.caller);
  return overStdio(createMcpFactory({ ...options, transport: 'stdio', engine, caller }), idle, options);
}
