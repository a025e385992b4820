import type { Facts } from '../src/domains/facts.ts';
import { codeFor } from '../src/engine/handles.ts';
import type { Finding, SentRequest } from '../src/engine/tool.ts';

// How it is told from the platform's answers what became of a call whose own answer was lost.

/** A code of our own, where the agent gives none: a new plan or subscription is found by it. */
export const ownCode = (path: string) => (facts: Facts) => ({ [path]: codeFor(facts.new.correlationId) });

/** The code that was sent for a plan or a subscription. */
export const codeIn = (part: unknown): string => String((part as { readonly code?: unknown } | undefined)?.code ?? '');

/** What the state of a thing tells of a call that was to move it. */
export const moved = <B>({ from, reaches }: SentRequest, state: string, answer: () => B): Finding<B> =>
  state === reaches ? { happened: answer() } : state === from ? 'nothing' : 'unclear';

/**
 * Whether a thing has every value that was sent for it and that the platform repeats. Numbers and moments are compared as
 * such: 10 is 10.00. Where nothing is repeated nothing is known.
 */
export const isAsSent = (thing: unknown, sent: unknown): boolean => {
  const same = compared(thing, sent);
  return same.length > 0 && same.every(Boolean);
};

/** Whether it has none of them. */
export const isOtherwise = (thing: unknown, sent: unknown): boolean => {
  const same = compared(thing, sent);
  return same.length > 0 && !same.some(Boolean);
};

/** For every value that was sent and that the platform repeats: whether the thing has it. */
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
  { form: /^\d{4}-\d\d-\d\dT/, read: Date.parse },
] as const;
