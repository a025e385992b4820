import { alone } from './conversation.ts';
import { counted } from './pending-calls.ts';
import { createMcpFactory, type McpOptions } from './server.ts';
import { type Ends, overStdio, type Stdio } from './stdio-connection.ts';

export type StdioOptions = Omit<McpOptions, 'transport'> & Ends;

/** Serves an engine to the one client at the other end of stdin and stdout. */
export function serveStdio(options: StdioOptions): Stdio {
  const { engine, idle } = counted(options.engine.of(options.caller.tenant));
  const caller = alone(engine, options.caller);
  return overStdio(createMcpFactory({ ...options, transport: 'stdio', engine, caller }), idle, options);
}
