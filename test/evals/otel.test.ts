import { beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '../../evals/harness/replay/evaluate.ts';
import { otel } from '../../evals/harness/reports/otel.ts';
import type { AnyValue, KeyValue, Span } from '../../evals/harness/reports/otlp.ts';
import { type Report, reportOf } from '../../evals/harness/reports/report.ts';
import { enrolled, stageOfFile } from './support.ts';

const stage = stageOfFile();
let report: Report;

beforeAll(async () => {
  const talk = enrolled({
    id: 'test-002-two-turns',
    rules: ['AP-03', 'EN-02'],
    steps: [
      { user: 'Set up my card.' },
      { call: 'enroll_card', args: { card: 'card_ada' } },
      { say: 'Done.' },
      { user: 'My code is otp 99887. And card_zoe?' },
      { advance: 'PT2H' },
      { call: 'enroll_card', args: { card: 'card_zoe' } },
      { say: 'I know no such card.' },
    ],
  });
  const failing = enrolled({ id: 'test-003-fails', expect: { changed: [] } });
  let time = 1_000;
  const watch = { now: () => (time += 2) };
  const loaded = [talk, failing].map((scenario) => ({ scenario, file: `${scenario.id}.yaml` }));
  const results = await evaluate(loaded, stage(), { watch });
  report = reportOf({
    by: 'purser 0.1.0',
    mode: 'replay',
    began: new Date('2026-01-15T09:00:00Z'),
    results,
    gates: [],
  });
});

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}
const traces = (): Traces => JSON.parse(otel(report)) as Traces;
const spans = (): readonly Span[] => traces().resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
const spanOf = (name: string): Span | undefined => spans().find((span) => span.name === name);

/** A value of OTLP as plain JSON. */
function plain(value: AnyValue): unknown {
  if ('intValue' in value) return Number(value.intValue);
  if ('arrayValue' in value) return value.arrayValue.values.map(plain);
  if ('kvlistValue' in value) return members(value.kvlistValue.values);
  return Object.values(value)[0] ?? null;
}
const members = (list: readonly KeyValue[] = []): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]));

