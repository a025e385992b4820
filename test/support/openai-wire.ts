import { jsonOf } from '../../src/adapters/schema.ts';
import type { Completion, ScriptedCall } from './openai-server.ts';

// The shapes of the OpenAI API: what a completion looks like in each of its two forms, whole and in pieces.

export type Api = 'chat' | 'responses';

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the client under test sends
type Body = any;

/** What the tools have answered so far, in order, read as JSON; text where it is none, such as a framework's own. */
export const outputsIn = (api: Api, body: Body): readonly unknown[] =>
  api === 'chat'
    ? body.messages.filter(({ role }: Body) => role === 'tool').map(({ content }: Body) => jsonOf(content))
    : [body.input]
        .flat()
        .filter(({ type }: Body) => type === 'function_call_output')
        .map(({ output }: Body) => jsonOf(output));

/** A completion as one body. `number` makes its ids its own. */
export const answerOf = (api: Api, it: Completion, { model }: Body, number: number): object =>
  api === 'chat' ? chatAnswer(it, model, number) : response(it, model, number, 'completed');

/** A completion as a stream of server-sent events. */
export const eventsOf = (api: Api, it: Completion, body: Body, number: number): string =>
  api === 'chat'
    ? [...chatChunks(it, body, number).map((chunk) => JSON.stringify(chunk)), '[DONE]']
        .map((data) => `data: ${data}\n\n`)
        .join('')
    : responseEvents(it, body.model, number)
        .map((event, sequence) => ({ ...event, sequence_number: sequence }))
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join('');

const textOf = ({ arguments: given }: ScriptedCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given);
const callId = (number: number, index: number): string => `call_${number}_${index}`;

/** A text in pieces that respect nothing, as models write them. */
const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,7}/g) ?? [];

// Chat Completions.

const usageOf = ({ usage: { input, cached = 0, output, reasoning = 0 } = { input: 0, output: 0 } }: Completion) => ({
  ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  ...{ prompt_tokens_details: { cached_tokens: cached }, completion_tokens_details: { reasoning_tokens: reasoning } },
});
const finish = ({ calls = [] }: Completion) => (calls.length > 0 ? 'tool_calls' : 'stop');

const chatCalls = ({ calls = [] }: Completion, number: number) =>
  calls.map((call, index) => ({
    id: callId(number, index),
    type: 'function',
    function: { name: call.name, arguments: textOf(call) },
  }));

const chatAnswer = (it: Completion, model: string, number: number) => {
  const calls = chatCalls(it, number);
  const message = { role: 'assistant', content: it.text ?? null, refusal: it.refusal ?? null };
  const said = { ...message, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
  const choices = [{ index: 0, message: said, logprobs: null, finish_reason: finish(it) }];
  return { id: `chatcmpl-${number}`, object: 'chat.completion', created: 0, model, choices, usage: usageOf(it) };
};

function chatChunks(it: Completion, { model, stream_options }: Body, number: number): readonly object[] {
  const chunk = (choices: readonly object[], more: object = {}) => ({
    ...{ id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 0, model, choices, ...more },
  });
  const delta = (said: object, reason: string | null = null) =>
    chunk([{ index: 0, delta: said, logprobs: null, finish_reason: reason }]);
  const parts = chatCalls(it, number).map(({ function: { name, arguments: text }, ...call }, index) => [
    { index, ...call, function: { name, arguments: '' } },
    ...pieces(text).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
  return [
    delta({ role: 'assistant', content: it.text === undefined ? null : '' }),
    ...pieces(it.text ?? '').map((content) => delta({ content })),
    ...pieces(it.refusal ?? '').map((refusal) => delta({ refusal })),
    ...parts.flat().map((part) => delta({ tool_calls: [part] })),
    delta({}, finish(it)),
    ...(stream_options?.include_usage === true ? [chunk([], { usage: usageOf(it) })] : []),
  ];
}

// Responses.

const tokensOf = ({ usage: { input, cached = 0, output, reasoning = 0 } = { input: 0, output: 0 } }: Completion) => ({
  ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached }, total_tokens: input + output },
  ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: reasoning } },
});

const contentOf = ({ text, refusal }: Completion) => [
  ...(text === undefined ? [] : [{ type: 'output_text', text, annotations: [], logprobs: [] }]),
  ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
];

const messageOf = (it: Completion, number: number, status: string) => ({
  ...{ type: 'message', id: `msg_${number}`, role: 'assistant', status },
  content: status === 'completed' ? contentOf(it) : [],
});

const callItem = (call: ScriptedCall, number: number, index: number, status: string) => ({
  ...{ type: 'function_call', id: `fc_${number}_${index}`, call_id: callId(number, index), name: call.name, status },
  arguments: status === 'completed' ? textOf(call) : '',
});

const itemsOf = (it: Completion, number: number, status: string) => [
  ...(contentOf(it).length === 0 ? [] : [messageOf(it, number, status)]),
  ...(it.calls ?? []).map((call, index) => callItem(call, number, index, status)),
];

const response = (it: Completion, model: string, number: number, status: 'in_progress' | 'completed') => ({
  ...{ id: `resp_${number}`, object: 'response', created_at: 0, status, model, error: null, incomplete_details: null },
  ...{ instructions: null, metadata: {}, parallel_tool_calls: true, temperature: 1, top_p: 1, tools: [] },
  ...{ tool_choice: 'auto', output: status === 'completed' ? itemsOf(it, number, status) : [] },
  usage: status === 'completed' ? tokensOf(it) : null,
});

type Event = { readonly type: string; readonly [member: string]: unknown };

function responseEvents(it: Completion, model: string, number: number): readonly Event[] {
  const begun = itemsOf(it, number, 'in_progress');
  const items = itemsOf(it, number, 'completed').flatMap((item, index): readonly Event[] => {
    const at = { output_index: index, item_id: item.id };
    return [
      { type: 'response.output_item.added', output_index: index, item: begun[index] },
      ...('content' in item
        ? item.content.flatMap((part, place) => partEvents(part, { ...at, content_index: place }))
        : []),
      ...('arguments' in item ? argumentEvents(item.arguments, item.name, at) : []),
      { type: 'response.output_item.done', output_index: index, item },
    ];
  });
  return [
    { type: 'response.created', response: response(it, model, number, 'in_progress') },
    { type: 'response.in_progress', response: response(it, model, number, 'in_progress') },
    ...items,
    { type: 'response.completed', response: response(it, model, number, 'completed') },
  ];
}

const argumentEvents = (text: string, name: string, at: object): readonly Event[] => [
  ...pieces(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
  { type: 'response.function_call_arguments.done', ...at, name, arguments: text },
];

function partEvents(part: ReturnType<typeof contentOf>[number], at: object): readonly Event[] {
  const [kind, text, empty] =
    'text' in part
      ? (['output_text', part.text, { ...part, text: '' }] as const)
      : (['refusal', part.refusal, { ...part, refusal: '' }] as const);
  const more = kind === 'output_text' ? { logprobs: [] } : {};
  return [
    { type: 'response.content_part.added', ...at, part: empty },
    ...pieces(text).map((delta) => ({ type: `response.${kind}.delta`, ...at, delta, ...more })),
    { type: `response.${kind}.done`, ...at, ...('text' in part ? { text } : { refusal: text }), ...more },
    { type: 'response.content_part.done', ...at, part },
  ];
}
