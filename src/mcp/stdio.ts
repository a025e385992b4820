import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveOver } from '@modelcontextprotocol/server/stdio';
import { limits } from '../contract/limits.ts';
import { counted } from './idle.ts';
import { createMcpFactory, type McpOptions } from './server.ts';

export interface StdioOptions extends McpOptions {
  readonly stdin: Readable;
  /** Carries MCP and nothing else. */
  readonly stdout: Writable;
}

export interface Stdio {
  /** Settles when the client has closed stdin and every call that was begun has come to its end. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP to the one client at the other end of stdin and stdout, in either era. */
export function serveStdio({ stdin, stdout, ...options }: StdioOptions): Stdio {
  const { engine, idle } = counted(options.engine);
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: limits.requestBytes });
  const served = serveOver(createMcpFactory({ ...options, engine }), {
    transport,
    ...(options.onFailure === undefined ? {} : { onerror: options.onFailure }),
  });
  const ended = new Promise<void>((resolve) => {
    const close = transport.onclose; // the SDK's own, which ends what it serves
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
  return { closed: ended.then(idle), close: () => served.close() };
}
