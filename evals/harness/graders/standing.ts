import { clausesOf, type Mood } from '../speech/clauses.ts';
import { holdsMark } from '../speech/people.ts';
import { rowsOf } from '../speech/rows.ts';
import { isOpen, likewise, standings } from '../speech/standing.ts';
import { thingsOf } from '../speech/things.ts';
import type { Moment } from '../speech/timeline.ts';

// How things are said to stand, against the last state of each: "it is still held", where everything was captured.

/** A plan and what else has a name, said to be open or not, against its last state: "Bronze isn't open". */
export function namedFaults(text: string, { calls }: Moment): readonly string[] {
  const rows = rowsOf(calls).filter(({ name, state }) => typeof name === 'string' && typeof state === 'string');
  const names = [...new Set(rows.map(({ name }) => String(name)))].filter((it) => /^\p{Lu}\p{L}+$/u.test(it));
  let before: Mood | undefined;
  return clausesOf(text).flatMap(({ text: clause, mood, isQuestion }) => {
    const isSaid = isOpen.test(clause);
    const said = isSaid ? mood : likewise.test(clause) ? before : undefined;
    before = isSaid ? mood : undefined;
    const [name, ...others] = names.filter((it) => holdsMark(clause, it));
    if (isQuestion || said === undefined || said === 'open' || name === undefined || others.length > 0) return [];
    const states = new Map(
      rows.filter((row) => holdsMark(String(row.name), name)).map(({ name: whole, state }) => [whole, state]),
    );
    const isTrue = [...states.values()].some((it) => (it === 'ACTIVE') === (said === 'asserted'));
    return states.size === 0 || isTrue ? [] : [`"${clause.trim()}", and it is ${[...states.values()].join(', ')}.`];
  });
}

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
