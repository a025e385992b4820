import type { Scenario } from '../scenario/schema.ts';
import { type Model, noTokens, plus, type Tokens } from './model.ts';

/** What the customer writes when there is nothing left to say. */
const ending = '[end]';
/** Lines of a customer who never ends. Own choice: a story of the suite has at most four. */
const mostLines = 20;

/** A customer who is played by a model. */
export interface Customer {
  /** Answers what the agent said; at the beginning nothing was said. Undefined where the customer has nothing to add. */
  answer(said: string | undefined): Promise<string | undefined>;
  tokens(): Tokens;
}

/** The customer of a scenario: wants what its goal says, and knows nothing else. */
export function customerOf(model: Model, { user, title }: Scenario): Customer {
  const conversation = model(part(user?.goal ?? title, user), []);
  let tokens = noTokens;
  let lines = 0;
  return {
    answer: async (said) => {
      lines += 1;
      if (lines > mostLines) return undefined;
      conversation.addUserMessage(said ?? 'The conversation begins. Write your first message.');
      const turn = await conversation.next();
      tokens = plus(tokens, turn.tokens);
      const line = turn.text.replaceAll(ending, '').trim();
      return line === '' ? undefined : line;
    },
    tokens: () => tokens,
  };
}

const part = (goal: string, { knows, unsure, mood }: NonNullable<Scenario['user']> = {}): string =>
  [
    'You play a customer of a shop who writes to the assistant of that shop. You are a person and never the assistant.',
    `What you want: ${goal}`,
    ...(knows === undefined ? [] : [`What you know, and tell when asked: ${JSON.stringify(knows)}`]),
    ...(unsure === undefined ? [] : [`What you do not know, or remember wrongly: ${unsure.join('; ')}`]),
    ...(mood === undefined ? [] : [`Your mood: ${mood}`]),
    'Write one short message at a time, in plain words. Say only what you want, and what the assistant asks for as far as it stands above. Make nothing up: no numbers, names or codes.',
    'Approvals are decided by other people. When you are told that one is needed, ask the assistant to go on.',
    `When you have got what you want, or were told that it can't be had, write ${ending} and nothing else.`,
  ].join('\n');
