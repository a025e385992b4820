import type { AIMessageChunk, BaseMessage, UsageMetadata } from '@langchain/core/messages';
import { reveal } from '../../../src/core/secret.ts';
import type { ListedTool } from '../world/mcp.ts';
import { MissingPackage, type Model, type ModelCall, type ModelOptions, type Turn } from './model.ts';
import { InfrastructureError, withRetries } from './patience.ts';

/** A model behind LangChain's `ChatOpenAI`. It drops the words of a refusal: such a turn is empty, and counted as no refusal. */
export async function langchainModel(options: ModelOptions): Promise<Model> {
  const [{ ChatOpenAI }, { AIMessage, HumanMessage, SystemMessage, ToolMessage }] = await Promise.all([
    import('@langchain/openai'),
    import('@langchain/core/messages'),
  ]).catch((error: unknown) => {
    throw new MissingPackage('@langchain/core @langchain/openai', error);
  });
  const { model, baseUrl, key, stream, temperature, timeoutMilliseconds, waiting } = options;
  const chat = new ChatOpenAI({
    model,
    apiKey: reveal(key),
    streamUsage: stream,
    useResponsesApi: false,
    maxRetries: 0,
    timeout: timeoutMilliseconds,
    ...(temperature === undefined ? {} : { temperature }),
    configuration: baseUrl === undefined ? {} : { baseURL: baseUrl },
  });
  return (instructions, tools) => {
    const messages: BaseMessage[] = [new SystemMessage(instructions)];
    const bound = tools.length === 0 ? chat : chat.bindTools(tools.map(toolOf));
    return {
      addUserMessage: (line) => void messages.push(new HumanMessage(line)),
      addToolResults: (results) =>
        void messages.push(...results.map(({ id, text }) => new ToolMessage({ tool_call_id: id, content: text }))),
      next: async () => {
        const said = await withRetries(
          () => (stream ? gathered(bound.stream(messages)) : bound.invoke(messages)),
          waiting,
        );
        const turn = turnOf(said);
        // LangChain leaves a call with malformed arguments out when it sends a message again, and its answer would hang in the air.
        const calls = turn.calls.map((call) => ({
          id: call.id,
          name: call.name,
          args: argsOf(call),
          type: 'tool_call' as const,
        }));
        messages.push(new AIMessage({ content: said.content, tool_calls: calls }));
        return turn;
      },
    };
  };
}

/** A streamed message, whole. */
async function gathered(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  if (whole === undefined) throw new InfrastructureError("The model's API answered with an empty stream.", {});
  return whole;
}

const toolOf = ({ name, description, inputSchema }: ListedTool) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...inputSchema } },
});

function turnOf(said: AIMessageChunk): Turn {
  const sound = (said.tool_calls ?? []).map(
    ({ id = '', name, args }): ModelCall => ({ id, name, text: JSON.stringify(args) }),
  );
  const malformed = (said.invalid_tool_calls ?? []).map(
    ({ id = '', name = '', args = '' }): ModelCall => ({ id, name, text: args }),
  );
  const usage = said.usage_metadata as UsageMetadata | undefined; // its type depends on how the class is opened up
  return {
    text: said.text,
    calls: [...sound, ...malformed],
    refused: false,
    tokens: {
      input: usage?.input_tokens ?? 0,
      cached: usage?.input_token_details?.cache_read ?? 0,
      output: usage?.output_tokens ?? 0,
      reasoning: usage?.output_token_details?.reasoning ?? 0,
    },
  };
}

/** Parsed arguments; an empty object if they aren't a JSON object. */
function argsOf({ text }: ModelCall): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(text);
    return typeof args === 'object' && args !== null ? { ...args } : {};
  } catch {
    return {}; // the model is told what was wrong with them
  }
}
