import type { Secret } from '../../../src/core/secret.ts';
import type { ListedTool } from '../world/mcp.ts';
import type { RetryPorts } from './patience.ts';

// What live mode needs of a model, for every API.

export const apis = ['chat', 'responses', 'langchain'] as const;
export type Api = (typeof apis)[number];

/** Where a model is and how to call it. */
export interface ModelOptions {
  readonly api: Api;
  readonly model: string;
  /** The base URL of an OpenAI-compatible API with its version; by default the SDK's own. */
  readonly baseUrl?: string | undefined;
  readonly key: Secret<string>;
  readonly stream: boolean;
  /** Sent only if set: some models reject it. */
  readonly temperature?: number | undefined;
  /** How long one request may take. */
  readonly timeoutMilliseconds: number;
  readonly waiting: RetryPorts;
}

/** A tool call as the model wrote it. Its arguments are text and may be invalid JSON. */
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

/** One turn of a model. */
export interface Turn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** The model declined to go on; `text` holds its words. */
  readonly refused: boolean;
  readonly tokens: Tokens;
}

/** A conversation with a model, with its history. */
export interface Conversation {
  /** Adds a user message. */
  addUserMessage(line: string): void;
  /** Adds the tool results, one for each call of the previous turn. */
  addToolResults(results: readonly { readonly id: string; readonly text: string }[]): void;
  /** Requests the next turn. Throws InfrastructureError if none arrives. */
  next(): Promise<Turn>;
}

/** Starts a conversation with a system prompt and tools. */
export type Model = (instructions: string, tools: readonly ListedTool[]) => Conversation;

/** A package that only live mode needs isn't installed. */
export class MissingPackage extends Error {
  override readonly name = 'MissingPackage';
  constructor(names: string, cause: unknown) {
    super(`Live mode needs ${names}: run npm install ${names}.`, { cause });
  }
}
