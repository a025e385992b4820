import { answerOf } from '../replay/run.ts';
import { clausesOf } from '../speech/clauses.ts';
import { countsIn } from '../speech/counts.ts';
import { deedsIn } from '../speech/deeds.ts';
import { figuresIn } from '../speech/numbers.ts';
import type { Moment } from '../speech/timeline.ts';

// How often something is said to have been done, against the calls and events before; what was asked for or read is no news.

export function countFaults(text: string, moment: Moment): readonly string[] {
  return clausesOf(text)
    .filter(({ isQuestion, mood, text: clause }) => !isQuestion && mood !== 'denied' && !supposed.test(clause))
    .flatMap(({ text: clause }) => {
      const isDeed = deedsIn(clause).length > 0;
      return countsIn(clause)
        .filter(({ isOfAll }) => !isOfAll || isDeed)
        .filter(({ value, isOfAll }) => !(isOfAll ? hasMade(value, moment) : wasCounted(value, moment)))
        .map(({ text: count }) => `"${clause.trim()}": nothing was counted that makes it ${count}.`);
    });
}

/** What would be so counts nothing that is. */
const supposed =
  /(?<!\p{L})(?:would|\p{L}+['’]d (?:have|be|get|need|lose|pay|owe|take)|würden?|hätten?|aurait|tendría)(?!\p{L})/iu;

/** How many calls of each tool there were, and of those that were done; and how many events of each actor. */
function talliesOf({ calls, history }: Moment): readonly number[] {
  const tally = new Map<string, number>();
  const add = (name: string): unknown => tally.set(name, (tally.get(name) ?? 0) + 1);
  for (const call of calls) {
    add(call.tool);
    if (answerOf(call).outcome === 'done') add(`${call.tool} done`);
  }
  for (const it of history)
    if (it.kind === 'event' && it.what.startsWith('actor'))
      for (const name of [it.what, it.text.split(':')[0]]) add(name ?? '');
  return [...tally.values()];
}

const wasCounted = (value: number, moment: Moment): boolean =>
  talliesOf(moment).includes(value) || numbersOf(moment).has(value);

/** Whether as many things were changed or read. */
const hasMade = (value: number, moment: Moment): boolean =>
  talliesOf(moment).some((it) => it >= value) ||
  moment.calls.some((it) => longestList(it.answer) >= value && value > 2);

/** Numbers that the customer said, arguments have, and answers give as numbers or in their own words. */
function numbersOf({ calls, history }: Moment): ReadonlySet<number> {
  const numbers = new Set<number>();
  const take = (text: string): void => {
    for (const { values } of figuresIn(text)) for (const it of values) numbers.add(Number(it));
  };
  const see = (value: unknown): void => {
    if (typeof value === 'number') numbers.add(value);
    if (typeof value === 'object' && value !== null) for (const it of Object.values(value)) see(it);
  };
  for (const it of history) if (it.kind === 'user') take(it.text);
  for (const call of calls) {
    see(call.args);
    see(answerOf(call).data);
    take(answerOf(call).said ?? '');
  }
  return numbers;
}

function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(longestList));
}
