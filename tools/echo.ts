import { isEchoOf } from '../src/core/echo.ts';
import { valueAt } from '../src/core/members.ts';
import type { SentRequest } from '../src/engine/sent-request.ts';

/**
 * The path of what says that an answer is another call's, such as one that a connection passes on too late: a name that was not sent
 * (D-182). An answer may leave it out.
 */
export function ofAnother({ body: sent }: Pick<SentRequest, 'body'>, answer: object, path: string): string | undefined {
  const [asked, told] = [textAt(sent, path), textAt(answer, path)];
  return asked === '' || told === '' || isEchoOf(told, asked) ? undefined : path;
}

/**
 * The path of a state that a change doesn't lead to: neither that which it should reach, nor another that such an answer may show. It
 * tells nothing of a call that the machine knows as no change, because a rule is turned off.
 */
export const stateElsewhere = (
  { from, reaches }: Pick<SentRequest, 'from' | 'reaches'>,
  state: string,
  path: string,
  mayBe: (state: string) => boolean = () => false,
): string | undefined => (from === reaches || state === reaches || mayBe(state) ? undefined : path);

/** The text at a path; empty where there is none. */
function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path.split('.'));
  return typeof found === 'string' ? found.trim() : '';
}
