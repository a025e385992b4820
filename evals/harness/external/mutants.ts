import type { GoldenGrader } from '../goldens/files.ts';
import { grade } from '../graders/grade.ts';
import type { Result } from '../replay/evaluate.ts';
import type { CallEntry, Run } from '../replay/run.ts';
import type { Loaded } from '../scenario/load.ts';
import type { Value, Values } from '../scenario/schema.ts';
import { isVarying, variesAt } from './varying.ts';

// Bugs of another server, as its answers would show them: a run that passed is judged again with one answer changed.

/** One change of one answer, and who noticed it. */
export interface AnswerMutant {
  readonly scenario: string;
  /** The call, by the number of its step, or a collection of the state. */
  readonly at: string;
  readonly how: string;
  readonly noticedBy: 'expectation' | 'golden' | undefined;
}

/** Judges every run that passed with each change of each answer, and of the state at the end. */
export const mutateAnswers = (
  loaded: readonly Loaded[],
  results: readonly Result[],
  golden: GoldenGrader,
): readonly AnswerMutant[] =>
  results.flatMap(({ id, run, verdict }, index) => {
    const one = loaded[index];
    if (verdict !== 'pass' || one === undefined) return [];
    return changedRuns(run).map(({ at, how, run: changed }) => {
      const noticedBy =
        grade(changed).length > 0 ? 'expectation' : golden(one, changed, []).length > 0 ? 'golden' : undefined;
      return { scenario: id, at, how, noticedBy };
    });
  });

interface ChangedRun extends Pick<AnswerMutant, 'at' | 'how'> {
  readonly run: Run;
}

const changedRuns = (run: Run): readonly ChangedRun[] => [
  ...run.entries.flatMap((entry, index) =>
    entry.kind !== 'call'
      ? []
      : changedEntries(entry, variesAt(run.scenario, entry.step)).map(({ how, entry: changed }) => ({
          ...{ at: `${entry.step + 1}. ${entry.tool}`, how },
          run: { ...run, entries: run.entries.with(index, changed) },
        })),
  ),
  ...(run.observed === undefined ? [] : changedStates(run, run.observed)),
];

const changedStates = (run: Run, observed: NonNullable<Run['observed']>): readonly ChangedRun[] =>
  Object.entries(observed.after).flatMap(([name, value]) =>
    changesOf(value).map(({ path, how, value: changed }) => ({
      ...{ at: `state ${[name, ...path].join('.')}`, how },
      run: { ...run, observed: { ...observed, after: { ...observed.after, [name]: changed } } },
    })),
  );

function changedEntries(
  entry: CallEntry,
  varies: readonly string[],
): readonly { readonly how: string; readonly entry: CallEntry }[] {
  const { refusedBy: _, ...turned } = { ...entry, isError: !entry.isError };
  return [
    { how: entry.isError ? 'an error becomes an answer' : 'an answer becomes an error', entry: turned },
    ...changesOf(entry.answer as Value)
      .filter(({ path, is }) => !isVarying(is === undefined ? path.slice(0, -1) : path, varies)) // a member may not be missing
      .map(({ path, how, value, was, is }) => ({
        how: [path.join('.'), how].filter((it) => it !== '').join(': '),
        entry: { ...entry, answer: value, text: textOf(entry, value, was, is) },
      })),
  ];
}

/** The text of an answer goes with its value: as JSON, or as the text that the value stands in. */
const textOf = ({ text, answer }: CallEntry, value: Value, was: Value, is: Value | undefined): string =>
  text === JSON.stringify(answer) || !text.includes(String(was))
    ? JSON.stringify(value)
    : text.replaceAll(String(was), String(is ?? ''));

/** A change of one part of a value: where, the whole value with it, and the part before and after. */
interface Change {
  readonly path: readonly string[];
  readonly how: string;
  readonly value: Value;
  readonly was: Value;
  readonly is: Value | undefined;
}

function changesOf(value: Value): readonly Change[] {
  const leaf = (how: string, is: Value): Change => ({ path: [], how, value: is, was: value, is });
  if (typeof value === 'number') return [leaf('one more', value + 1)];
  if (typeof value === 'boolean') return [leaf('turned', !value)];
  if (typeof value === 'string')
    return value === ''
      ? [leaf('no longer empty', 'something')]
      : [leaf('lost', ''), ...raised(value).map((it) => leaf('another figure', it))];
  if (value === null) return [leaf('no longer null', 'something')];
  if (Array.isArray(value))
    return [
      ...(value.length === 0 ? [] : [leaf('emptied', [])]),
      ...value.slice(0, mostItems).flatMap((it, at) => inside(it, String(at), (part) => value.with(at, part))),
    ];
  return Object.entries(value).flatMap(([name, it]) => [
    { path: [name], how: 'missing', value: without(value, name), was: it, is: undefined },
    ...inside(it, name, (part) => ({ ...value, [name]: part })),
  ]);
}

/** Items of a list that are changed. Own choice: the others are like them. */
const mostItems = 3;

const inside = (part: Value, name: string, whole: (part: Value) => Value): readonly Change[] =>
  changesOf(part).map((it) => ({ ...it, path: [name, ...it.path], value: whole(it.value) }));

const without = (value: Values, name: string): Values =>
  Object.fromEntries(Object.entries(value).filter(([it]) => it !== name));

/** A text with its last figure one more; nothing where it has none. */
const raised = (text: string): readonly string[] =>
  /\d/.test(text) ? [text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))] : [];
