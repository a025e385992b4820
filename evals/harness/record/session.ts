import { isError } from '../../../src/engine/answer.ts';
import type { Value, Values } from '../scenario/schema.ts';

// A recorded conversation, from any source, before it becomes a scenario.

export type Recorded =
  | { readonly kind: 'user' | 'say'; readonly text: string; readonly at?: number | undefined }
  | RecordedCall;

export interface RecordedCall {
  readonly kind: 'call';
  readonly tool: string;
  readonly args: Values;
  /** The structured answer; the text, read as JSON or as it is, where there was none. */
  readonly answer: Value;
  readonly text: string;
  readonly isError: boolean;
  /** What a person said who was asked while the call was under way. */
  readonly decided?: 'approve' | 'deny' | undefined;
  /** When it began, in milliseconds; absent if unknown. */
  readonly at?: number | undefined;
}

/** An invalid or empty recording. */
export class BadRecording extends Error {
  override readonly name = 'BadRecording';
}

/** A result of a tool as MCP carries it, or what a framework made of it. */
export function answerIn(given: unknown): Pick<RecordedCall, 'answer' | 'text' | 'isError'> {
  if (isObject(given) && ('content' in given || 'structuredContent' in given)) {
    const { content, structuredContent } = given;
    const text = textOf(content);
    return { answer: (structuredContent ?? jsonOf(text)) as Value, text, isError: given.isError === true };
  }
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? null);
  const answer = typeof given === 'string' ? jsonOf(given) : (given ?? null);
  // An answer of Purser says by itself how it ended.
  const outcome = isObject(answer) ? answer.outcome : undefined;
  return { answer: answer as Value, text, isError: typeof outcome === 'string' && isError(outcome) };
}

/** Text of a message: a text, or parts of which some are text. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => {
      if (typeof part === 'string') return part;
      const { text, content: inner } = isObject(part) ? part : {};
      return typeof text === 'string' ? text : typeof inner === 'string' ? inner : [];
    })
    .join('\n');
}

/** Arguments of a call: an object, or text that holds one. */
export function argsIn(given: unknown): Values | undefined {
  const args = typeof given === 'string' ? jsonOf(given.trim() === '' ? '{}' : given) : (given ?? {});
  return isObject(args) ? (args as Values) : undefined; // it came out of JSON
}

/** What a text of JSON holds; the text where it holds none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // plain words are an answer, too
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
