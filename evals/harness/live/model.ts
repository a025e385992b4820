import type { Secret } from '../../../src/core/secret.ts';
import type { ListedTool } from '../world/mcp.ts';
import type { RetryPorts } from './patience.ts';

// What a run in live mode needs of a model, whichever API it is asked through.

export const apis = ['chat', 'responses', 'langchain'] as const;
export type Api = (typeof apis)[number];

/** Where a model is and how it is asked. */
export interface ModelOptions {
  readonly api: Api;
  readonly model: string;
  /** An OpenAI-compatible API, up to and with its version; the SDK's own where nothing is said. */
  readonly baseUrl?: string | undefined;
  readonly key: Secret<string>;
  readonly stream: boolean;
  /** Sent only where it is said: some models refuse it. */
  readonly temperature?: number | undefined;
  /** How long one request may take. */
  readonly timeoutMilliseconds: number;
  readonly waiting: RetryPorts;
}

/** A tool call as the model wrote it: its arguments are text, and may be no JSON. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** Tokens of a request or of many. Those that were read from a cache are among the input, those for thinking among the output. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

export const noTokens: Tokens = { input: 0, cached: 0, output: 0, reasoning: 0 };
export const plus = (one: Tokens, other: Tokens): Tokens => ({
  input: one.input + other.input,
  cached: one.cached + other.cached,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
});

/** What a model said in one turn. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The model declined to go on; `text` holds its words. */
  readonly refused: boolean;
  readonly tokens: Tokens;
}

/** One conversation with a model, which remembers what was said in it. */
export interface Conversation {
  /** Adds a line of the other side. */
  addUserMessage(line: string): void;
  /** Adds what tools came back with, one for each call of the turn before. */
  addToolResults(results: readonly { readonly id: string; readonly text: string }[]): void;
  /** Asks for the next turn. Throws InfrastructureError where none came. */
  next(): Promise<Turn>;
}

/** Begins a conversation: what the model is told of its part, and the tools that it has. */
export type Model = (instructions: string, tools: readonly ListedTool[]) => Conversation;

/** A package that is only needed in live mode, and is not there. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
  constructor(names: string, cause: unknown) {
    super(`Live mode needs ${names}: run npm install ${names}.`, { cause });
  }
}
