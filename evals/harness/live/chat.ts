import type { OpenAI } from 'openai';
import type { ListedTool } from '../world/mcp.ts';
import type { Model, ModelCall, ModelOptions, Tokens, Turn } from './model.ts';
import { openaiClient } from './openai.ts';
import { InfrastructureError, withRetries } from './patience.ts';

/** A model behind Chat Completions. */
export async function chatModel(options: ModelOptions): Promise<Model> {
  const client = await openaiClient(options);
  const { model, stream, temperature, waiting } = options;
  return (instructions, tools) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: instructions }];
    const fixed = {
      model,
      ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    const ask = async (): Promise<OpenAI.ChatCompletion> =>
      stream
        ? client.chat.completions
            .stream({ ...fixed, messages, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : client.chat.completions.create({ ...fixed, messages });
    return {
      addUserMessage: (line) => void messages.push({ role: 'user', content: line }),
      addToolResults: (results) =>
        void messages.push(
          ...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }) as const),
        ),
      next: async () => {
        const { choices, usage } = await withRetries(ask, waiting);
        const message = choices?.[0]?.message;
        if (message === undefined) throw new InfrastructureError("The model's API answered without a choice.", {});
        const turn = turnOf(message, tokensOf(usage));
        messages.push(said(turn, message));
        return turn;
      },
    };
  };
}

const toolOf = ({ name, description, inputSchema }: ListedTool): OpenAI.ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...inputSchema } },
});

function turnOf(message: OpenAI.ChatCompletionMessage, tokens: Tokens): Turn {
  const { content, refusal, tool_calls: asked = [] } = message;
  const calls = asked.map(
    (call): ModelCall =>
      call.type === 'custom'
        ? { id: call.id, name: call.custom.name, text: call.custom.input }
        : { id: call.id, name: call.function.name, text: call.function.arguments },
  );
  return { text: refusal ?? content ?? '', calls, refused: typeof refusal === 'string' && refusal !== '', tokens };
}

/** What the model said, without the members that some APIs add and others refuse. */
const said = (
  { calls }: Turn,
  { content, refusal }: OpenAI.ChatCompletionMessage,
): OpenAI.ChatCompletionAssistantMessageParam => ({
  role: 'assistant',
  content,
  ...(typeof refusal === 'string' ? { refusal } : {}),
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, name, text }) => ({ id, type: 'function', function: { name, arguments: text } })),
      }),
});

const tokensOf = (usage: OpenAI.CompletionUsage | undefined): Tokens => ({
  input: usage?.prompt_tokens ?? 0,
  cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
  output: usage?.completion_tokens ?? 0,
  reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
});
