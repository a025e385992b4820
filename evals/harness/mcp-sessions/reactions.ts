import { z } from 'zod';

// How the user of a host reacts to a question.

const named = {
  approves: { result: { action: 'accept', content: { approve: true } } },
  disapproves: { result: { action: 'accept', content: { approve: false } } },
  accepts: { result: { action: 'accept' } },
  declines: { result: { action: 'decline' } },
  cancels: { result: { action: 'cancel' } },
  /** The host can't ask. Its words are to go nowhere. */
  fails: { error: { code: -32_603, message: 'No form for 4111 1111 1111 1111.' } },
  /** Nobody reacts. */
  ignores: undefined,
} as const satisfies Readonly<Record<string, Answered | undefined>>;

/** What a host answers to a question of the server. */
type Answered = { readonly result: object } | { readonly error: object };

type Named = keyof typeof named;
export const reactionNames = Object.keys(named) as readonly Named[]; // its own names

/** A reaction by its name, or a result of another shape. */
export const reactionSchema = z.union([z.enum(reactionNames), z.looseObject({ action: z.json() })]);
export type Reaction = z.output<typeof reactionSchema>;

/** What a host answers; undefined where it does not. */
export const answerOf = (reaction: Reaction): Answered | undefined =>
  typeof reaction === 'string' ? named[reaction] : { result: reaction };

/** The reactions of a step. */
export const reactionsIn = (user: Reaction | readonly Reaction[] | undefined): readonly Reaction[] =>
  user === undefined ? [] : Array.isArray(user) ? (user as readonly Reaction[]) : [user as Reaction];

/** What a host of the 2026 revision sends with a call that is made again. */
export function responsesOf(user: readonly Reaction[]): object {
  const [first] = user;
  const answered = first === undefined ? undefined : answerOf(first);
  return answered === undefined ? {} : { approval: 'result' in answered ? answered.result : answered };
}
