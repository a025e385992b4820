import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { serveStdio as serveOver } from '@modelcontextprotocol/server/stdio';
import { createStdioWire } from './stdio-transport.ts';

/** The ends of a connection over stdio. */
export interface Ends {
  readonly stdin: Readable;
  /** Carries MCP and nothing else. */
  readonly stdout: Writable;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

export interface Stdio {
  /** Settles when the client has closed stdin and every call that was begun has come to its end. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP to the one client at the other end of stdin and stdout, in either era. `idle` waits for calls under way. */
export function overStdio(
  factory: McpServerFactory,
  idle: () => Promise<void>,
  { stdin, stdout, onFailure }: Ends,
): Stdio {
  const transport = createStdioWire({ stdin, stdout });
  const onerror = (failure: unknown) => onFailure?.(protocolFailure(failure));
  const served = serveOver(factory, { transport, onerror });
  const ended = new Promise<void>((resolve) => {
    const close = transport.onclose; // the SDK's own, which ends what it serves
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
  return { closed: ended.then(idle), close: () => served.close() };
}

/** A failure of the connection, without words of the client: those of the SDK repeat them. */
function protocolFailure(failure: unknown): Error {
  const code = failure instanceof Error && 'code' in failure ? failure.code : undefined;
  const isSystem = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code);
  return new Error(isSystem ? `The connection failed: ${code}.` : 'The client sent a message that MCP does not allow.');
}