describe('the traces', () => {
  it('have a trace for each scenario, in it the turns of the agent, in these the calls', () => {
    const byId = new Map(spans().map((span) => [span.spanId, span]));
    const path = (span: Span | undefined): string =>
      span === undefined ? '' : `${path(byId.get(span.parentSpanId ?? ''))}/${span.name}`;
    expect(spans().map(path)).toEqual([
      '/scenario test-002-two-turns',
      '/scenario test-002-two-turns/invoke_agent',
      '/scenario test-002-two-turns/invoke_agent/tools/call enroll_card',
      '/scenario test-002-two-turns/invoke_agent',
      '/scenario test-002-two-turns/invoke_agent/tools/call enroll_card',
      '/scenario test-003-fails',
      '/scenario test-003-fails/invoke_agent',
      '/scenario test-003-fails/invoke_agent/tools/call enroll_card',
    ]);
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(2);
    expect(members(traces().resourceSpans[0]?.resource.attributes)).toEqual({
      'service.name': 'purser-eval',
      'service.version': '0.1.0',
    });
  });

  it('are OTLP: ids in hexadecimal and each once, times in nanoseconds that lie within those of the parent', () => {
    const all = spans();
    const byId = new Map(all.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(all.length);
    for (const { traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of all) {
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(startTimeUnixNano)).toBeLessThanOrEqual(BigInt(endTimeUnixNano));
      const parent = byId.get(parentSpanId ?? '');
      if (parent === undefined) continue;
      expect(parent.traceId).toBe(traceId);
      expect(BigInt(parent.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(startTimeUnixNano));
      expect(BigInt(parent.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(endTimeUnixNano));
    }
    expect(all[0]?.startTimeUnixNano).toBe(`${Date.parse('2026-01-15T09:00:00Z')}000000`);
  });

  it('tell of a call what the conventions for MCP and generative AI name, and of ours what they do not', () => {
    const [first, second] = spans().filter(({ name }) => name === 'tools/call enroll_card');
    expect(first).toMatchObject({ kind: 3 });
    expect(first).not.toHaveProperty('status');
    expect(members(first?.attributes)).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'enroll_card',
      'gen_ai.tool.call.arguments': { card: 'card_ada' },
      'gen_ai.tool.call.result': { outcome: 'done', data: { card: 'card_ada', state: 'ACTIVE' } },
      'purser.outcome': 'done',
    });
    expect(members(second?.attributes)).toMatchObject({ 'purser.outcome': 'refused', 'purser.rule': 'EN-02' });
  });

  it('have no error where a rule refuses what the story expects, and one where a failure is about the call', () => {
    const [, refused] = spans().filter(({ name }) => name === 'tools/call enroll_card');
    expect(refused).not.toHaveProperty('status');
    expect(members(refused?.attributes)).not.toHaveProperty('error.type');
    const [first, ...rest] = report.scenarios;
    const failing = { grader: 'refused' as const, at: 'steps[4] enroll_card', because: 'it was done.' };
    const step = first?.transcript.findLast(({ kind }) => kind === 'call')?.step ?? 0;
    const wrong = { ...failing, at: `steps[${step - 1}] enroll_card` };
    const traced = (failures: readonly (typeof failing)[]) =>
      JSON.parse(
        otel({ ...report, scenarios: first === undefined ? rest : [{ ...first, failures: [...failures] }] }),
      ) as Traces;
    const statuses = (it: Traces) =>
      it.resourceSpans[0]?.scopeSpans[0]?.spans
        .filter(({ name }) => name.startsWith('tools/call'))
        .map((span) => span.status?.code);
    expect(statuses(traced([wrong]))).toEqual([undefined, 2]);
    expect(statuses(traced([]))).toEqual([undefined, undefined]);
  });

  it('tell of a turn what was said, redacted, and what else happened', () => {
    const [, turn] = spans().filter(({ name }) => name === 'invoke_agent');
    expect(members(turn?.attributes)).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': 'test-002-two-turns',
      'gen_ai.input.messages': [
        { role: 'user', parts: [{ type: 'text', content: 'My code is otp [hidden]. And card_zoe?' }] },
      ],
      'gen_ai.output.messages': [
        { role: 'assistant', parts: [{ type: 'text', content: 'I know no such card.' }], finish_reason: 'stop' },
      ],
    });
    expect(turn?.events.map(({ name, attributes }) => [name, members(attributes)])).toEqual([
      ['purser.advance', { 'purser.what': 'advance', 'purser.text': 'PT2H passes.' }],
    ]);
    expect(otel(report)).not.toContain('99887');
  });

  it('tell of a scenario how it ended, and why', () => {
    const root = spanOf('scenario test-003-fails');
    expect(members(root?.attributes)).toMatchObject({
      'test.case.name': 'test-003-fails',
      'test.case.result.status': 'fail',
      'purser.rules': ['AP-03'],
    });
    expect(root?.status).toMatchObject({ code: 2, message: expect.stringContaining('cards') });
    expect(root?.events.map(({ name, attributes }) => [name, members(attributes)])).toEqual([
      [
        'gen_ai.evaluation.result',
        expect.objectContaining({ 'gen_ai.evaluation.name': 'state', 'gen_ai.evaluation.score.label': 'fail' }),
      ],
    ]);
    expect(members(spanOf('scenario test-002-two-turns')?.events[0]?.attributes)).toMatchObject({
      'gen_ai.evaluation.score.value': 1,
    });
  });

  it('have the same ids for the same report, and others for another run', () => {
    expect(otel(report)).toBe(otel(structuredClone(report)));
    const later = JSON.parse(otel({ ...report, began: '2026-01-16T09:00:00.000Z' })) as Traces;
    const ids = new Set(spans().flatMap(({ traceId, spanId }) => [traceId, spanId]));
    const others = later.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    expect(others.some(({ traceId, spanId }) => ids.has(traceId) || ids.has(spanId))).toBe(false);
  });
});
