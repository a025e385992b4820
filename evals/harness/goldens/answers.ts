import type { Answer } from '../../../src/engine/answer.ts';
import type { Names } from './names.ts';
import { type Said, since } from './said.ts';
import { isTree, labelled } from './values.ts';

// Answers as a golden has them: everything but the sentences, of which their figures, names and addresses stay.

/** A golden that is being written: names, what was said, and what was shown last of each thing. */
export interface Writing {
  readonly names: Names;
  readonly said: Said;
  readonly shown: Map<string, { readonly at: number; readonly value: unknown }>;
}

/** What stands in a sentence besides words: figures, dates, handles, tools, states, addresses, names of fields, quotations. */
const facts = /"[^"]*"|[^\s"'(),;]*[\d@][^\s"'(),;]*|\b[a-z]+_\w+|\b[A-Z][A-Z_]{2,}\b|\b[a-z]+[A-Z]\w+/g;

/** The facts of a sentence, without its words. */
const factsIn = (sentence: string): readonly string[] =>
  [...sentence.matchAll(facts)].map(([found]) => found.replace(/[.:!?]+$/, ''));

/** Members that have a form of their own, or stand on the line of the call. */
const apart: ReadonlySet<string> = new Set([
  ...['outcome', 'replayed', 'environment', 'error', 'data', 'approval', 'said', 'warnings', 'operation', 'next'],
]);
const onTheLine: ReadonlySet<string> = new Set(['code', 'rule', 'field', 'retry']);

/** The lines of an answer, below the line that says what was called. */
export function linesOfAnswer(
  answer: Partial<Answer>,
  { names, said: before, shown }: Writing,
  at: number,
): readonly string[] {
  const { said = '', environment, error = {}, approval, next, operation, warnings } = answer;
  const told = factsIn(said);
  const member = ([label, value]: readonly [string, unknown]): readonly string[] =>
    value === undefined ? [] : labelled(label, value, names, '  ');
  before.add(answer.data);
  return [
    ...member(['environment', environment === 'sandbox' ? undefined : environment]),
    ...linesOfData(answer.data, { names, said: before, shown }, at),
    ...Object.entries(answer)
      .filter(([name]) => !apart.has(name))
      .flatMap(member),
    ...Object.entries(error)
      .filter(([name]) => !onTheLine.has(name))
      .flatMap(member),
    ...(approval === undefined ? [] : asked(approval, names)),
    ...member(['said', told.length === 0 ? undefined : told]),
    ...member(['warnings', warnings?.map(ruleIn)]),
    ...member(['operation', operation]),
    ...member(['next', next]),
  ];
}

/** The data; where the same thing was shown before, what is new of it. */
function linesOfData(data: Answer['data'], { names, shown }: Writing, at: number): readonly string[] {
  if (data === undefined) return [];
  const thing = JSON.stringify(Object.entries(data)[0]);
  const earlier = shown.get(thing);
  shown.set(thing, { at, value: data });
  if (earlier === undefined || !isTree(earlier.value)) return labelled('data', data, names, '  ');
  const more = since(earlier.value, data);
  return labelled(`data as in ${earlier.at}`, Object.keys(more).length === 0 ? 'the same' : more, names, '  ');
}

/** An approval as the person reads it. */
const asked = ({ id, text, ...rest }: NonNullable<Answer['approval']>, names: Names): readonly string[] => [
  ...labelled(`asks ${names.in(id)}`, rest, names, '  '),
  ...linesOfText(text, names),
];

/** The text of an approval, line by line. */
export const linesOfText = (text: string, names: Names): readonly string[] =>
  text.split('\n').map((line) => `    | ${names.in(line)}`);

/** A warning begins with the id of its rule. */
const ruleIn = (warning: string): string => /^[A-Z]+-\d+(?=:)/.exec(warning)?.[0] ?? warning;

/** How a call ended, on one line: outcome, code, rule, field and whether to try again. */
export function endOf({ outcome, error, replayed }: Partial<Answer>): string {
  const { code, rule, field, retry } = error ?? {};
  return [
    outcome ?? 'answered',
    ...[code, rule, field && `field ${field}`, retry && `retry ${retry}`].filter((it) => it !== undefined),
    ...(replayed === true ? ['replayed'] : []),
  ].join(' ');
}
