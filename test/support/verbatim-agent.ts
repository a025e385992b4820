import { filled } from '../../evals/harness/scenario/captures.ts';
import { type CallStep, isCall, type Scenario, type Values } from '../../evals/harness/scenario/schema.ts';
import type { Completion, Line } from './openai-server.ts';

/** What a model says in place of a line of the script. */
export type Speaks = (line: string) => string;

/** What a model sends first in place of the arguments of a call; undefined where it makes the call at once. */
export type Fumbles = (args: Values) => Values | undefined;

/** Requests beyond the steps of a script: those that end a turn without a line. Own choice. */
const spare = 20;

/** The lines of a model that plays a script word by word, for every request that a trial can make. */
export function verbatim(
  { steps }: Scenario,
  speaks: Speaks = (line) => line,
  fumbles: Fumbles = () => undefined,
): readonly Line[] {
  const captures = new Map<string, unknown>();
  const made: (string | undefined)[] = [];
  let at = 0;
  // The first line of the customer is why it is asked at all.
  let isListening = true;
  let fumbled: CallStep | undefined;
  const call = (step: CallStep, text: string): Completion => {
    isListening = false;
    const args = filled(step.args, captures) as Values; // the same shape
    const first = fumbled === step ? undefined : fumbles(args);
    fumbled = first && step;
    made.push(first === undefined ? step.as : undefined);
    return { text, calls: [{ name: step.call, arguments: first ?? args }] };
  };
  const speak = (text: string): Completion => {
    isListening = true;
    return { text };
  };
  const next: Line = ({ outputs }) => {
    // What was called is answered by now.
    for (const [index, name] of made.entries()) if (name !== undefined) captures.set(name, outputs[index]);
    if (fumbled !== undefined) return call(fumbled, '');
    for (; at < steps.length; at += 1) {
      const step = steps[at];
      if (step === undefined || isCall(step) || 'say' in step) break;
      // The customer speaks only to somebody who listens.
      if ('user' in step && !isListening) return speak('One moment.');
      if ('user' in step) isListening = false;
    }
    const step = steps[at];
    if (step === undefined) return speak('That is all.');
    at += 1;
    if (isCall(step)) return call(step, '');
    const text = 'say' in step ? speaks(step.say) : '';
    const after = steps[at];
    if (after === undefined || !isCall(after)) return speak(text);
    at += 1;
    return call(after, text);
  };
  return Array.from({ length: 2 * steps.length + spare }, () => next);
}
