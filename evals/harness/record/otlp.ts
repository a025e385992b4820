import { answerIn, argsIn, BadRecording, isObject, jsonOf, type Recorded, textOf } from './session.ts';

// Spans by the semantic conventions of OpenTelemetry for generative AI and for MCP, as OTLP carries them in JSON.

interface Span {
  readonly id: string;
  readonly parent: string;
  /** In milliseconds. */
  readonly at: number;
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly failed: boolean;
}

/**
 * Reads a conversation out of spans: calls of tools from `execute_tool` and `tools/call`, what was said from the messages of
 * the spans of the model. Only spans that were recorded with their content say enough.
 */
export function fromOtlp(given: unknown): readonly Recorded[] {
  const spans = spansIn(given).toSorted((one, other) => one.at - other.at);
  const calls = outermost(spans);
  const said = saidIn(spans);
  const entries = [...said, ...calls.map(callOf)];
  if (entries.length === 0) throw new BadRecording('There is no conversation in these spans.');
  // What was said and done at one moment stays in the order in which spans tell it.
  return entries.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
}

export const isOtlp = (given: unknown): boolean => isObject(given) && Array.isArray(given.resourceSpans);

const isCall = ({ attributes }: Span): boolean =>
  attributes.get('gen_ai.operation.name') === 'execute_tool' || attributes.get('mcp.method.name') === 'tools/call';

/**
 * One call is told by several spans where agent, client and server each tell it, with others between them, such as a request
 * of HTTP: the outermost is the agent's.
 */
function outermost(spans: readonly Span[]): readonly Span[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  return spans
    .filter(isCall)
    .filter((span) => !above(span, byId).some((it) => isCall(it) && toolOf(it) === toolOf(span)));
}

const toolOf = ({ attributes }: Span): unknown => attributes.get('gen_ai.tool.name');

/** The spans that a span is within, as far as its agent; each once, also where parents run in a circle. */
function above(span: Span, byId: ReadonlyMap<string, Span>): readonly Span[] {
  const seen = new Set([span]);
  let it = byId.get(span.parent);
  while (it !== undefined && !seen.has(it) && it.attributes.get('gen_ai.operation.name') !== 'invoke_agent') {
    seen.add(it);
    it = byId.get(it.parent);
  }
  return [...seen].slice(1);
}

function callOf({ attributes, at, failed }: Span): Recorded {
  const tool = attributes.get('gen_ai.tool.name');
  if (typeof tool !== 'string') throw new BadRecording('A call of a tool has no gen_ai.tool.name.');
  const args = argsIn(attributes.get('gen_ai.tool.call.arguments'));
  const result = attributes.get('gen_ai.tool.call.result');
  if (args === undefined || !attributes.has('gen_ai.tool.call.arguments') || result === undefined)
    throw new BadRecording(`The span of ${tool} has no arguments or no result: record spans with their content.`);
  const answer = answerIn(typeof result === 'string' ? jsonOf(result) : result);
  return { kind: 'call', tool, args, ...answer, isError: answer.isError || failed, at };
}

/** What user and model said. Each span repeats all that was said before, so only what is new in it is taken. */
function saidIn(spans: readonly Span[]): readonly Recorded[] {
  let heard = 0;
  return spans.flatMap(({ attributes, at }) => {
    const lines = messagesIn(attributes.get('gen_ai.input.messages')).filter(({ role }) => role === 'user');
    const fresh = lines.slice(heard);
    heard = Math.max(heard, lines.length);
    const answered = messagesIn(attributes.get('gen_ai.output.messages')).filter(({ role }) => role === 'assistant');
    return [
      ...fresh.map(({ text }): Recorded => ({ kind: 'user', text, at })),
      ...answered.map(({ text }): Recorded => ({ kind: 'say', text, at })),
    ].filter((entry) => entry.kind === 'call' || entry.text !== '');
  });
}

function messagesIn(given: unknown): readonly { readonly role: unknown; readonly text: string }[] {
  const list = typeof given === 'string' ? jsonOf(given) : given;
  return (Array.isArray(list) ? list.filter(isObject) : []).map(({ role, parts }) => ({
    role,
    text: textOf(Array.isArray(parts) ? parts.filter((part) => isObject(part) && part.type === 'text') : ''),
  }));
}

function spansIn(given: unknown): readonly Span[] {
  if (!isObject(given)) throw new BadRecording('This is no OTLP JSON.');
  return listOf(given.resourceSpans)
    .flatMap(({ scopeSpans }) => listOf(scopeSpans))
    .flatMap(({ spans }) => listOf(spans))
    .map(({ spanId, parentSpanId, startTimeUnixNano, attributes, status }) => ({
      id: String(spanId),
      parent: String(parentSpanId ?? ''),
      at: Number(BigInt(String(startTimeUnixNano ?? 0)) / 1_000_000n),
      attributes: new Map(listOf(attributes).map(({ key, value }) => [String(key), plainOf(value)])),
      failed: isObject(status) && (status.code === 2 || status.code === 'STATUS_CODE_ERROR'),
    }));
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** A value as OTLP wraps it. */
function plainOf(wrapped: unknown): unknown {
  if (!isObject(wrapped)) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = wrapped;
  if (isObject(arrayValue)) return listOf(arrayValue.values).map(plainOf);
  if (isObject(kvlistValue))
    return Object.fromEntries(listOf(kvlistValue.values).map(({ key, value }) => [String(key), plainOf(value)]));
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue));
}
