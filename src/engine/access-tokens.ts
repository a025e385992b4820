import { holds, isSame, keyFor, type Secret } from '../core/secret.ts';

/** The roles over HTTP: the agent, the merchant's app, a person, and the app at the card reader. */
export const roles = ['agent', 'app', 'person', 'reader'] as const;
export type Role = (typeof roles)[number];

/** The bearer token of each role. */
export type Tokens = { readonly [R in Role]: Secret<string> };

/** Throws if two roles share a token: an agent with a person's token could approve its own calls. */
export function demandDistinct(tokens: Tokens): void {
  const pairs = roles.flatMap((one, index) => roles.slice(index + 1).map((other) => [one, other] as const));
  for (const [one, other] of pairs)
    if (isSame(tokens[one], tokens[other])) throw new Error(`The tokens of ${one} and ${other} must differ.`);
}

/**
 * The key that signs questions to people on their way through the agent's client. Replicas of a service share the
 * tokens, so one may receive the answer to another's question. The agent doesn't have the token that the key is derived
 * from.
 */
export const questionKey = (tokens: Tokens): string => keyFor(tokens.person, 'the state of a question');

/** Whether a text is the token of a role. */
export const opens = (tokens: Tokens, role: Role, given: string): boolean => holds(tokens[role], given);
