import { answerOf, type CallEntry } from '../replay/run.ts';
import { references } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import { type CallStep, isCall, type Scenario, type Step, type Value } from '../scenario/schema.ts';

/** A step that the agent has no part in: a line of the customer, time, a fault, an actor, hostile text. */
export type OtherStep = Exclude<Step, CallStep | { say: string }>;

/** A script as the reference of a conversation that a model leads: it says what happens around the agent, and when. */
export interface Script {
  /**
   * Takes the next step of others, if every call before it was made. What comes after a line of the customer or of the agent
   * is taken only once the agent has spoken.
   */
  take(listening: boolean): { readonly step: OtherStep; readonly index: number } | undefined;
  /** Records a call of the agent. Returns the index of the scripted call that it matches, or -1. */
  made(entry: CallEntry): number;
  /**
   * Prepares for a call of the agent. Where the script has this call only after a step of others, and nothing but reads is left
   * before that step, those reads are skipped. Returns whether the step of others comes first.
   */
  reach(tool: string): boolean;
  /** Skips the calls before the next step of others: the agent does not make them. */
  giveUp(): void;
  /** Whether a call is waited for. */
  isWaiting(): boolean;
  /** Whether calls are left that the agent has not made. */
  isUnfinished(): boolean;
}

/**
 * Follows a script. A call of the agent matches a scripted one if it calls the same tool and ends in the same way, whatever its
 * arguments are. An agent may skip reads: a call from further down the script ends the wait for those before it.
 */
export function follow({ steps }: Scenario): Script {
  const matched = new Set<number>();
  const skipped = new Set<number>();
  /** Lines of the agent that it did not say. */
  const passed = new Set<number>();
  let at = 0;
  const isWaitedFor = (step: Step, index: number): boolean =>
    isCall(step) && !matched.has(index) && !skipped.has(index);
  const isChange = (step: Step, index: number): boolean =>
    isCall(step) && effectOf(step.call) !== 'read' && isWaitedFor(step, index);
  /** Index of the first step of others from here on: what the agent does now comes before it. */
  const border = (): number => {
    const found = steps.findIndex((step, index) => index >= at && !isCall(step) && !('say' in step));
    return found === -1 ? steps.length : found;
  };
  return {
    take: (listening) => {
      for (; at < steps.length; at++) {
        const step = steps[at] as Step; // within the bounds
        if (isWaitedFor(step, at) || ('user' in step && !listening) || ('say' in step && !listening && !passed.has(at)))
          return undefined;
        if (!isCall(step) && !('say' in step)) {
          at += 1;
          return { step, index: at - 1 };
        }
      }
      return undefined;
    },
    made: (entry) => {
      const end = border();
      const index = steps.findIndex(
        (step, place) =>
          place < end && !matched.has(place) && isCall(step) && step.call === entry.tool && cameBack(step, entry),
      );
      if (index !== -1) matched.add(index);
      return index;
    },
    reach: (tool) => {
      const end = border();
      const left = steps.flatMap((step, index) => (index < end && isWaitedFor(step, index) ? [step] : []));
      if (left.some((it) => isCall(it) && (it.call === tool || effectOf(it.call) !== 'read'))) return false;
      const next = steps.findIndex(
        (step, index) => index > end && isCall(step) && step.call === tool && isWaitedFor(step, index),
      );
      if (next === -1 || steps.slice(end, next).some((step, at) => 'user' in step || isChange(step, end + at)))
        return false;
      for (let index = at; index < next; index++) {
        if (index < end) skipped.add(index);
        passed.add(index);
      }
      return true;
    },
    giveUp: () => {
      for (let index = at; index < border(); index++) skipped.add(index);
    },
    isWaiting: () => steps.slice(0, border()).some(isWaitedFor),
    isUnfinished: () => steps.some((step, index) => isCall(step) && !matched.has(index) && !skipped.has(index)),
  };
}

/** Whether an answer is what a scripted call expects, as far as its outcome goes. */
function cameBack({ expect, as }: CallStep, entry: CallEntry): boolean {
  const { outcome, error } = answerOf(entry);
  if (expect?.outcome !== undefined && expect.outcome !== outcome) return false;
  if (expect?.refused !== undefined && expect.refused !== (entry.refusedBy ?? error?.rule)) return false;
  if (expect?.code !== undefined && expect.code !== error?.code) return false;
  if (expect?.error !== undefined && expect.error !== entry.isError) return false;
  const saysNothing = [expect?.outcome, expect?.refused, expect?.code, expect?.error].every((it) => it === undefined);
  // Where the script is silent, what is captured for later must be an answer that has something to capture.
  return !saysNothing || as === undefined || !entry.isError;
}

/** Whether everything that a step refers to was captured. */
export const isPossible = (step: OtherStep, captures: ReadonlyMap<string, unknown>): boolean =>
  references(step as unknown as Value).every((name) => captures.has(name)); // it came out of YAML
