import type { OpenAI } from 'openai';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type AdapterOptions, createCatalogue } from './catalogue.ts';
import { jsonOf } from './schema.ts';

type ChatCall = OpenAI.ChatCompletionMessageToolCall;
type ChatMessage = OpenAI.ChatCompletionToolMessageParam;
type ResponsesCall = OpenAI.Responses.ResponseFunctionToolCall;
type ResponsesOutput = OpenAI.Responses.ResponseInputItem.FunctionCallOutput;

/** Purser's tools for the OpenAI API, or one that is like it. */
export interface OpenaiTools {
  /** For `tools` of Chat Completions. */
  readonly chat: OpenAI.ChatCompletionFunctionTool[];
  /** For `tools` of Responses. */
  readonly responses: OpenAI.Responses.FunctionTool[];
  /** Makes the call that a model asked for and answers the message to append. Never throws for what a model wrote. */
  readonly run: Run;
}

interface Run {
  (call: ChatCall, caller: Caller): Promise<ChatMessage>;
  (call: ResponsesCall, caller: Caller): Promise<ResponsesOutput>;
}

/** The tools of an engine as strict functions, and the way to run them. Throws for a name in `tools` that no tool has. */
export function openaiTools(engine: Engine, options: AdapterOptions = {}): OpenaiTools {
  const { entries, call, read } = createCatalogue(engine, options);
  const functions = entries.map(({ name, description, strict }) => ({
    name,
    description,
    parameters: { ...strict },
    strict: true,
  }));
  const answer = async (name: string, text: string, caller: Caller): Promise<string> =>
    JSON.stringify(await call(name, read(name, argumentsOf(text)), caller));

  function run(asked: ChatCall, caller: Caller): Promise<ChatMessage>;
  function run(asked: ResponsesCall, caller: Caller): Promise<ResponsesOutput>;
  async function run(asked: ChatCall | ResponsesCall, caller: Caller): Promise<ChatMessage | ResponsesOutput> {
    if (asked.type === 'function_call') {
      const output = await answer(asked.name, asked.arguments, caller);
      return { type: 'function_call_output', call_id: asked.call_id, output };
    }
    const { name, text } =
      asked.type === 'custom'
        ? { name: asked.custom.name, text: asked.custom.input }
        : { name: asked.function.name, text: asked.function.arguments };
    return { role: 'tool', tool_call_id: asked.id, content: await answer(name, text, caller) };
  }

  return {
    chat: functions.map((it) => ({ type: 'function', function: it })),
    responses: functions.map((it) => ({ type: 'function', ...it })),
    run,
  };
}

/**
 * The arguments that a model wrote. Some servers write nothing where there are none. Text that is no JSON is handed on, so
 * that the engine refuses it as any other wrong arguments, and looks into it for card data; its line breaks say nothing.
 */
function argumentsOf(text: string): unknown {
  const given = text.trim() === '' ? {} : jsonOf(text);
  return typeof given === 'string' ? given.replace(/\p{Cc}/gu, ' ') : given;
}
