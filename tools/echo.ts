import { valueAt } from '../src/core/members.ts';
import type { SentRequest } from '../src/engine/sent-request.ts';

/**
 * The path of what says that an answer is another call's, such as one that a connection passes on too late: a name that was not sent
 * (D-182). An answer may leave it out, cut a long one off, change its case or pad it with blanks. `order-1` is no `order-10` cut off.
 */
export function ofAnother({ body: sent }: Pick<SentRequest, 'body'>, answer: object, path: string): string | undefined {
  const [asked, told] = [textAt(sent, path), textAt(answer, path)];
  if (asked === '' || told === '') return undefined;
  const [one, other] = [asked.toLowerCase(), told.toLowerCase()];
  return one === other || (other.length >= shortestCut && one.startsWith(other)) ? undefined : path;
}

/** No bank keeps fewer characters of a merchant's reference. Own reading. */
const shortestCut = 20;

/** The text at a path; empty where there is none. */
function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path.split('.'));
  return typeof found === 'string' ? found.trim() : '';
}
