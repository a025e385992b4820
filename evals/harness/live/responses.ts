import type { OpenAI } from 'openai';
import type { ListedTool } from '../world/mcp.ts';
import type { Model, ModelCall, ModelOptions, Tokens, Turn } from './model.ts';
import { openaiClient } from './openai.ts';
import { InfrastructureError, withRetries } from './patience.ts';

type Responses = OpenAI.Responses.Response;

/** A model behind Responses. What came out goes in again whole, thoughts included, as the API asks for. */
export async function responsesModel(options: ModelOptions): Promise<Model> {
  const client = await openaiClient(options);
  const { model, stream, temperature, waiting } = options;
  return (instructions, tools) => {
    const input: OpenAI.Responses.ResponseInput = [];
    const fixed = {
      model,
      instructions,
      ...(tools.length === 0 ? {} : { tools: tools.map(toolOf) }),
      ...(temperature === undefined ? {} : { temperature }),
    };
    const ask = async (): Promise<Responses> =>
      stream
        ? client.responses.stream({ ...fixed, input }).finalResponse()
        : client.responses.create({ ...fixed, input });
    return {
      addUserMessage: (line) => void input.push({ role: 'user', content: line }),
      addToolResults: (results) =>
        void input.push(
          ...results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text }) as const),
        ),
      next: async () => {
        const response = await withRetries(ask, waiting);
        if (response.error) throw new InfrastructureError(`The model failed: ${response.error.code}.`, {});
        input.push(...(response.output as OpenAI.Responses.ResponseInput)); // the API takes each item that it gives
        return turnOf(response);
      },
    };
  };
}

const toolOf = ({ name, description, inputSchema }: ListedTool): OpenAI.Responses.FunctionTool => ({
  type: 'function',
  name,
  description,
  parameters: { ...inputSchema },
  strict: false,
});

function turnOf({ output, usage }: Responses): Turn {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const refusals = parts.flatMap((part) => (part.type === 'refusal' ? part.refusal : []));
  const texts = parts.flatMap((part) => (part.type === 'output_text' ? part.text : []));
  return {
    text: [...texts, ...refusals].join('\n'),
    calls: output.flatMap((item): readonly ModelCall[] =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, text: item.arguments }] : [],
    ),
    refused: refusals.length > 0,
    tokens: tokensOf(usage),
  };
}

const tokensOf = (usage: Responses['usage']): Tokens => ({
  input: usage?.input_tokens ?? 0,
  cached: usage?.input_tokens_details?.cached_tokens ?? 0,
  output: usage?.output_tokens ?? 0,
  reasoning: usage?.output_tokens_details?.reasoning_tokens ?? 0,
});
