import {
  type CallToolResult,
  type InputRequiredResult,
  McpServer,
  type McpServerFactory,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { failed } from '../engine/terminal-answers.ts';
import { speakOwnWords } from './error-redaction.ts';
import { instructionsOf } from './instructions.ts';
import { type Prompt, registerPrompt } from './prompts.ts';
import { resultOf } from './result.ts';
import type { Row } from './tool-registration.ts';

/** What stands behind the face: makes the calls that come, and asks people. */
export interface Desk {
  /** Checks the state that a client sends back with a person's reaction; throws for one that is not ours. */
  readonly verify: (state: string, ctx: ServerContext) => Promise<unknown>;
  readonly call: (
    tool: string,
    args: unknown,
    asked: { readonly server: McpServer; readonly era: 'legacy' | 'modern'; readonly ctx: ServerContext },
  ) => Promise<CallToolResult | InputRequiredResult>;
}

export interface FaceOptions {
  readonly rows: readonly Row[];
  /** Briefs for whole pieces of work; those whose toolset is there are offered. */
  readonly prompts?: readonly Prompt[] | undefined;
  readonly environment: string;
  readonly version: string;
  /** The desk, which may still be on its way when the first client asks for the list. */
  readonly desk: () => Promise<Desk>;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** How long a client may keep a list: it is fixed while the process runs. Own choice. */
const fixed = { ttlMs: 300_000, cacheScope: 'public' } as const;

/**
 * Makes server objects: a new one for each HTTP request or stdio connection, because one that is shared can send an answer
 * to the wrong client. Rows and desk are shared by all.
 */
export function createFace({
  rows,
  prompts = [],
  environment,
  version,
  desk,
  onFailure = () => undefined,
}: FaceOptions): McpServerFactory {
  const toolsets = new Set(rows.flatMap(({ toolset }) => toolset ?? []));
  const instructions = instructionsOf(toolsets);
  const offered = prompts.filter(({ toolset }) => toolsets.has(toolset));
  return ({ era }) => {
    const server = new McpServer(
      { name: 'purser', title: 'Purser', version },
      {
        instructions,
        capabilities: {
          tools: { listChanged: false },
          ...(offered.length === 0 ? {} : { prompts: { listChanged: false } }),
        },
        cacheHints: { 'tools/list': fixed, 'prompts/list': fixed },
        requestState: { verify: async (state, ctx) => (await desk()).verify(state, ctx) },
      },
    );
    for (const { name, config } of rows)
      server.registerTool(name, config, async (args, ctx) => {
        try {
          return await (await desk()).call(name, args, { server, era, ctx });
        } catch (failure) {
          onFailure(failure); // its text is for the operator: the SDK would tell it to the model
          return resultOf(failed(environment));
        }
      });
    for (const prompt of offered) registerPrompt(server, prompt);
    speakOwnWords(server);
    return server;
  };
}
