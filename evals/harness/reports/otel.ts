import { createHash } from 'node:crypto';
import { stepOf } from './failures.ts';
import { eventOf, failureEvents, messagesOf } from './otel-content.ts';
import { type Attributes, attributesOf, type Span, spanKind } from './otlp.ts';
import type { Report } from './report.ts';

type Scenario = Report['scenarios'][number];
type Entry = Scenario['transcript'][number];
type Call = Extract<Entry, { kind: 'call' }>;

/**
 * The report as OTLP JSON, one line of it a request to `/v1/traces`: a trace for each scenario and each trial that was lost, in it an `invoke_agent` span
 * for each turn of the agent, in that an MCP client span for each call. Names are those of the OpenTelemetry conventions for
 * generative AI and MCP (https://github.com/open-telemetry/semantic-conventions-genai), which are still in development. What
 * is ours alone begins with `purser.`. The same report gives the same ids.
 */
export function otel(report: Report): string {
  const [name = 'purser', version = ''] = report.by.split(' ');
  const resource = { attributes: attributesOf({ 'service.name': `${name}-eval`, 'service.version': version }) };
  const scope = { name: `${name}.eval`, version };
  const lost = (report.live?.infrastructure ?? []).map((it) => lostSpan(it, report));
  const spans = [...report.scenarios.flatMap((scenario) => spansOf(scenario, report)), ...lost];
  return `${JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans, schemaUrl }] }] })}\n`;
}

/** The conventions that the names come from, as their repository has them; no version of them is released. */
const schemaUrl = 'https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev';

/** Where a report does not say when it began. */
const noMoment = '1970-01-01T00:00:00.000Z';

/** What one agent did between two lines of the customer. */
interface Turn {
  readonly place: number;
  readonly entries: readonly Entry[];
}

function spansOf(scenario: Scenario, { by, began = noMoment, mode }: Report): readonly Span[] {
  const { id, title, file, rules, verdict, failures, milliseconds } = scenario;
  const traceId = idOf(32, by, began, id);
  const rootId = idOf(16, by, began, id);
  const moment = (offset: number): string => nanoseconds(began, offset);
  const end = scenario.began + milliseconds;
  const root: Span = {
    traceId,
    spanId: rootId,
    name: `scenario ${id}`,
    kind: spanKind.internal,
    startTimeUnixNano: moment(scenario.began),
    endTimeUnixNano: moment(end),
    attributes: attributesOf({
      'test.case.name': id,
      'test.case.result.status': verdict === 'pass' ? 'pass' : 'fail',
      'test.suite.name': id.replace(/-\d{3}-.*/, ''),
      'code.file.path': file,
      'purser.title': title,
      'purser.mode': mode,
      'purser.rules': rules,
      'purser.verdict': verdict,
    }),
    events: failureEvents(failures, moment(end)),
    ...(verdict === 'pass' ? {} : { status: { code: 2, message: failures[0]?.because ?? verdict } }),
  };
  const turns = turnsOf(scenario.transcript);
  const inside = turns.flatMap(({ place, entries }) => {
    const [start, stop] = stretchOf(scenario, turns, place);
    const turnId = idOf(16, by, began, id, place);
    const said = messagesOf(entries);
    const turn: Span = {
      traceId,
      spanId: turnId,
      parentSpanId: rootId,
      name: 'invoke_agent',
      kind: spanKind.internal,
      startTimeUnixNano: moment(start),
      endTimeUnixNano: moment(stop),
      attributes: attributesOf({
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': id,
        'gen_ai.input.messages': said.input,
        'gen_ai.output.messages': said.output,
      }),
      events: eventsOf(entries, start, moment),
    };
    const calls = entries.flatMap((entry, step) =>
      entry.kind === 'call'
        ? callSpan(entry, {
            isWrong: isWrong(entry, failures),
            traceId,
            spanId: idOf(16, by, began, id, place, step),
            parentSpanId: turnId,
            start,
            moment,
          })
        : [],
    );
    return [turn, ...calls];
  });
  return [root, ...inside];
}

