import { attributesOf, type SpanEvent } from './otlp.ts';
import type { Report } from './report.ts';

type Scenario = Report['scenarios'][number];
type Entry = Scenario['transcript'][number];

/** A message of a conversation, as `gen_ai.input.messages` and `gen_ai.output.messages` have it. */
interface Message {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly { readonly type: 'text'; readonly content: string }[];
  readonly finish_reason?: 'stop';
}

/** What was said in a turn: by the customer, and by the agent. What was called has spans of its own. */
export function messagesOf(entries: readonly Entry[]): {
  readonly input: readonly Message[] | undefined;
  readonly output: readonly Message[] | undefined;
} {
  const texts = (kind: 'user' | 'say') =>
    entries.flatMap((it) => (it.kind === kind ? [[{ type: 'text', content: it.text } as const]] : []));
  const input = texts('user').map((parts): Message => ({ role: 'user', parts }));
  const output = texts('say').map((parts): Message => ({ role: 'assistant', parts, finish_reason: 'stop' }));
  return { input: input.length === 0 ? undefined : input, output: output.length === 0 ? undefined : output };
}

/** What the clock, a fault, hostile text or somebody else did. */
export const eventOf = ({ what, text }: Extract<Entry, { kind: 'event' }>, timeUnixNano: string): SpanEvent => ({
  timeUnixNano,
  name: `purser.${what.split(' ')[0]}`,
  attributes: attributesOf({ 'purser.what': what, 'purser.text': text }),
});

/** What is wrong with a scenario, by grader; one evaluation that says so where nothing is. */
export function failureEvents(failures: Scenario['failures'], timeUnixNano: string): readonly SpanEvent[] {
  const evaluation = (name: string, passed: boolean, explanation?: string): SpanEvent => ({
    timeUnixNano,
    name: 'gen_ai.evaluation.result',
    attributes: attributesOf({
      'gen_ai.evaluation.name': name,
      'gen_ai.evaluation.score.value': passed ? 1 : 0,
      'gen_ai.evaluation.score.label': passed ? 'pass' : 'fail',
      'gen_ai.evaluation.explanation': explanation,
    }),
  });
  if (failures.length === 0) return [evaluation('scenario', true)];
  return failures.map(({ grader, at, because }) => evaluation(grader, false, `${at}: ${because}`));
}
