import { platformTime } from '../src/core/platform-time.ts';
import type { Finding, SentRequest } from '../src/engine/sent-request.ts';

// Reads the outcome of a call whose answer was lost.

/**
 * The outcome of a state change, judged by the current state. It tells nothing of a call that the machine knows as no change, because a
 * rule is turned off.
 */
export const moved = <B>({ from, reaches }: SentRequest, state: string, answer: () => B): Finding<B> => {
  if (from === reaches) return 'unclear';
  return state === reaches ? { happened: answer() } : state === from ? 'nothing' : 'unclear';
};

/**
 * Whether every sent value that the platform returns is as sent. Numbers and times are compared by value: 10 equals 10.00.
 * False if the platform returns none of them.
 */
export const isAsSent = (thing: unknown, sent: unknown): boolean => {
  const same = compared(thing, sent);
  return same.length > 0 && same.every(Boolean);
};

/** Compares each sent value that the platform also returns. */
function compared(thing: unknown, sent: unknown): readonly boolean[] {
  if (typeof sent !== 'object' || sent === null) return [isSame(String(thing), String(sent))];
  if (typeof thing !== 'object' || thing === null) return [];
  const known = new Map(Object.entries(thing));
  return Object.entries(sent).flatMap(([name, value]) => (known.has(name) ? compared(known.get(name), value) : []));
}

export const isSame = (one: string, other: string): boolean =>
  one === other || forms.some(({ form, read }) => form.test(one) && form.test(other) && read(one) === read(other));

const forms = [
  { form: /^\d+(\.\d+)?$/, read: Number },
  { form: /^\d{4}-\d\d-\d\dT/, read: platformTime },
] as const;
