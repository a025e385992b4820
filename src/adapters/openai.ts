import type { OpenAI } from 'openai';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type AdapterOptions, type CallOptions, createCatalogue } from './catalogue.ts';
import { jsonOf } from './schema.ts';

// Purser's tools as functions of the OpenAI API, for both Chat Completions and Responses.

type ChatCall = OpenAI.ChatCompletionMessageToolCall;
type ChatMessage = OpenAI.ChatCompletionToolMessageParam;
type ResponsesCall = OpenAI.Responses.ResponseFunctionToolCall;
type ResponsesOutput = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;

/** The tools for the OpenAI API or a compatible one. */
export interface OpenaiTools {
  /** For `tools` of Chat Completions. */
  readonly chat: OpenAI.ChatCompletionFunctionTool[];
  /** For `tools` of Responses. */
  readonly responses: OpenAI.Responses.FunctionTool[];
  /** Makes a model's call and returns the message to append. Never throws because of a model's output. */
  readonly run: Run;
}

/** Options of one call: `signal` cancels it. */
type RunOptions = Pick<CallOptions, 'signal'>;

interface Run {
  (call: ChatCall, caller: Caller, more?: RunOptions): Promise<ChatMessage>;
  (call: ResponsesCall, caller: Caller, more?: RunOptions): Promise<ResponsesOutput>;
}

/** The engine's tools as strict functions, and a function to run them. Throws if `tools` names an unknown tool. */
export function openaiTools(engine: Engine, options: AdapterOptions = {}): OpenaiTools {
  const { entries, call, read } = createCatalogue(engine, options);
  const functions = entries.map(({ name, description, strict }) => ({
    name,
    description,
    parameters: { ...strict },
    strict: true,
  }));
  const answer = async (name: string, text: unknown, caller: Caller, more?: RunOptions): Promise<string> =>
    JSON.stringify(await call(name, read(name, argumentsOf(text)), caller, more));

  function run(asked: ChatCall, caller: Caller, more?: RunOptions): Promise<ChatMessage>;
  function run(asked: ResponsesCall, caller: Caller, more?: RunOptions): Promise<ResponsesOutput>;
  async function run(
    asked: ChatCall | ResponsesCall,
    caller: Caller,
    more?: RunOptions,
  ): Promise<ChatMessage | ResponsesOutput> {
    if (asked.type === 'function_call') {
      const output = await answer(asked.name, asked.arguments, caller, more);
      return { type: 'function_call_output', call_id: asked.call_id, output };
    }
    const { name, text } =
      asked.type === 'custom'
        ? { name: asked.custom.name, text: asked.custom.input }
        : { name: asked.function.name, text: asked.function.arguments };
    return { role: 'tool', tool_call_id: asked.id, content: await answer(name, text, caller, more) };
  }

  return {
    chat: functions.map((it) => ({ type: 'function', function: it })),
    responses: functions.map((it) => ({ type: 'function', ...it })),
    run,
  };
}

/**
 * The arguments of a call. If there are none, some servers send an empty text or nothing; others send an object instead of text. Text
 * that is not JSON is passed on, so the engine screens it for card data and refuses it like any invalid arguments.
 */
function argumentsOf(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? {};
  const given = text.trim() === '' ? {} : jsonOf(text);
  return typeof given === 'string' ? given.replace(/\p{Cc}/gu, ' ') : given;
}