/** A trial that was lost: a trace of one span, as long as nothing, because nothing of it is kept. */
function lostSpan(
  { scenario, trial, because }: NonNullable<Report['live']>['infrastructure'][number],
  { by, began = noMoment, mode }: Report,
): Span {
  const at = nanoseconds(began, 0);
  return {
    traceId: idOf(32, by, began, scenario, 'lost', trial),
    spanId: idOf(16, by, began, scenario, 'lost', trial),
    name: `scenario ${scenario}`,
    kind: spanKind.internal,
    startTimeUnixNano: at,
    endTimeUnixNano: at,
    attributes: attributesOf({
      'test.case.name': scenario,
      'test.suite.name': scenario.replace(/-\d{3}-.*/, ''),
      'error.type': 'lost',
      'purser.mode': mode,
      'purser.trial': trial,
    }),
    events: [],
    status: { code: 2, message: because },
  };
}

/** A turn begins with what the customer says after the agent has done something. */
function turnsOf(transcript: readonly Entry[]): readonly Turn[] {
  const turns: Entry[][] = [];
  let begun = false;
  for (const entry of transcript) {
    if (turns.length === 0 || (entry.kind === 'user' && begun)) {
      turns.push([]);
      begun = false;
    }
    turns.at(-1)?.push(entry);
    begun ||= entry.kind !== 'user';
  }
  return turns.map((entries, place) => ({ place, entries }));
}

/** From the first call of a turn to that of the next; the first one begins, and the last one ends, with the scenario. */
function stretchOf(
  { began, milliseconds }: Scenario,
  turns: readonly Turn[],
  place: number,
): readonly [number, number] {
  const first = (turn: Turn | undefined): number | undefined =>
    turn?.entries.find((it): it is Call => it.kind === 'call')?.took?.began;
  const end = began + milliseconds;
  const later =
    turns
      .slice(place + 1)
      .map(first)
      .find((it) => it !== undefined) ?? end;
  return [place === 0 ? began : (first(turns[place]) ?? later), later];
}

interface Place {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly start: number;
  readonly moment: (offset: number) => string;
  /** Whether a failure of the scenario is about this call. */
  readonly isWrong: boolean;
}

/** Whether a failure is about a call; where no script has it, whether it was an error that no rule wanted. */
function isWrong({ step, isError, outcome }: Call, failures: Scenario['failures']): boolean {
  if (step !== undefined) return failures.some((it) => stepOf(it) === step);
  return isError && (outcome === undefined || !['refused', 'needs_approval', 'declined'].includes(outcome));
}

/** A refusal that the story is about is no error: an agent meets it, and the rule did its work. */
function callSpan({ tool, args, answer, outcome, rule, code, isError, took }: Call, place: Place): Span {
  const { traceId, spanId, parentSpanId, start, moment } = place;
  const isFault = isError && place.isWrong;
  const { began, milliseconds } = took ?? { began: start, milliseconds: 0 };
  const attributes: Attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': spanId,
    'gen_ai.tool.call.arguments': args,
    'gen_ai.tool.call.result': answer,
    'error.type': isFault ? 'tool_error' : undefined,
    'purser.outcome': outcome,
    'purser.rule': rule,
    'purser.code': code,
  };
  return {
    traceId,
    spanId,
    parentSpanId,
    name: `tools/call ${tool}`,
    kind: spanKind.client,
    startTimeUnixNano: moment(began),
    endTimeUnixNano: moment(began + milliseconds),
    attributes: attributesOf(attributes),
    events: [],
    ...(isFault ? { status: { code: 2 } } : {}),
  };
}

/** What happened besides calls and talk, each when the call before it had ended. */
function eventsOf(entries: readonly Entry[], start: number, moment: (offset: number) => string) {
  let now = start;
  return entries.flatMap((entry) => {
    if (entry.kind === 'call' && entry.took !== undefined) now = entry.took.began + entry.took.milliseconds;
    return entry.kind === 'event' ? eventOf(entry, moment(now)) : [];
  });
}

const idOf = (digits: number, ...parts: readonly (string | number)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([digits, ...parts]))
    .digest('hex')
    .slice(0, digits);

/** A moment of the run as OTLP has it: nanoseconds since 1970, as text. */
const nanoseconds = (began: string, offset: number): string =>
  String(BigInt(Date.parse(began)) * 1_000_000n + BigInt(Math.round(offset * 1_000)) * 1_000n);
