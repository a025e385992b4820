import { createOpenAI } from '@ai-sdk/openai';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { OpenAI } from 'openai';
import { onTestFinished } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import type { AdapterOptions } from '../../src/adapters/catalogue.ts';
import { langchainTools } from '../../src/adapters/langchain.ts';
import { openaiTools } from '../../src/adapters/openai.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { agent, type World } from '../engine/support.ts';
import { type Line, type OpenaiServer, openaiServer } from '../support/openai-server.ts';

// Host applications as people write them: ask the model, run the tools it calls, append what they said, ask again.

/** What a host has, and how a test hears of what goes on. */
export interface Stage {
  readonly it: World;
  readonly model: OpenaiServer;
  readonly options?: AdapterOptions;
  readonly maxRetries?: number;
  /** Hears every answer before the model does. */
  readonly heard: (answer: Answer) => Promise<void>;
}

export interface Host {
  readonly name: string;
  /** Whether the model must write every argument, null where it has none. */
  readonly strict: boolean;
  /** Talks until the model calls no more tools; answers what it said last. */
  readonly talk: (stage: Stage) => Promise<string>;
}

/** A scripted model, gone when the test ends. */
export async function scripted(script: readonly Line[]): Promise<OpenaiServer> {
  const server = await openaiServer(script);
  onTestFinished(() => server.close());
  return server;
}

const wish = 'Buy the headphones.';
const clientOf = ({ model, maxRetries = 0 }: Stage) => new OpenAI({ apiKey: 'none', baseURL: model.url, maxRetries });

const chat = (stream: boolean): Host => ({
  name: `OpenAI Chat Completions${stream ? ', streaming' : ''}`,
  strict: true,
  talk: async (stage) => {
    const client = clientOf(stage);
    const tools = openaiTools(stage.it.running.engine, stage.options);
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: wish }];
    for (;;) {
      const asked = { model: 'scripted', messages, tools: tools.chat };
      const completion = stream
        ? await client.chat.completions.stream(asked).finalChatCompletion()
        : await client.chat.completions.create(asked);
      const [choice] = completion.choices;
      if (choice === undefined) throw new Error('A completion has a choice.');
      const { message } = choice;
      messages.push(message);
      const answers = await Promise.all((message.tool_calls ?? []).map((call) => tools.run(call, agent)));
      if (answers.length === 0) return message.refusal ?? message.content ?? '';
      for (const { content } of answers) await stage.heard(JSON.parse(String(content)));
      messages.push(...answers);
    }
  },
});

const responses = (stream: boolean): Host => ({
  name: `OpenAI Responses${stream ? ', streaming' : ''}`,
  strict: true,
  talk: async (stage) => {
    const client = clientOf(stage);
    const tools = openaiTools(stage.it.running.engine, stage.options);
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: wish }];
    for (;;) {
      const asked = { model: 'scripted', input, tools: tools.responses };
      const { output, output_text } = stream
        ? await client.responses.stream(asked).finalResponse()
        : await client.responses.create(asked);
      // What came out goes in again, as the API's own examples do.
      input.push(...(output as OpenAI.Responses.ResponseInput));
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
      const answers = await Promise.all(calls.map((call) => tools.run(call, agent)));
      if (answers.length === 0) return output_text || refusalOf(output);
      for (const answer of answers) await stage.heard(JSON.parse(String(answer.output)));
      input.push(...answers);
    }
  },
});

const refusalOf = (output: readonly OpenAI.Responses.ResponseOutputItem[]): string =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'refusal' ? part.refusal : ''))
    .join('');

interface Bound {
  readonly stream?: boolean;
  readonly strict?: boolean;
  readonly useResponsesApi?: boolean;
}

const langchain = ({ stream = false, strict = false, useResponsesApi = false }: Bound): Host => ({
  name: `LangChain over ${useResponsesApi ? 'Responses' : 'Chat Completions'}${strict ? ', strict' : ''}${stream ? ', streaming' : ''}`,
  strict,
  talk: async (stage) => {
    const tools = await langchainTools(stage.it.running.engine, agent, { ...stage.options, strict });
    const model = new ChatOpenAI({
      ...{ model: 'scripted', apiKey: 'none', useResponsesApi, maxRetries: stage.maxRetries ?? 0 },
      configuration: { baseURL: stage.model.url },
    }).bindTools(tools, strict ? { strict } : {});
    const messages: BaseMessage[] = [new HumanMessage(wish)];
    for (;;) {
      const message = stream ? await gathered(await model.stream(messages)) : await model.invoke(messages);
      messages.push(message);
      const { tool_calls = [] } = message;
      if (tool_calls.length === 0) return refused(message) ?? message.text;
      const answers = await Promise.all(
        tool_calls.map((call) => {
          const tool = tools.find(({ name }) => name === call.name);
          if (tool === undefined) throw new Error(`The script calls ${call.name}.`);
          return tool.invoke({ ...call, type: 'tool_call' });
        }),
      );
      for (const { artifact } of answers) await stage.heard(artifact);
      messages.push(...answers);
    }
  },
});

const refused = ({ additional_kwargs }: AIMessage): string | undefined =>
  typeof additional_kwargs.refusal === 'string' ? additional_kwargs.refusal : undefined;

async function gathered(stream: AsyncIterable<Awaited<ReturnType<AIMessageChunkOf>>>): Promise<AIMessage> {
  let whole: Awaited<ReturnType<AIMessageChunkOf>> | undefined;
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  if (whole === undefined) throw new Error('A stream has a chunk.');
  return new AIMessage({
    ...{ content: whole.content, tool_calls: whole.tool_calls ?? [], additional_kwargs: whole.additional_kwargs },
    response_metadata: whole.response_metadata,
  });
}
type AIMessageChunkOf = () => Promise<import('@langchain/core/messages').AIMessageChunk>;

/** The SDK runs the tools itself; the host hears of each when it is done. */
const aiSdk = ({ stream = false, strict = false, useResponsesApi = false }: Bound): Host => ({
  name: `AI SDK over ${useResponsesApi ? 'Responses' : 'Chat Completions'}${strict ? ', strict' : ''}${stream ? ', streaming' : ''}`,
  strict,
  talk: async (stage) => {
    const { tools } = await aiSdkTools(stage.it.running.engine, agent, { ...stage.options, strict });
    const provider = createOpenAI({ apiKey: 'none', baseURL: stage.model.url });
    const messages: ModelMessage[] = [{ role: 'user', content: wish }];
    const settings = {
      ...{ model: useResponsesApi ? provider.responses('scripted') : provider.chat('scripted'), messages, tools },
      ...{ stopWhen: isStepCount(20), maxRetries: stage.maxRetries ?? 0 },
      onStepEnd: async ({ toolResults }: { readonly toolResults: readonly { readonly output: unknown }[] }) => {
        for (const { output } of toolResults) await stage.heard(output as Answer);
      },
    };
    if (!stream) return (await generateText(settings)).text;
    const failures: unknown[] = [];
    const result = streamText({ ...settings, onError: ({ error }) => void failures.push(error) });
    await result.consumeStream();
    if (failures.length > 0) throw failures[0];
    return result.text;
  },
});

export const hosts: readonly Host[] = [
  chat(false),
  chat(true),
  responses(false),
  responses(true),
  langchain({}),
  langchain({ strict: true }),
  langchain({ stream: true }),
  langchain({ useResponsesApi: true, strict: true }),
  aiSdk({}),
  aiSdk({ strict: true }),
  aiSdk({ stream: true }),
  aiSdk({ useResponsesApi: true, strict: true }),
];
