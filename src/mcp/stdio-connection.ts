import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio as serveOver } from '@modelcontextprotocol/server/stdio';
import { createStdioWire, type Ends } from './stdio-transport.ts';

export interface Stdio {
  /** Settles when the client has closed stdin and every started call has ended. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP to one client over stdin and stdout, in either protocol era. `idle` waits for calls in progress. */
export function overStdio(
  factory: McpServerFactory,
  idle: () => Promise<void>,
  { stdin, stdout, onFailure }: Ends,
): Stdio {
  const transport = createStdioWire({ stdin, stdout });
  const onerror = (failure: unknown) => onFailure?.(protocolFailure(failure));
  const served = serveOver(factory, { transport, onerror });
  const ended = new Promise<void>((resolve) => {
    const close = transport.onclose; // the SDK's own handler, which closes the server
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
  return { closed: ended.then(idle), close: () => served.close() };
}

/** A connection failure without the client's text, which the SDK's messages repeat. */
function protocolFailure(failure: unknown): Error {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  const isSystem = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code);
  return new Error(isSystem ? `The connection failed: ${code}.` : 'The client sent a message that MCP does not allow.');
}
