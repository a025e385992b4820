import type { Failure, Run } from '../replay/run.ts';
import { clausesOf, type Mood } from '../speech/clauses.ts';
import { type Day, daysIn, isSameDay, isWeekday, timesIn } from '../speech/dates.ts';
import { type DeedName, deedsIn } from '../speech/deeds.ts';
import { sumsIn } from '../speech/money.ts';
import { type Figure, figuresIn } from '../speech/numbers.ts';

/** Grades that the customer was told the facts of the story, in whatever words, and not left without an answer. */
export function gradeReply(run: Run): readonly Failure[] {
  const { scenario, entries, reference = run } = run;
  const said = entries.flatMap((entry) => (entry.kind === 'say' ? [entry.text] : []));
  const isSilent = said.every((line) => line.trim() === '') && reference.entries.some(({ kind }) => kind === 'say');
  const silence: readonly Failure[] = isSilent
    ? [{ grader: 'reply', at: 'silence', because: 'the customer was told nothing.' }]
    : [];
  const now = Date.parse(scenario.world?.now ?? '2026-01-15T09:00:00Z');
  return [
    ...silence,
    ...(scenario.expect.tells ?? [])
      .filter((fact) => !isTold(fact, said, now))
      .map((fact): Failure => ({ grader: 'reply', at: 'tells', because: `the customer was not told: ${fact}.` })),
  ];
}

/** What can be recognized of a text in any wording. */
interface Facts {
  readonly sums: readonly (readonly string[])[];
  readonly days: readonly (readonly Day[])[];
  readonly times: readonly number[];
  readonly deeds: readonly { readonly name: DeedName; readonly mood: Mood }[];
}

/** The facts of a text. A sum is wanted as one; people also say its number alone. */
function factsOf(text: string, now: number, isWanted: boolean): Facts {
  const figures = figuresIn(text);
  const days = daysIn(text, now).filter((it) => !isWeekday(it.text));
  const sums = sumsIn(text);
  const loose = figures.filter(
    ({ start, end }) =>
      !days.some((it) => start >= it.start && start < it.end) && (!isWanted || /\d[.,]\d/.test(text.slice(start, end))),
  );
  const signed = ({ values, start }: Figure): readonly string[] =>
    /(?<!\p{L})minus\s*$/iu.test(text.slice(0, start)) ? values.map((it) => `-${it}`) : values;
  return {
    sums: [...sums.map(({ values }) => values), ...loose.map(signed)],
    days: days.map(({ readings }) => readings),
    times: timesIn(text),
    deeds: clausesOf(text).flatMap(({ text: clause, mood, isQuestion }) =>
      isQuestion ? [] : deedsIn(clause).map((name) => ({ name, mood })),
    ),
  };
}

/** A thing that was stopped for good is as well said to have ended. */
const alsoTold: Readonly<Partial<Record<DeedName, readonly DeedName[]>>> = { cancelled: ['ended'] };

/** Whether a fact was told. What is nothing but a name is looked for as it is. */
function isTold(fact: string, said: readonly string[], now: number): boolean {
  const [wanted, told] = [factsOf(fact, now, true), factsOf(said.join('\n'), now, false)];
  const isName = Object.values(wanted).every((it) => it.length === 0);
  if (isName) return said.join('\n').toLowerCase().includes(fact.toLowerCase());
  return (
    wanted.sums.every((values) => told.sums.some((it) => it.some((one) => values.includes(one)))) &&
    wanted.days.every((readings) =>
      told.days.some((it) => it.some((one) => readings.some((other) => isSameDay(one, other)))),
    ) &&
    wanted.times.every((minutes) => told.times.some((it) => it % 720 === minutes % 720)) &&
    (wanted.deeds.length === 0 ||
      wanted.deeds.some(({ name, mood }) =>
        told.deeds.some((it) => [name, ...(alsoTold[name] ?? [])].includes(it.name) && it.mood === mood),
      ))
  );
}
