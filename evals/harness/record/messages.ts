import { answerIn, argsIn, BadRecording, isObject, type Recorded, textOf } from './session.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Reads a conversation in the messages of Chat Completions or the items of Responses: an array of them, or an object whose
 * `messages` or `input` is one. What was said before the conversation, as system or developer, is left out.
 */
export function fromMessages(given: unknown): readonly Recorded[] {
  const items = itemsIn(given);
  const answers = new Map(items.flatMap(answerOf));
  return items.flatMap((item) => recorded(item, answers));
}

function itemsIn(given: unknown): readonly Item[] {
  const list = isObject(given) ? (given.messages ?? given.input) : given;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isObject))
    throw new BadRecording('These are no messages: an array of them is expected, or an object that has one.');
  return list;
}

/** The answer of a tool, by the id of the call. */
function answerOf({
  role,
  type,
  tool_call_id,
  call_id,
  content,
  output,
}: Item): readonly (readonly [string, unknown])[] {
  if (role === 'tool') return [[String(tool_call_id), typeof content === 'string' ? content : textOf(content)]];
  return type === 'function_call_output'
    ? [[String(call_id), typeof output === 'string' ? output : textOf(output)]]
    : [];
}

function recorded(item: Item, answers: ReadonlyMap<string, unknown>): readonly Recorded[] {
  const { role, type, content, tool_calls: calls, refusal } = item;
  if (type === 'function_call') return [callOf(String(item.call_id), item.name, item.arguments, answers)];
  const text = textOf(content) || (typeof refusal === 'string' ? refusal : '');
  if (role === 'user') return text === '' ? [] : [{ kind: 'user', text }];
  if (role !== 'assistant') return [];
  const said: readonly Recorded[] = text === '' ? [] : [{ kind: 'say', text }];
  const made = (Array.isArray(calls) ? calls.filter(isObject) : []).map((call) => {
    const { name, arguments: args } = isObject(call.function) ? call.function : call;
    return callOf(String(call.id), name, args, answers);
  });
  return [...said, ...made];
}

function callOf(id: string, name: unknown, given: unknown, answers: ReadonlyMap<string, unknown>): Recorded {
  const args = argsIn(given);
  if (typeof name !== 'string') throw new BadRecording('A call in these messages has no name.');
  if (args === undefined) throw new BadRecording(`The arguments of a call of ${name} are no JSON object.`);
  if (!answers.has(id)) throw new BadRecording(`A call of ${name} has no answer: nothing shows what came of it.`);
  return { kind: 'call', tool: name, args, ...answerIn(answers.get(id)) };
}
