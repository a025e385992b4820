import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { failed } from '../engine/terminal-answers.ts';
import { redactErrors } from './error-redaction.ts';
import { type FileReader, registerFiles } from './file-resources.ts';
import { instructionsOf } from './instructions.ts';
import { isOffered, type Prompt, registerPrompt } from './prompts.ts';
import { resultOf } from './result.ts';
import type { Row } from './tool-registration.ts';

/** Handles the calls of a server, and asks people. */
export interface ToolHandler extends FileReader {
  /** Verifies the state that a client sends back with a person's reaction. Throws if Purser didn't sign it. */
  readonly verify: (state: string, ctx: ServerContext) => Promise<unknown>;
  readonly call: (
    tool: string,
    args: unknown,
    asked: {
      readonly server: McpServer;
      readonly era: 'legacy' | 'modern';
      readonly ctx: ServerContext;
      /** Receives a failure after the call was answered. */
      readonly onFailure: (failure: unknown) => void;
    },
  ) => Promise<CallToolResult | InputRequiredResult>;
}

export interface FaceOptions {
  readonly rows: readonly Row[];
  /** Prompts for whole tasks; only those whose tools are all listed are offered. */
  readonly prompts?: readonly Prompt[] | undefined;
  readonly environment: string;
  readonly version: string;
  /** The call handler, which may still be loading when a client requests the list. */
  readonly handler: () => Promise<ToolHandler>;
  /** Receives internal failures; the caller reports them on stderr. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** How long a client may cache a list, which is fixed while the process runs. Own choice. */
const fixed = { ttlMs: 300_000, cacheScope: 'public' } as const;

/**
 * Creates a server object for each HTTP request or stdio connection, because a shared one can send a response to the
 * wrong client. All share the tool table and the call handler.
 */
export function createServerFactory({
  rows,
  prompts = [],
  environment,
  version,
  handler,
  onFailure = () => undefined,
}: FaceOptions): McpServerFactory {
  const instructions = instructionsOf(rows.map((row) => ({ ...row, isRead: row.config.annotations.readOnlyHint })));
  const offered = prompts.filter((prompt) => isOffered(prompt, rows));
  const listed = { tool: rows.map(({ name }) => name), prompt: offered.map(({ name }) => name) };
  const hasFiles = rows.some((row) => row.hasFile);
  return ({ era }) => {
    const server = new McpServer(
      { name: 'purser', title: 'Purser', version },
      {
        instructions,
        capabilities: {
          tools: { listChanged: false },
          ...(offered.length === 0 ? {} : { prompts: { listChanged: false } }),
          ...(hasFiles ? { resources: { listChanged: false, subscribe: false } } : {}),
        },
        cacheHints: { 'tools/list': fixed, 'prompts/list': fixed },
        requestState: { verify: async (state, ctx) => (await handler()).verify(state, ctx) },
      },
    );
    for (const { name, config } of rows)
      server.registerTool(name, config, async (args, ctx) => {
        try {
          return await (await handler()).call(name, args, { server, era, ctx, onFailure });
        } catch (failure) {
          onFailure(failure); // only for the operator: the SDK would pass its message to the model
          return resultOf(failed(environment, config.annotations.readOnlyHint));
        }
      });
    for (const prompt of offered) registerPrompt(server, prompt);
    if (hasFiles) registerFiles(server, handler);
    redactErrors(server, listed);
    return server;
  };
}
