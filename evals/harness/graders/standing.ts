import { clausesOf } from '../speech/clauses.ts';
import { standings } from '../speech/standing.ts';
import { thingsOf } from '../speech/things.ts';
import type { Moment } from '../speech/timeline.ts';

// How things are said to stand, against the last state of each: "it is still held", where everything was captured.

export function standingFaults(text: string, { calls, people }: Moment): readonly string[] {
  const clauses = clausesOf(text).filter(({ isQuestion }) => !isQuestion);
  const said = clauses.flatMap(({ text: clause }) =>
    standings.filter((it) => it.said.test(clause)).map((standing) => ({ clause, standing })),
  );
  if (said.length === 0) return [];
  const states = thingsOf(calls, people).map(({ state }) => state);
  return said
    .filter(
      ({ standing }) =>
        states.some((it) => standing.untrue.includes(it)) && !states.some((it) => standing.true.includes(it)),
    )
    .map(
      ({ clause }) =>
        `"${clause.trim()}", and everything is ${[...new Set(states.filter((it) => it !== ''))].join(', ')}.`,
    );
}
